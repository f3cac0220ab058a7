package execution

import (
	"encoding/hex"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// The hashes of the creation code of Uniswap's pools.
const (
	pairCodeHash = "96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"
	poolCodeHash = "e34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"
)

// openUniversalMarket adds tokens, v3 pools of one exchange, v2 pools of the other, and a UniversalRouter over both.
func (w *world) openUniversalMarket(t *testing.T) *world {
	t.Helper()
	w.venues[both] = dex.Venue{Name: "Concentrated", Kind: dex.V3Router, Router: evm.MustAddress(w.routers.First), Native: "ETH"}
	a, b, c := w.token(t, "AAA"), w.token(t, "BBB"), w.token(t, "CCC")
	w.v3(t, 3000, w.wrapped, 2_000, a, 6_000_000, 10, 40)
	w.v3(t, 500, a, 4_000_000, b, 2_000_000, 20, 100)
	w.v3(t, 3000, b, 800_000, c, 800_000, 5, 30)
	w.v2(t, harbour, w.wrapped, 700, a, 2_090_000)
	w.v2(t, harbour, a, 900_000, c, 450_000)
	w.v2(t, harbour, a, 2_000_000, b, 1_000_000)
	router := w.uniswap.Contract(t, "universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json",
		word256(t, exchangetest.Permit2(t, w.chain)[2:]), word256(t, w.routers.Wrapped[2:]), word256(t, w.other.V2[2:]), word256(t, w.uniswap.V3[2:]),
		word256(t, pairCodeHash), word256(t, poolCodeHash), new(big.Int), new(big.Int), new(big.Int), new(big.Int))
	w.universal = &dex.Universal{Name: "Universal", Router: evm.MustAddress(router), Venues: []int{both, harbour}}
	return w
}

func word256(t *testing.T, digits string) *big.Int {
	t.Helper()
	raw, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return new(big.Int).SetBytes(raw)
}

// crosses reports whether a path goes through pools of more than one venue.
func crosses(v *pools.View, p route.Plan) bool {
	for _, path := range p.Paths {
		for _, s := range path.Steps {
			if v.Pool(s.Pool).Venue != v.Pool(path.Steps[0].Pool).Venue {
				return true
			}
		}
	}
	return false
}

func TestTheUniversalRouterPaysExactlyThePlanAcrossVenues(t *testing.T) {
	w, a, b, c := universalMarket(t)
	s := NewSimulator(w.connect)
	random := rand.New(rand.NewPCG(11, 26))
	ends := []evm.Address{a, b, c}
	crossed, split, better := 0, 0, 0
	for trial := range 40 {
		to := ends[random.IntN(len(ends))]
		v := w.view(t)
		sold := uint256.NewInt(1 + random.Uint64N(1e18))
		sold.Mul(sold, uint256.NewInt([]uint64{1, 10, 200}[random.IntN(3)]))
		plan, err := w.plan(t, v, evm.Native, to, sold, within(both, harbour))
		if err != nil {
			t.Fatalf("%d: %v", trial, err)
		}
		better++
		for _, venue := range []route.Venue{both, harbour} {
			if alone, err := w.plan(t, v, evm.Native, to, sold, within(venue)); err == nil && !alone.Out.Lt(&plan.Out) {
				better--
				break
			}
		}
		o := order(v, plan, evm.Native, to, w.account(t))
		o.Universal, o.Recipient = true, w.account(t)
		treasury := w.account(t)
		if trial%4 == 0 {
			o.Referral = &Referral{BPS: 50, Recipient: treasury}
			o.MinOut = new(uint256.Int).Sub(&plan.Out, o.Fee())
		}
		if len(Approvals(o)) != 0 {
			t.Fatalf("%d: ether needs an approval", trial)
		}
		calls, outcome, err := s.Confirm(t.Context(), o)
		if err != nil || !outcome.Confirmed || !outcome.Paid.Eq(o.MinOut) || len(calls) != 1 {
			t.Fatalf("%d: the simulation of %d calls says %+v %v, the plan %s", trial, len(calls), outcome, err, o.MinOut)
		}
		w.give(t, evm.Native, o.Sender, sold)
		w.wait(t)
		gas, ok := w.send(t, o.Sender, calls...)
		if paid := w.balance(t, to, o.Recipient); !ok || !paid.Eq(o.MinOut) || gas > outcome.Gas {
			t.Fatalf("%d: paid %s with %d gas, planned %s with %d", trial, paid, gas, o.MinOut, outcome.Gas)
		}
		if fee := w.balance(t, to, treasury); !fee.Eq(o.Fee()) {
			t.Errorf("%d: the operator got %s, want %s", trial, fee, o.Fee())
		}
		if left := w.balance(t, w.wrapped, w.universal.Router); !left.IsZero() {
			t.Errorf("%d: %s stay in the router", trial, left)
		}
		if crosses(v, plan) {
			crossed++
		}
		if len(plan.Paths) > 1 {
			split++
		}
	}
	t.Logf("%d plans crossed venues, %d were split, %d were better than either venue", crossed, split, better)
	if crossed < 5 || split < 10 || better < 20 {
		t.Error("the test has lost its subject")
	}
}

func TestTheUniversalRouterEnforcesMinimumAndDeadline(t *testing.T) {
	w, _, _, c := universalMarket(t)
	s, v, sold := NewSimulator(w.connect), w.view(t), uint256.NewInt(5e18)
	plan, err := w.plan(t, v, evm.Native, c, sold, within(both, harbour))
	if err != nil {
		t.Fatal(err)
	}
	o := order(v, plan, evm.Native, c, w.account(t))
	o.Universal = true
	w.give(t, evm.Native, o.Sender, sold)
	over, late := o, o
	over.MinOut = new(uint256.Int).AddUint64(&plan.Out, 1)
	late.Deadline = v.Block.Time.Add(-1)
	for fault, o := range map[string]Order{"a unit more than it pays": over, "after its deadline": late} {
		calls, outcome, err := s.Confirm(t.Context(), o)
		if err != nil || outcome.Confirmed || outcome.Why == "" {
			t.Errorf("%s: the simulation says %+v %v", fault, outcome, err)
		}
		if _, ok := w.send(t, o.Sender, calls...); ok {
			t.Errorf("%s: the swap went through", fault)
		}
	}
	w.universal.Venues = []int{harbour}
	if _, err := Build(o); !errors.Is(err, ErrVenues) {
		t.Errorf("a venue that the router does not trade: got %v, want ErrVenues", err)
	}
	w.universal = nil
	o.View = w.view(t)
	if _, err := Build(o); !errors.Is(err, ErrUniversal) {
		t.Errorf("no such router: got %v, want ErrUniversal", err)
	}
}
