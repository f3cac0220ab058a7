package execution

import (
	"errors"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// exchanges is the local chain with its own exchanges, and the keeper of their pools.
type exchanges struct {
	*world
	keeper *pools.Keeper
	named  map[string]evm.Address
}

func localExchanges(t *testing.T) *exchanges {
	t.Helper()
	d := devnettest.Start(t)
	path := filepath.Join(t.TempDir(), "devnet.json")
	if err := os.WriteFile(path, d.Raw, 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := dex.Load(dex.Config{}, devnet.Open(path, slog.Default()), slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	x := &exchanges{world: w, named: map[string]evm.Address{"ETH": evm.Native}, keeper: pools.New(pools.Options{
		Config: pools.DefaultConfig(), Venues: table, Connect: w.connect, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
	})}
	t.Cleanup(x.keeper.Close)
	for _, token := range w.chain.Tokens {
		x.named[token.Symbol] = evm.MustAddress(token.Address)
	}
	return x
}

// now returns the view of the newest block.
func (x *exchanges) now(t *testing.T, about ...evm.Address) *pools.View {
	t.Helper()
	var head struct{ Number, Hash string }
	x.read(t, &head, "eth_getBlockByNumber", "latest", false)
	number, _ := new(big.Int).SetString(head.Number, 0)
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		x.keeper.OnHead(x.chain.CAIP2, number.Uint64(), head.Hash)
		v, err := x.keeper.View(t.Context(), x.chain.CAIP2, about...)
		if err != nil {
			t.Fatal(err)
		}
		if v.Block.Number >= number.Uint64() {
			return v
		}
	}
	t.Fatal("the keeper does not follow the chain")
	return nil
}

// fund gives an account an amount of any token.
func (x *exchanges) fund(t *testing.T, s *Simulator, token, holder evm.Address, units *uint256.Int) {
	t.Helper()
	if token == evm.Native {
		x.give(t, token, holder, units)
		return
	}
	at, err := s.slots.find(t.Context(), x.connect(""), x.chain.CAIP2, token, holder, 0)
	if err != nil || at == nil {
		t.Fatalf("%s: %v", token, err)
	}
	x.chain.Call(t, "anvil_setStorageAt", at.contract.String(), at.slot.String(), wordHex(units))
}

// odd are the tokens that cannot be swapped in the usual way.
var odd = []string{"TAX", "TRAP"}

func TestTheLocalExchangesPayExactlyThePlan(t *testing.T) {
	x, s := localExchanges(t), NewSimulator(nil)
	s.connect = x.connect
	random := rand.New(rand.NewPCG(20, 26))
	var symbols []string
	for symbol := range x.named {
		symbols = append(symbols, symbol)
	}
	slices.Sort(symbols)
	swapped, refused := 0, 0
	for range 150 {
		sold, bought := symbols[random.IntN(len(symbols))], symbols[random.IntN(len(symbols))]
		from, to := x.named[sold], x.named[bought]
		v := x.now(t, from, to)
		in, knownIn := v.Token(from)
		out, knownOut := v.Token(to)
		if !knownIn || !knownOut || in == out {
			continue
		}
		amount := new(uint256.Int).Lsh(uint256.NewInt(1), uint(20+random.IntN(50)))
		amount.AddUint64(amount, random.Uint64N(1_000_000))
		request := route.Request{From: in, To: out, Amount: *amount, WholePaths: true}
		if venue := random.IntN(1 + len(v.Chain.Venues)); venue < len(v.Chain.Venues) {
			request.Venues = []route.Venue{route.Venue(venue)}
		}
		plan, err := v.Graph.Search(t.Context(), request)
		if errors.Is(err, route.ErrNoRoute) || errors.Is(err, route.ErrDust) || errors.Is(err, route.ErrNoLiquidity) {
			continue
		}
		if err != nil {
			t.Fatalf("%s of %s for %s: %v", amount, sold, bought, err)
		}
		account, recipient := x.account(t), x.account(t)
		o := order(v, plan, from, to, account)
		o.Recipient = recipient
		calls, outcome, err := s.Confirm(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(odd, sold) || slices.Contains(odd, bought) {
			if bought != "TRAP" && (!outcome.Refused || sold != "TRAP" && outcome.Fee == nil) {
				t.Errorf("%s of %s for %s: got %+v", amount, sold, bought, outcome)
			}
			refused++
			continue
		}
		if !outcome.Confirmed || !outcome.Paid.Eq(&plan.Out) {
			t.Fatalf("%s of %s for %s: got %+v, want %s", amount, sold, bought, outcome, &plan.Out)
		}
		x.fund(t, s, from, account, amount)
		for _, approval := range Approvals(o) {
			x.mustSend(t, account, approve(from, approval.Spender, approval.Amount))
		}
		before := x.balance(t, to, recipient)
		x.wait(t)
		gas, ok := x.send(t, account, calls...)
		paid := new(uint256.Int).Sub(x.balance(t, to, recipient), before)
		if !ok || !paid.Eq(&plan.Out) || gas > outcome.Gas {
			t.Errorf("%s of %s for %s: paid %s with %d gas, planned %s with %d", amount, sold, bought, paid, gas, &plan.Out, outcome.Gas)
		}
		swapped++
	}
	if swapped < 20 || refused < 3 {
		t.Errorf("only %d were swapped and %d refused: the test has lost its subject", swapped, refused)
	}
}

// A pool of Algebra computes its fee in the first swap of each block, from the trades of the last day. After trades and
// pauses of any length, the amount planned at a block must be the amount that the contract pays there.
func TestAnAlgebraPoolPaysExactlyThePlanWhateverItsFee(t *testing.T) {
	x, s := localExchanges(t), NewSimulator(nil)
	s.connect = x.connect
	random := rand.New(rand.NewPCG(30, 26))
	symbols := []string{"tGOLD", "tDAI", "WETH", "ETH"}
	fees := map[uint32]bool{}
	compared := 0
	for range 60 {
		sold, bought := symbols[random.IntN(len(symbols))], symbols[random.IntN(len(symbols))]
		from, to := x.named[sold], x.named[bought]
		v := x.now(t, from, to)
		venue := route.Venue(slices.IndexFunc(v.Chain.Venues, func(v dex.Venue) bool { return v.Kind == dex.AlgebraRouter }))
		in, _ := v.Token(from)
		out, _ := v.Token(to)
		if in == out {
			continue
		}
		amount := new(uint256.Int).Lsh(uint256.NewInt(1+random.Uint64N(1<<10)), uint(30+random.IntN(29)))
		if sold == "tGOLD" {
			amount.Rsh(amount, 24)
		}
		plan, err := v.Graph.Search(t.Context(), route.Request{From: in, To: out, Amount: *amount, Venues: []route.Venue{venue}})
		if errors.Is(err, route.ErrDust) || errors.Is(err, route.ErrNoLiquidity) || errors.Is(err, route.ErrRequest) {
			continue
		}
		if err != nil {
			t.Fatalf("%s to %s: %v", sold, bought, err)
		}
		account := x.account(t)
		o := order(v, plan, from, to, account)
		x.fund(t, s, from, account, amount)
		calls, outcome, err := s.Confirm(t.Context(), o)
		if err != nil || !outcome.Confirmed || !outcome.Paid.Eq(&plan.Out) {
			t.Fatalf("%s of %s to %s: the chain pays %v, the plan says %s: %s, %v", amount.Dec(), sold, bought, outcome.Paid, plan.Out.Dec(), outcome.Why, err)
		}
		for _, path := range plan.Paths {
			for _, step := range path.Steps {
				fees[v.Fee(step.Pool)] = true
			}
		}
		compared++
		for _, approval := range Approvals(o) {
			x.mustSend(t, account, approve(from, approval.Spender, approval.Amount))
		}
		if _, ok := x.send(t, account, calls...); !ok {
			t.Errorf("%s of %s to %s reverted", amount.Dec(), sold, bought)
		}
		if random.IntN(3) == 0 {
			x.chain.Call(t, "evm_increaseTime", 1<<random.IntN(16))
			x.chain.Call(t, "evm_mine")
		}
	}
	t.Logf("%d swaps, %d different fees", compared, len(fees))
	if compared < 20 || len(fees) < 4 {
		t.Error("the trades have become too tame")
	}
}
