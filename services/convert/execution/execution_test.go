package execution

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// openMarket adds tokens without special behaviour, and pools of both kinds at both exchanges.
func (w *world) openMarket(t *testing.T) *world {
	t.Helper()
	a, b, c := w.token(t, "AAA"), w.token(t, "BBB"), w.token(t, "CCC")
	w.v2(t, both, w.wrapped, 1_000, a, 3_000_000)
	w.v2(t, both, a, 2_000_000, b, 1_000_000)
	w.v2(t, both, b, 500_000, c, 500_000)
	w.v3(t, 3000, w.wrapped, 2_000, a, 6_000_000, 10, 40)
	w.v3(t, 500, a, 4_000_000, b, 2_000_000, 20, 100)
	w.v3(t, 3000, b, 800_000, c, 800_000, 5, 30)
	w.v2(t, harbour, w.wrapped, 700, a, 2_090_000)
	w.v2(t, harbour, a, 900_000, c, 450_000)
	return w
}

// anyPlan sells random shares along random paths, each within one venue, so that plans which no search would find are
// tested too.
func (w *world) anyPlan(random *rand.Rand, v *pools.View, from, to route.Token, sold *uint256.Int) (route.Plan, error) {
	var plan route.Plan
	paths := w.paths(v, from, to, nil)
	left := sold.Clone()
	for n := 1 + random.IntN(4); n > 0; n-- {
		path := route.Path{In: *left, Steps: paths[random.IntN(len(paths))]}
		if n > 1 {
			path.In.Div(left, uint256.NewInt(2+random.Uint64N(3)))
			left.Sub(left, &path.In)
		}
		plan.Paths = append(plan.Paths, path)
	}
	return v.Graph.Replay(plan)
}

// paths lists all paths of up to three pools of one venue that visit no token twice.
func (w *world) paths(v *pools.View, from, to route.Token, walked []route.Step) [][]route.Step {
	var all [][]route.Step
	at := from
	if len(walked) > 0 {
		at = walked[len(walked)-1].To
	}
	for i, p := range w.pools {
		token0, _ := v.Token(p.Token0)
		token1, _ := v.Token(p.Token1)
		step := route.Step{Pool: i, ZeroForOne: at == token0, From: at, To: token1}
		if at == token1 {
			step.To = token0
		}
		visited := slices.ContainsFunc(walked, func(s route.Step) bool { return s.From == step.To })
		if at != token0 && at != token1 || visited || len(walked) > 0 && v.Pool(walked[0].Pool).Venue != p.Venue {
			continue
		}
		path := append(slices.Clone(walked), step)
		switch {
		case step.To == to:
			all = append(all, path)
		case len(path) < 3:
			all = append(all, w.paths(v, from, to, path)...)
		}
	}
	return all
}

// shape returns the kind of a plan, so that a test can check that all kinds occurred.
func shape(v *pools.View, p route.Plan) (many, mixed, batch bool) {
	for _, path := range p.Paths {
		first := v.Pool(path.Steps[0].Pool)
		for _, s := range path.Steps {
			mixed = mixed || v.Pool(s.Pool).Kind != first.Kind
		}
	}
	return len(p.Paths) > 1, mixed, len(Spenders(v, p)) > 1
}

func TestSimulatedAndPaidOutputEqualThePlan(t *testing.T) {
	w, a, b, c := market(t)
	s := NewSimulator(w.connect)
	random := rand.New(rand.NewPCG(4, 2))
	ends := []evm.Address{evm.Native, w.wrapped, a, b, c}
	seen := map[string]int{}
	for trial := range 60 {
		from, to := ends[random.IntN(len(ends))], ends[random.IntN(len(ends))]
		v := w.view(t)
		in, _ := v.Token(from)
		out, _ := v.Token(to)
		if in == out {
			continue
		}
		sold := uint256.NewInt(1 + random.Uint64N(1e18))
		sold.Mul(sold, uint256.NewInt([]uint64{1, 10, 1_000}[random.IntN(3)]))
		var plan route.Plan
		var err error
		switch trial % 3 {
		case 0:
			if plan, err = w.anyPlan(random, v, in, out, sold); errors.Is(err, route.ErrStale) {
				continue // the previous trades have exhausted a pool
			}
		case 1:
			plan, err = w.plan(t, v, from, to, sold, within(both))
		case 2:
			plan, err = w.plan(t, v, from, to, sold, func(r *route.Request) { r.WholePaths = true })
		}
		if err != nil {
			t.Fatalf("%d: %v", trial, err)
		}
		account, recipient := w.account(t), w.account(t)
		o := order(v, plan, from, to, account)
		o.Recipient = recipient
		calls, outcome, err := s.Confirm(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if !outcome.Confirmed || !outcome.Paid.Eq(&plan.Out) {
			t.Fatalf("%d: the simulation of %d paths paid %v, the plan says %s: %s", trial, len(plan.Paths), outcome.Paid, &plan.Out, outcome.Why)
		}

		w.give(t, from, account, sold)
		for _, approval := range Approvals(o) {
			w.mustSend(t, account, approve(from, approval.Spender, approval.Amount))
		}
		before := w.balance(t, to, recipient)
		w.wait(t)
		gas, ok := w.send(t, account, calls...)
		if !ok {
			t.Fatalf("%d: the swap reverted", trial)
		}
		if paid := new(uint256.Int).Sub(w.balance(t, to, recipient), before); !paid.Eq(&plan.Out) {
			t.Fatalf("%d: paid %s, planned %s", trial, paid, &plan.Out)
		}
		if gas > outcome.Gas || outcome.Gas > gas*17/10 {
			t.Errorf("%d: the swap used %d gas, the limit was to be %d", trial, gas, outcome.Gas)
		}
		if from != evm.Native && !w.balance(t, from, account).IsZero() {
			t.Errorf("%d: %s of the sold token were left", trial, w.balance(t, from, account))
		}
		many, mixed, batch := shape(v, plan)
		for kind, is := range map[string]bool{
			"several paths": many, "v2 and v3 on one path": mixed, "several routers": batch,
			"native currency sold": from == evm.Native, "native currency bought": to == evm.Native,
		} {
			if is {
				seen[kind]++
			}
		}
	}
	for _, kind := range []string{"several paths", "v2 and v3 on one path", "several routers", "native currency sold", "native currency bought"} {
		if seen[kind] < 3 {
			t.Errorf("%s: only %d plans were so: the test has lost its subject", kind, seen[kind])
		}
	}
}

func (w *world) mustSend(t *testing.T, from evm.Address, calls ...Call) {
	t.Helper()
	if _, ok := w.send(t, from, calls...); !ok {
		t.Fatal("a transaction reverted")
	}
}

func TestTheNativeCurrencyIsWrappedOneToOne(t *testing.T) {
	w := newWorld(t)
	v, s, account := w.view(t), NewSimulator(w.connect), w.account(t)
	plan := route.Plan{In: *uint256.NewInt(12345), Out: *uint256.NewInt(12345)}
	for _, pair := range [][2]evm.Address{{evm.Native, w.wrapped}, {w.wrapped, evm.Native}} {
		o := order(v, plan, pair[0], pair[1], account)
		calls, outcome, err := s.Confirm(t.Context(), o)
		if err != nil || !outcome.Confirmed || outcome.Paid.Uint64() != 12345 {
			t.Fatalf("got %+v %v", outcome, err)
		}
		if len(Approvals(o)) != 0 {
			t.Error("the wrapper needs no approval")
		}
		before := w.balance(t, w.wrapped, account)
		w.mustSend(t, account, calls...)
		if after := w.balance(t, w.wrapped, account); after.Eq(before) {
			t.Error("nothing was wrapped")
		}
		o.Recipient = w.account(t)
		if _, err := Build(o); !errors.Is(err, ErrWrapRecipient) {
			t.Errorf("for somebody else: got %v, want ErrWrapRecipient", err)
		}
	}
}

func TestRoutersEnforceMinimumAndDeadline(t *testing.T) {
	w, a, _, c := market(t)
	s := NewSimulator(w.connect)
	v := w.view(t)
	sold := uint256.NewInt(1e18)
	plans := map[string]func(*route.Request){
		"one router":     within(both),
		"a plain router": within(harbour),
		"several routers": func(r *route.Request) {
			r.WholePaths = true
			r.Amount = *uint256.MustFromDecimal("200000000000000000000000")
		},
	}
	for name, change := range plans {
		for _, to := range []evm.Address{c, evm.Native} {
			plan, err := w.plan(t, v, a, to, sold, change)
			if err != nil {
				t.Fatal(err)
			}
			account := w.account(t)
			o := order(v, plan, a, to, account)
			w.give(t, a, account, &plan.In)
			for _, approval := range Approvals(o) {
				w.mustSend(t, account, approve(a, approval.Spender, approval.Amount))
			}
			over := o
			over.MinOut = new(uint256.Int).AddUint64(&plan.Out, 1)
			late := o
			late.Deadline = v.Block.Time.Add(-1)
			for fault, o := range map[string]Order{"a unit more than it pays": over, "after its deadline": late} {
				calls, outcome, err := s.Confirm(t.Context(), o)
				if err != nil || outcome.Confirmed || outcome.Why == "" {
					t.Errorf("%s, %s: the simulation says %+v %v", name, fault, outcome, err)
				}
				if _, ok := w.send(t, account, calls...); ok {
					t.Errorf("%s, %s: the swap went through", name, fault)
				}
			}
		}
	}
}
