package execution

import (
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestRoutersPayTheReferral(t *testing.T) {
	w, a, _, c := market(t)
	s, v := NewSimulator(w.connect), w.view(t)
	treasury := w.account(t)
	for _, venue := range []route.Venue{both, harbour} {
		for _, to := range []evm.Address{c, evm.Native} {
			plan, err := w.plan(t, v, a, to, uint256.NewInt(1e18), within(venue))
			if err != nil {
				t.Fatal(err)
			}
			o := order(v, plan, a, to, w.account(t))
			o.Recipient = w.account(t)
			o.Referral = &Referral{BPS: 85, Recipient: treasury}
			net := new(uint256.Int).Sub(&plan.Out, o.Fee())
			o.MinOut = net.Clone()
			if o.Fee().IsZero() != (venue == harbour) {
				t.Errorf("venue %d takes %s", venue, o.Fee())
			}
			calls, outcome, err := s.Confirm(t.Context(), o)
			if err != nil || !outcome.Confirmed || !outcome.Paid.Eq(net) {
				t.Fatalf("venue %d: got %+v %v, want %s", venue, outcome, err, net)
			}
			w.give(t, a, o.Sender, &plan.In)
			w.mustSend(t, o.Sender, approve(a, Approvals(o)[0].Spender, &plan.In))
			before, paid := w.balance(t, to, treasury), w.balance(t, to, o.Recipient)
			w.mustSend(t, o.Sender, calls...)
			if got := new(uint256.Int).Sub(w.balance(t, to, treasury), before); !got.Eq(o.Fee()) {
				t.Errorf("venue %d: the operator got %s, want %s", venue, got, o.Fee())
			}
			if got := new(uint256.Int).Sub(w.balance(t, to, o.Recipient), paid); !got.Eq(net) {
				t.Errorf("venue %d: the recipient got %s, want %s", venue, got, net)
			}
			o.Referral.BPS = 101
			if _, err := Build(o); err == nil {
				t.Error("more than routers allow: want an error")
			}
		}
	}
}

func TestTheFirstSwapRouterTradesItsPools(t *testing.T) {
	w, a, b, _ := market(t)
	w.venues[both] = dex.Venue{Name: "First", Kind: dex.V3Router, Router: evm.MustAddress(w.routers.First), Native: "ETH"}
	s, v := NewSimulator(w.connect), w.view(t)
	constantProduct := map[int]bool{}
	for i := range v.Pools() {
		constantProduct[i] = v.Pool(i).Kind == pools.V2
	}
	for _, ends := range [][2]evm.Address{{evm.Native, b}, {b, evm.Native}, {a, b}} {
		from, _ := v.Token(ends[0])
		to, _ := v.Token(ends[1])
		var steps []route.Step
		for _, path := range w.paths(v, from, to, nil) {
			only := true
			for _, step := range path {
				only = only && !constantProduct[step.Pool] && v.Pool(step.Pool).Venue == both
			}
			if only {
				steps = path
			}
		}
		part := *uint256.NewInt(1e17)
		for _, parts := range []int{1, 3} {
			var plan route.Plan
			for range parts {
				plan.Paths = append(plan.Paths, route.Path{In: part, Steps: steps})
			}
			plan, err := v.Graph.Replay(plan)
			if err != nil {
				t.Fatal(err)
			}
			o := order(v, plan, ends[0], ends[1], w.account(t))
			o.Recipient = w.account(t)
			calls, outcome, err := s.Confirm(t.Context(), o)
			if err != nil || !outcome.Confirmed || !outcome.Paid.Eq(&plan.Out) || len(calls) != 1 {
				t.Fatalf("%d paths: got %+v %v, want %s", parts, outcome, err, &plan.Out)
			}
			w.give(t, ends[0], o.Sender, &plan.In)
			for _, approval := range Approvals(o) {
				w.mustSend(t, o.Sender, approve(ends[0], approval.Spender, approval.Amount))
			}
			before := w.balance(t, ends[1], o.Recipient)
			w.mustSend(t, o.Sender, calls...)
			if paid := new(uint256.Int).Sub(w.balance(t, ends[1], o.Recipient), before); !paid.Eq(&plan.Out) {
				t.Errorf("%d paths: paid %s, planned %s", parts, paid, &plan.Out)
			}
			v = w.view(t)
		}
	}
}
