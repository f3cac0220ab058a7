package execution

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

const (
	both    = 0 // the venue of SwapRouter02
	harbour = 1 // the venue of another exchange's plain v2 router
)

// world is a chain with two exchanges, their routers and pools.
type world struct {
	chain    devnettest.Chain
	accounts []devnettest.Account
	uniswap  *exchangetest.Uniswap
	other    *exchangetest.Uniswap
	routers  exchangetest.Routers
	venues   []dex.Venue
	// universal is nil unless a test deploys one.
	universal *dex.Universal
	wrapped   evm.Address
	tokens    []evm.Address
	pools     []pools.Pool
	ticks     map[evm.Address][]int32 // of each v3 pool, ascending
}

// deployed holds the worlds of this package's tests on one chain, and reverts it to the state from which each test starts.
var deployed struct {
	plain, market, universal *world
	revert                   func(testing.TB)
}

// start reverts the chain to its state before any test, and first deploys the worlds if that has not happened yet.
func start(t *testing.T) {
	t.Helper()
	d := &deployed
	if d.plain == nil {
		plain := deploy(t)
		d.market, d.universal = plain.clone().openMarket(t), plain.clone().openUniversalMarket(t)
		d.plain = plain
	} else {
		d.revert(t)
	}
	d.revert = d.plain.chain.Snapshot(t)
}

// clone returns a world on the same chain that a test may modify.
func (w *world) clone() *world {
	c := *w
	c.venues, c.tokens, c.pools, c.ticks = slices.Clone(w.venues), slices.Clone(w.tokens), slices.Clone(w.pools), maps.Clone(w.ticks)
	if w.universal != nil {
		universal := *w.universal
		universal.Venues = slices.Clone(universal.Venues)
		c.universal = &universal
	}
	return &c
}

// newWorld returns the exchanges on the local chain, without pools.
func newWorld(t *testing.T) *world {
	t.Helper()
	start(t)
	return deployed.plain.clone()
}

// market returns a world whose exchanges have pools of the wrapped native token and the tokens a, b and c.
func market(t *testing.T) (w *world, a, b, c evm.Address) {
	t.Helper()
	start(t)
	w = deployed.market.clone()
	return w, w.tokens[1], w.tokens[2], w.tokens[3]
}

// universalMarket is [market] with a universal router.
func universalMarket(t *testing.T) (w *world, a, b, c evm.Address) {
	t.Helper()
	start(t)
	w = deployed.universal.clone()
	return w, w.tokens[1], w.tokens[2], w.tokens[3]
}

func deploy(t *testing.T) *world {
	t.Helper()
	devnet := devnettest.Start(t)
	w := &world{chain: devnet.Chain(t, "eip155:31337"), accounts: devnet.Accounts, ticks: map[evm.Address][]int32{}}
	w.uniswap, w.other = exchangetest.Deploy(t, w.chain), exchangetest.Deploy(t, w.chain)
	w.routers = w.uniswap.Routers(t, "")
	w.wrapped = evm.MustAddress(w.routers.Wrapped)
	second := w.other.Routers(t, w.routers.Wrapped)
	w.venues = []dex.Venue{
		{Name: "Uniswap", Kind: dex.SwapRouter02, Router: evm.MustAddress(w.routers.Both), Native: "ETH"},
		{Name: "Harbour", Kind: dex.V2Router, Router: evm.MustAddress(second.V2), Native: "ETH"},
	}
	w.tokens = []evm.Address{w.wrapped}
	return w
}

// token adds a plain token of eighteen decimals.
func (w *world) token(t *testing.T, symbol string) evm.Address {
	t.Helper()
	return w.add(exchangetest.Token(t, w.chain, symbol, symbol))
}

func (w *world) add(token string) evm.Address {
	a := evm.MustAddress(token)
	w.tokens = append(w.tokens, a)
	return a
}

func (w *world) exchange(venue int) *exchangetest.Uniswap {
	if venue == harbour {
		return w.other
	}
	return w.uniswap
}

// v2 opens a pool with the given whole units of both tokens.
func (w *world) v2(t *testing.T, venue int, a evm.Address, unitsA int64, b evm.Address, unitsB int64) {
	t.Helper()
	x := w.exchange(venue)
	x.PoolV2(t, amount(a, unitsA), amount(b, unitsB))
	w.v2At(t, venue, a, b)
}

// v2At adds a pool that exists already.
func (w *world) v2At(t *testing.T, venue int, a, b evm.Address) {
	t.Helper()
	x := w.exchange(venue)
	answer := x.Ask(t, x.V2, "getPair(address,address)", evm.Word(a), evm.Word(b))
	w.pool(evm.Address(answer[12:32]), venue, pools.V2, 3000, a, b)
}

// v3 opens a pool at the price of the two amounts, with positions that reach the given numbers of tick spacings to both
// sides.
func (w *world) v3(t *testing.T, fee int64, a evm.Address, unitsA int64, b evm.Address, unitsB int64, widths ...int64) {
	t.Helper()
	x, spacing := w.uniswap, map[int64]int64{500: 10, 3000: 60, 10000: 200}[fee]
	x.PoolV3(t, fee, amount(a, unitsA), amount(b, unitsB))
	answer := x.Ask(t, x.V3, "getPool(address,address,uint24)", evm.Word(a), evm.Word(b), new(big.Int).SetInt64(fee).FillBytes(make([]byte, 32)))
	at := evm.Address(answer[12:32])
	slot0 := x.Ask(t, at.String(), "slot0()")
	tick := int64(int32(binary.BigEndian.Uint32(slot0[60:64]))) / spacing * spacing
	for _, width := range widths {
		lower, upper := tick-width*spacing, tick+width*spacing
		x.Position(t, fee, amount(a, unitsA), amount(b, unitsB), lower, upper)
		w.ticks[at] = append(w.ticks[at], int32(lower), int32(upper))
	}
	slices.Sort(w.ticks[at])
	w.ticks[at] = slices.Compact(w.ticks[at])
	w.pool(at, both, pools.V3, uint32(fee), a, b)
}

func (w *world) pool(at evm.Address, venue int, kind pools.Kind, fee uint32, a, b evm.Address) {
	token0, token1 := dex.Sort(a, b)
	w.pools = append(w.pools, pools.Pool{Address: at, Token0: token0, Token1: token1, Venue: venue, Kind: kind, Fee: fee})
}

func amount(token evm.Address, units int64) exchangetest.Amount {
	return exchangetest.Amount{Token: token.String(), Units: exchangetest.Units(units, 18)}
}

// view reads the current state of every pool.
func (w *world) view(t *testing.T) *pools.View {
	t.Helper()
	var head struct{ Number, Hash, Timestamp string }
	w.read(t, &head, "eth_getBlockByNumber", "latest", false)
	number, _ := new(big.Int).SetString(head.Number, 0)
	seconds, _ := new(big.Int).SetString(head.Timestamp, 0)
	all := make([]route.Pool, len(w.pools))
	for i, p := range w.pools {
		all[i] = route.Pool{
			Token0: route.Token(slices.Index(w.tokens, p.Token0)), Token1: route.Token(slices.Index(w.tokens, p.Token1)),
			Venue: route.Venue(p.Venue), Model: w.model(t, p), GasHop: 90_000,
		}
	}
	market, err := route.NewGraph(len(w.tokens), all)
	if err != nil {
		t.Fatal(err)
	}
	chain := dex.Chain{ID: w.chain.CAIP2, Wrapped: w.wrapped, Venues: w.venues, Universal: w.universal}
	block := pools.Block{Number: number.Uint64(), Hash: head.Hash, Time: time.Unix(seconds.Int64(), 0)}
	return pools.NewView(chain, block, market, pools.NewLayout(w.tokens, w.pools))
}

func (w *world) model(t *testing.T, p pools.Pool) route.Model {
	t.Helper()
	x, at := w.uniswap, p.Address.String()
	if p.Kind == pools.V2 {
		held := x.Ask(t, at, "getReserves()")
		model, err := route.NewConstantProduct(new(uint256.Int).SetBytes(held[:32]), new(uint256.Int).SetBytes(held[32:64]), 997, 1000)
		if err != nil {
			t.Fatal(err)
		}
		return model
	}
	slot0, liquidity := x.Ask(t, at, "slot0()"), x.Ask(t, at, "liquidity()")
	state := route.ConcentratedState{Fee: p.Fee, Spacing: map[uint32]int32{500: 10, 3000: 60, 10000: 200}[p.Fee]}
	state.SqrtPrice.SetBytes(slot0[:32])
	state.Liquidity.SetBytes(liquidity[:32])
	state.Tick = int32(binary.BigEndian.Uint32(slot0[60:64]))
	for _, index := range w.ticks[p.Address] {
		n := big.NewInt(int64(index))
		if index < 0 {
			n.Add(n, new(big.Int).Lsh(big.NewInt(1), 256))
		}
		tick := route.Tick{Index: index}
		tick.Net.SetBytes(x.Ask(t, at, "ticks(int24)", n.FillBytes(make([]byte, 32)))[32:64])
		state.Ticks = append(state.Ticks, tick)
	}
	model, err := route.NewConcentrated(state)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// plan returns the best plan of the market for an amount.
func (w *world) plan(t *testing.T, v *pools.View, from, to evm.Address, sold *uint256.Int, change func(*route.Request)) (route.Plan, error) {
	t.Helper()
	in, _ := v.Token(from)
	out, _ := v.Token(to)
	r := route.Request{From: in, To: out, Amount: *sold}
	if change != nil {
		change(&r)
	}
	return v.Graph.Search(t.Context(), r)
}

func within(venues ...route.Venue) func(*route.Request) {
	return func(r *route.Request) { r.Venues = venues }
}

// order returns an order of an account whose minimum is the plan's output.
func order(v *pools.View, p route.Plan, from, to, account evm.Address) Order {
	return Order{
		View: v, Plan: p, From: from, To: to, Sender: account, Recipient: account,
		MinOut: p.Out.Clone(), Deadline: v.Block.Time.Add(time.Hour),
	}
}

// account returns a new address with ether.
func (w *world) account(t *testing.T) evm.Address {
	t.Helper()
	accounts++
	a := evm.MustAddress(fmt.Sprintf("0x%040x", 0xacc0000000+accounts))
	w.chain.Call(t, "anvil_setBalance", a.String(), "0x56bc75e2d63100000")
	return a
}

var accounts int

func (w *world) give(t *testing.T, token, holder evm.Address, units *uint256.Int) {
	t.Helper()
	if token == evm.Native {
		w.chain.Call(t, "anvil_setBalance", holder.String(), new(uint256.Int).Add(units, uint256.NewInt(1e18)).Hex())
		return
	}
	exchangetest.Give(t, w.chain, token.String(), holder.String(), units.ToBig())
}

func (w *world) balance(t *testing.T, token, holder evm.Address) *uint256.Int {
	t.Helper()
	if token == evm.Native {
		var text string
		w.read(t, &text, "eth_getBalance", holder.String(), "latest")
		return uint256.MustFromHex(text)
	}
	return new(uint256.Int).SetBytes(w.uniswap.Ask(t, token.String(), "balanceOf(address)", evm.Word(holder))[:32])
}

// send makes calls as transactions and returns the gas of the last one.
func (w *world) send(t *testing.T, from evm.Address, calls ...Call) (gas uint64, ok bool) {
	t.Helper()
	for _, c := range calls {
		used, succeeded := w.uniswap.Transact(t, from.String(), c.To.String(), c.Data, c.Value.ToBig())
		if !succeeded {
			return used, false
		}
		gas += used
	}
	return gas, true
}

// wait makes the next block have a later timestamp, in which pools write more.
func (w *world) wait(t *testing.T) {
	t.Helper()
	w.chain.Call(t, "evm_increaseTime", 2)
}

// read calls the chain's node.
func (w *world) read(t *testing.T, into any, method string, params ...any) {
	t.Helper()
	if err := json.Unmarshal(w.chain.Call(t, method, params...), into); err != nil {
		t.Fatal(err)
	}
}

func (w *world) connect(string) chainclient.Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) { return w.chain.Forward(ctx, body) }
}
