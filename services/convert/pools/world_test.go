package pools

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// patience bounds how long a test waits.
const patience = 20 * time.Second

// trader sends the transactions of tests.
const trader = "0x00000000000000000000000000000000007ADe02"

// testChain is a local chain with two exchanges, and the node and clock of a keeper.
type testChain struct {
	t     *testing.T
	chain devnettest.Chain
	clock *clocktest.Ahead
	logs  *bytes.Buffer
	exchanges
	table   dex.Chain
	wrapped string
	hub     string
	config  Config
	listed  []tokens.Token

	mu     sync.Mutex
	bodies []string
	down   atomic.Bool
	// mute makes nodes refuse logs, and deaf makes them return none.
	mute, deaf atomic.Bool
	// behind makes nodes have no code in their latest block.
	behind atomic.Bool
}

// exchanges are used by all tests, each with its own tokens. The first has a router for v2 and v3, the other one for v2
// only.
type exchanges struct {
	main, other     *exchangetest.Uniswap
	routers, second exchangetest.Routers
}

var (
	build sync.Once
	ready exchanges
)

func built(t *testing.T) exchanges {
	t.Helper()
	build.Do(func() {
		chain := devnettest.Start(t).Chain(t, "eip155:31337")
		ready.main, ready.other = exchangetest.Deploy(t, chain), exchangetest.Deploy(t, chain)
		ready.routers = ready.main.Routers(t, "")
		ready.second = ready.other.Routers(t, ready.routers.Wrapped)
	})
	return ready
}

func newTestChain(t *testing.T) *testChain {
	t.Helper()
	h := &testChain{
		t: t, chain: devnettest.Start(t).Chain(t, "eip155:31337"), exchanges: built(t), clock: &clocktest.Ahead{}, logs: &bytes.Buffer{}, config: DefaultConfig(),
	}
	h.wrapped, h.hub = h.routers.Wrapped, h.token("HUB")
	v2 := func(factory string) *dex.V2 {
		hash := [32]byte(must(hashOf(uniswapV2Code)))
		return &dex.V2{Factory: evm.MustAddress(factory), FeeNumerator: 997, FeeDenominator: 1000, InitCodeHash: &hash}
	}
	factory := evm.MustAddress(h.main.V3)
	code := [32]byte(must(hashOf(uniswapV3Code)))
	h.table = dex.Chain{
		ID: h.chain.CAIP2, Wrapped: evm.MustAddress(h.wrapped), BlockTime: 250 * time.Millisecond,
		Hubs: []evm.Address{evm.MustAddress(h.wrapped), evm.MustAddress(h.hub)},
		Venues: []dex.Venue{
			{Name: "Main", Kind: dex.SwapRouter02, Router: evm.MustAddress(h.routers.Both), Native: "ETH", V2: v2(h.main.V2), V3: &dex.V3{
				Factory: factory, Deployer: factory, InitCodeHash: &code,
				Fees: []uint32{500, 3000, 10_000}, Spacing: map[uint32]int32{500: 10, 3000: 60, 10_000: 200},
			}},
			{Name: "Other", Kind: dex.V2Router, Router: evm.MustAddress(h.second.V2), Native: "ETH", V2: v2(h.other.V2)},
		},
	}
	h.chain.Call(t, "anvil_setBalance", trader, "0xffffffffffffffffffff")
	return h
}

// The hashes of the pools' creation code in the npm packages.
const (
	uniswapV2Code = "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"
	uniswapV3Code = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"
)

func hashOf(text string) (h hash, err error) { return h, h.UnmarshalText([]byte(text)) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// On implements [Venues].
func (h *testChain) On(chainID string) (dex.Chain, bool) { return h.table, chainID == h.table.ID }

// list implements [TokenList].
type list struct{ h *testChain }

func (l list) On(string) []tokens.Token { return l.h.listed }

var errDown = errors.New("no node is reached")

func (h *testChain) connect(string) chainclient.Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		if h.down.Load() {
			return nil, errDown
		}
		h.mu.Lock()
		h.bodies = append(h.bodies, string(body))
		h.mu.Unlock()
		if h.mute.Load() {
			body = bytes.ReplaceAll(body, []byte("eth_getLogs"), []byte("eth_giveNone"))
		}
		if h.behind.Load() {
			body = latestCode.ReplaceAll(body, []byte(`"eth_getCode","params":["`+evm.Address{}.String()+`","latest"]`))
		}
		if h.deaf.Load() {
			body = bytes.ReplaceAll(body, []byte(`"topics":[[`), []byte(`"topics":[["`+hash{}.String()+`"],[`))
		}
		return h.chain.Forward(ctx, body)
	}
}

var latestCode = regexp.MustCompile(`"eth_getCode","params":\["0x[0-9a-fA-F]{40}","latest"\]`)

// asked returns the bodies of requests since the last call.
func (h *testChain) takeRequests() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	bodies := h.bodies
	h.bodies = nil
	return bodies
}

// reads counts the bodies that call contracts.
func reads(bodies []string) int {
	return len(slices.DeleteFunc(slices.Clone(bodies), func(b string) bool { return !strings.Contains(b, "eth_call") }))
}

// keeper returns a keeper that is closed when the test ends.
func (h *testChain) keeper() *Keeper {
	h.t.Helper()
	k := New(Options{
		Config: h.config, Venues: h, Connect: h.connect, Tokens: list{h}, Clock: h.clock,
		Log: slog.New(slog.NewTextHandler(&locked{w: h.logs}, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	h.t.Cleanup(k.Close)
	return k
}

type locked struct {
	mu sync.Mutex
	w  *bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// tracker returns a tracker that runs only when the test calls turn.
func (h *testChain) tracker() *tracker { return newTracker(h.keeper(), h.table) }

// turn advances the tracker, and searches the pools of pairs.
func (f *tracker) turn(ctx context.Context, pairs []pair, target *announced) error {
	more, checked, err := f.advance(ctx, target)
	if err != nil {
		return err
	}
	return f.seek(ctx, append(more, pairs...), checked)
}

// turn runs one round, for tokens.
func (h *testChain) turn(f *tracker, about ...string) *View {
	h.t.Helper()
	if err := f.turn(h.t.Context(), f.missing(pairsAbout(f.chain.Hubs, addresses(about...))), nil); err != nil {
		h.t.Fatal(err)
	}
	return f.view.Load()
}

func (h *testChain) token(symbol string) string {
	return exchangetest.Token(h.t, h.chain, symbol, symbol)
}

func addresses(list ...string) []evm.Address {
	parsed := make([]evm.Address, len(list))
	for i, a := range list {
		parsed[i] = evm.MustAddress(a)
	}
	return parsed
}

func units(token string, whole int64) exchangetest.Amount {
	return exchangetest.Amount{Token: token, Units: exchangetest.Units(whole, 18)}
}

// v2 opens a pool of the main exchange.
func (h *testChain) v2(a string, unitsA int64, b string, unitsB int64) {
	h.t.Helper()
	h.main.PoolV2(h.t, units(a, unitsA), units(b, unitsB))
}

// v3 opens a pool with one position for each width, which reaches that many spacings to both sides of the price 1.
func (h *testChain) v3(fee int64, a, b string, whole int64, widths ...int64) {
	h.t.Helper()
	h.main.PoolV3(h.t, fee, units(a, whole), units(b, whole))
	for _, width := range widths {
		h.position(fee, a, b, whole, -width, width)
	}
}

// position opens a position between two ticks, counted in spacings.
func (h *testChain) position(fee int64, a, b string, whole, lower, upper int64) {
	h.t.Helper()
	spacing := map[int64]int64{500: 10, 3000: 60, 10_000: 200}[fee]
	h.main.Position(h.t, fee, units(a, whole), units(b, whole), lower*spacing, upper*spacing)
}

// sell trades whole units of one token for another in the pool of a fee; 0 is the v2 pool.
func (h *testChain) sell(fee int64, from, to string, whole int64) {
	h.t.Helper()
	if !h.offer(fee, from, to, whole) {
		h.t.Fatalf("%d of %s were not bought", whole, from)
	}
}

// offer is sell for a pool whose liquidity may be exhausted.
func (h *testChain) offer(fee int64, from, to string, whole int64) bool {
	h.t.Helper()
	sold := units(from, whole)
	exchangetest.Give(h.t, h.chain, from, trader, sold.Units)
	h.send(from, "approve(address,uint256)", evm.Word(evm.MustAddress(h.routers.Both)), number(sold.Units))
	me := evm.Word(evm.MustAddress(trader))
	if fee == 0 {
		return h.send(h.routers.Both, "swapExactTokensForTokens(uint256,uint256,address[],address)",
			number(sold.Units), number(new(big.Int)), number(big.NewInt(128)), me,
			number(big.NewInt(2)), evm.Word(evm.MustAddress(from)), evm.Word(evm.MustAddress(to)))
	}
	return h.send(h.routers.Both, "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
		evm.Word(evm.MustAddress(from)), evm.Word(evm.MustAddress(to)), number(big.NewInt(fee)), me,
		number(sold.Units), number(new(big.Int)), number(new(big.Int)))
}

func (h *testChain) send(to, signature string, words ...[]byte) bool {
	h.t.Helper()
	_, ok := h.main.Transact(h.t, trader, to, append(evm.Selector(signature), slices.Concat(words...)...), new(big.Int))
	return ok
}

func number(n *big.Int) []byte { return n.FillBytes(make([]byte, 32)) }

// expectFresh compares the stored states with the chain's at the same block.
func (h *testChain) expectFresh(f *tracker) {
	h.t.Helper()
	fresh := slices.Clone(f.state.entries)
	if err := f.node.readCalls(h.t.Context(), f.state.head.number, pointers(fresh)); err != nil {
		h.t.Fatal(err)
	}
	for i, e := range f.state.entries {
		if !same(e.state, fresh[i].state) {
			h.t.Errorf("pool %s of fee %d at block %d:\nkept  %s\nfresh %s", e.Address, e.Fee, f.state.head.number, spelt(e.state), spelt(fresh[i].state))
		}
	}
}
