package convert

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// attempts bounds how often a plan that the chain refuses is replaced by another.
	attempts = 3
	// moment is how long a swap that was not confirmed waits to hear whether the chain has left its block.
	moment = 500 * time.Millisecond
	// wrapGas is what the wrapper of the own currency uses at most, in gas.
	wrapGas = 60_000
)

// market finds swaps in a chain's own pools.
type market struct {
	views    Views
	trials   Trials
	clock    clock.Clock
	lifetime time.Duration
	referral *execution.Referral
}

// candidate is a plan and the router, or the batch of several, that would carry it out.
type candidate struct {
	way
	plan route.Plan
	net  float64
}

// errSuperseded says that the chain left the block of a view before a swap could be tried there.
var errSuperseded = errors.New("the block is not the newest any more")

// offer finds the best swap that the pools allow, and says of which view: not of the one that was given, where another block took the place of
// its own before the swap was confirmed.
func (m *market) offer(ctx context.Context, view *pools.View, s Swap, gas GasTerms) (Offer, *pools.View, error) {
	if wraps(view.Chain, s) {
		o, err := m.wrapped(ctx, view, s, gas)
		return o, view, err
	}
	newest := view
	o, err := m.offerAt(ctx, view, s, gas, func() bool {
		newest = m.newest(ctx, view, s)
		return newest.Block.Hash != view.Block.Hash
	})
	if errors.Is(err, errSuperseded) {
		o, err = m.offerAt(ctx, newest, s, gas, func() bool { return false })
	}
	return o, newest, err
}

// newest is the chain's newest view, or the one that was given where that cannot be had in a moment.
func (m *market) newest(ctx context.Context, view *pools.View, s Swap) *pools.View {
	ctx, cancel := context.WithTimeout(ctx, moment)
	defer cancel()
	if newest, err := m.views.View(ctx, s.ChainID, s.From, s.To); err == nil {
		return newest
	}
	return view
}

// offerAt finds the best swap of a view, net of gas, and tries it. What the chain refuses is sought again without the pools in question;
// errSuperseded where that may be because the chain has left the block.
func (m *market) offerAt(ctx context.Context, view *pools.View, s Swap, gas GasTerms, left func() bool) (Offer, error) {
	var rejected rejected
	var refused error
	for range attempts {
		c, err := m.best(ctx, view, s, gas, rejected)
		if err != nil {
			return Offer{}, cmp.Or(refused, err)
		}
		o, outcome, err := m.try(ctx, view, s, gas, c)
		switch {
		case err != nil:
			return Offer{}, err
		case outcome.Confirmed:
			return o, nil
		case left():
			return Offer{}, errSuperseded
		case outcome.Fee != nil:
			return Offer{}, &TakesFeeError{Token: outcome.Fee.Token, BPS: outcome.Fee.BPS}
		case !outcome.Refused:
			return o, nil
		}
		refused = &RevertsError{Why: outcome.Why}
		rejected.add(c)
	}
	return Offer{}, refused
}

// rejected is what the chain has refused.
type rejected struct {
	pools     map[int]bool
	universal bool
}

// add notes the candidate's pools; or the UniversalRouter alone, for which its pools are not to blame: it is not known beforehand what it trades.
func (r *rejected) add(c candidate) {
	if c.universal {
		r.universal = true
		return
	}
	if r.pools == nil {
		r.pools = map[int]bool{}
	}
	for _, path := range c.plan.Paths {
		for _, step := range path.Steps {
			r.pools[step.Pool] = true
		}
	}
}

// best is the plan that leaves most after gas, among what the account can carry out.
func (m *market) best(ctx context.Context, view *pools.View, s Swap, gas GasTerms, refused rejected) (candidate, error) {
	from, knownFrom := view.Token(s.From)
	to, knownTo := view.Token(s.To)
	if !knownFrom || !knownTo {
		return candidate{}, route.ErrNoRoute
	}
	request := route.Request{From: from, To: to, Amount: *s.Amount, Exclude: refused.pools}
	if native, ok := view.Token(evm.Native); ok {
		request.Gas = &route.GasCost{Price: *gas.Expected, Native: native}
	}
	worth := worthOfGas(view, s, gas)
	var all []candidate
	failure := ErrUnknownSource
	for _, w := range ways(view.Chain, s, refused.universal) {
		plan, err := view.Market.Search(ctx, w.on(request))
		if err != nil {
			failure = telling(failure, err)
			continue
		}
		all = append(all, candidate{way: w, plan: plan, net: plan.Out.Float64() - worth*float64(plan.Gas)})
	}
	if len(all) == 0 {
		return candidate{}, failure
	}
	return slices.MaxFunc(all, func(a, b candidate) int { return cmp.Compare(a.net, b.net) }), nil
}

// telling is the failure that says more: that there is a route, but not for so much.
func telling(known, err error) error {
	if errors.Is(known, route.ErrNoLiquidity) || errors.Is(known, route.ErrDust) {
		return known
	}
	return err
}

// way is a router that may carry a swap out, or a batch over several.
type way struct {
	id     SourceID
	venues []route.Venue
	// universal says that the router is the chain's UniversalRouter.
	universal bool
	// single says that the router takes one path only.
	single bool
}

func (w way) on(r route.Request) route.Request {
	if w.id.Batch {
		r.WholePaths = true
		return r
	}
	r.Venues = w.venues
	if w.single {
		r.MaxPaths = 1
	}
	return r
}

// ways lists what may carry the swap out, without the UniversalRouter where that is refused.
func ways(chain venues.Chain, s Swap, refuseUniversal bool) []way {
	var all []way
	for i, v := range chain.Venues {
		w := way{id: SourceID{Source: onchain, Venue: v.Name}, venues: []route.Venue{route.Venue(i)}, single: v.Kind == venues.V2Router}
		asked := s.Only == nil && (i == 0 || s.AnySpender || s.sellsNative())
		if asked || s.Only != nil && *s.Only == w.id {
			all = append(all, w)
		}
	}
	if u := chain.Universal; u != nil && s.sellsNative() && !refuseUniversal {
		w := way{id: SourceID{Source: onchain, Venue: u.Name}, universal: true}
		for _, place := range u.Venues {
			w.venues = append(w.venues, route.Venue(place))
		}
		if s.Only == nil || *s.Only == w.id {
			all = append(all, w)
		}
	}
	batch := SourceID{Source: onchain, Batch: true}
	if s.Batch && s.Only == nil || s.Only != nil && *s.Only == batch {
		all = append(all, way{id: batch})
	}
	return all
}

// try builds a candidate and simulates it at the view's block.
func (m *market) try(ctx context.Context, view *pools.View, s Swap, gas GasTerms, c candidate) (Offer, execution.Outcome, error) {
	order := m.order(view, s, c.plan)
	order.Universal = c.universal
	fee := order.Fee()
	out := new(uint256.Int).Sub(&c.plan.Out, fee)
	if !s.keeps(out) {
		return Offer{}, execution.Outcome{}, ErrPriceMoved
	}
	order.MinOut = s.least(out)
	calls, outcome, err := m.trials.Confirm(ctx, order)
	if calls == nil {
		return Offer{}, execution.Outcome{}, err
	}
	if err != nil {
		outcome = unanswered
	}
	o := Offer{
		ID: c.id, Out: out, Min: order.MinOut, Fee: fee, Gas: cmp.Or(outcome.Gas, c.plan.Gas), GasPrice: gas.Price,
		Confirmed: outcome.Confirmed, Because: outcome.Why, Block: view.Block.Number, BoundBPS: &c.plan.BoundBPS, RouterBoundBPS: &c.plan.AllowedBoundBPS,
		Impact: impact(c.plan), Route: paths(view, c.plan), Calls: calls, Deadline: order.Deadline, net: c.net,
		approvals: execution.Approvals(order), reset: outcome.Reset,
	}
	if len(o.approvals) == 1 && !c.id.Batch {
		o.Spender = o.approvals[0].Spender
	}
	return o, outcome, nil
}

// unanswered is the outcome where no node simulated the swap.
var unanswered = execution.Outcome{Why: "no node simulated it"}

// clockAhead is how far a chain's clock may be ahead of ours. A node that says more gives a swap no longer life.
const clockAhead = 2 * time.Minute

// chainTime is what the chain takes for now: at least our time, and that of its newest block as far as it can be believed.
func chainTime(now, block time.Time) time.Time {
	switch {
	case block.After(now.Add(clockAhead)):
		return now.Add(clockAhead)
	case block.After(now):
		return block
	}
	return now
}

func (m *market) order(view *pools.View, s Swap, plan route.Plan) execution.Order {
	sender := s.User
	if sender == (evm.Address{}) {
		sender = anybody
	}
	now := chainTime(m.clock.Now(), view.Block.Time)
	return execution.Order{
		View: view, Plan: plan, From: s.From, To: s.To, Sender: sender, Recipient: sender,
		Deadline: now.Add(m.lifetime), Permit: s.Permit, Referral: m.referral,
	}
}

// anybody swaps in a simulation for whoever is not connected yet.
var anybody = evm.MustAddress("0x5a4a11e7000000000000000000000000a17b0d1e")

// wraps says whether the swap is nothing but the wrapping or unwrapping of the own currency.
func wraps(chain venues.Chain, s Swap) bool {
	return s.From == evm.Native && s.To == chain.Wrapped || s.From == chain.Wrapped && s.To == evm.Native
}

// wrapped is the offer of the wrapper: one for one.
func (m *market) wrapped(ctx context.Context, view *pools.View, s Swap, gas GasTerms) (Offer, error) {
	if s.Only != nil && *s.Only != wrapper {
		return Offer{}, ErrUnknownSource
	}
	o := m.order(view, s, route.Plan{In: *s.Amount, Out: *s.Amount})
	o.MinOut = s.Amount
	calls, outcome, err := m.trials.Confirm(ctx, o)
	if calls == nil {
		return Offer{}, err
	}
	if err != nil {
		outcome = unanswered
	}
	if outcome.Refused {
		return Offer{}, &RevertsError{Why: outcome.Why}
	}
	exact := 0.0
	return Offer{
		ID: wrapper, Out: s.Amount, Min: s.Amount, Fee: new(uint256.Int), Gas: cmp.Or(outcome.Gas, wrapGas), GasPrice: gas.Price,
		Confirmed: outcome.Confirmed, Because: outcome.Why, Block: view.Block.Number, BoundBPS: &exact, RouterBoundBPS: &exact, Impact: &exact,
		Route: []Path{{Share: 100, Hops: []Hop{{Pool: view.Chain.Wrapped, Kind: "wrap", From: s.From, To: s.To}}}},
		Calls: calls, Deadline: o.Deadline, net: s.Amount.Float64(),
	}, nil
}

// wrapper is who wraps the own currency.
var wrapper = SourceID{Source: onchain}

// impact is how much worse than before the trade, in percent.
func impact(p route.Plan) *float64 {
	if p.SpotOut.IsZero() {
		return nil
	}
	percent := max(0, 100*(1-p.Out.Float64()/p.SpotOut.Float64()))
	return &percent
}

// paths is a plan for display.
func paths(view *pools.View, plan route.Plan) []Path {
	list := make([]Path, len(plan.Paths))
	for i, p := range plan.Paths {
		list[i].Share = 100 * p.In.Float64() / plan.In.Float64()
		for _, step := range p.Steps {
			pool := view.Pool(step.Pool)
			list[i].Hops = append(list[i].Hops, Hop{
				Pool: pool.Address, Venue: view.Chain.Venues[pool.Venue].Name, Kind: pool.Kind.String(), Fee: float64(view.Fee(step.Pool)) / 1e4,
				From: view.Address(step.From), To: view.Address(step.To),
			})
		}
	}
	return list
}
