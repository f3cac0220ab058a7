package engine

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
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// attempts bounds how many plans are simulated for one offer.
	attempts = 3
	// newestTimeout bounds the check, after a failed simulation, whether the block of the plan is still the newest.
	newestTimeout = 500 * time.Millisecond
	// wrapGas is the maximum gas of wrapping the native currency, in units.
	wrapGas = 60_000
)

// candidate is a plan and its executor.
type candidate struct {
	executor
	plan route.Plan
	// permitGas is the gas of a permit that the swap may have to begin with, in units.
	permitGas uint64
	net       float64
}

// errSuperseded is the error of a simulation at a block that is not part of the chain any more.
var errSuperseded = errors.New("the block is not the newest any more")

// offer returns the best offer of the chain's pools, and the view in which it was found. That is a newer view than the
// given one if the chain replaced the given view's block before the simulation.
func (e *Engine) offer(ctx context.Context, view *pools.View, s Swap, gas GasTerms) (Offer, *pools.View, error) {
	if wraps(view.Chain, s) {
		o, err := e.wrapped(ctx, view, s, gas)
		return o, view, err
	}
	newest := view
	o, err := e.offerAt(ctx, view, s, gas, func() bool {
		newest = e.newest(ctx, view, s)
		return newest.Block.Hash != view.Block.Hash
	})
	if errors.Is(err, errSuperseded) {
		o, err = e.offerAt(ctx, newest, s, gas, func() bool { return false })
	}
	return o, newest, err
}

// newest returns the chain's newest view, or the given one if that takes longer than newestTimeout.
func (e *Engine) newest(ctx context.Context, view *pools.View, s Swap) *pools.View {
	ctx, cancel := context.WithTimeout(ctx, newestTimeout)
	defer cancel()
	if newest, err := e.Views.View(ctx, s.ChainID, s.From, s.To); err == nil {
		return newest
	}
	return view
}

// offerAt returns the best offer of a view, net of gas, once its simulation passes. After a failed simulation it searches again without the plan's pools,
// or fails with errSuperseded if the view's block was replaced.
func (e *Engine) offerAt(ctx context.Context, view *pools.View, s Swap, gas GasTerms, replaced func() bool) (Offer, error) {
	var rejected rejected
	var refused error
	for range attempts {
		c, err := e.best(ctx, view, s, gas, rejected)
		if err != nil {
			return Offer{}, cmp.Or(refused, err)
		}
		o, outcome, err := e.simulate(ctx, view, s, gas, c)
		switch {
		case err != nil:
			return Offer{}, err
		case outcome.Confirmed:
			return o, nil
		case replaced():
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

// rejected holds what failed in a simulation.
type rejected struct {
	pools     map[int]bool
	universal bool
}

// add rejects the candidate's pools; or the UniversalRouter alone, whose factories cannot be checked beforehand.
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

// best returns the plan that leaves most after gas among the executors that the account can use.
func (e *Engine) best(ctx context.Context, view *pools.View, s Swap, gas GasTerms, refused rejected) (candidate, error) {
	from, knownFrom := view.Token(s.From)
	to, knownTo := view.Token(s.To)
	if !knownFrom || !knownTo {
		return candidate{}, route.ErrNoRoute
	}
	request := route.Request{From: from, To: to, Amount: *s.Amount, Exclude: refused.pools}
	if native, ok := view.Token(evm.Native); ok {
		request.Gas = &route.GasCost{Price: *gas.Expected, Native: native}
	}
	gasValue := valueOfGas(view, s, gas)
	var all []candidate
	failure := ErrUnknownSource
	for _, x := range executors(view.Chain, s, refused.universal) {
		plan, err := view.Graph.Search(ctx, x.restrict(request))
		if err != nil {
			failure = moreSpecific(failure, err)
			continue
		}
		c := candidate{executor: x, plan: plan}
		// Which allowance of Permit2 is stored is known only when the transaction is built.
		if x.universal && !s.sellsNative() && s.Only == nil {
			c.permitGas = execution.PermitGas
		}
		c.net = plan.Out.Float64() - gasValue*float64(plan.Gas+c.permitGas)
		all = append(all, c)
	}
	if len(all) == 0 {
		return candidate{}, failure
	}
	return slices.MaxFunc(all, func(a, b candidate) int { return cmp.Compare(a.net, b.net) }), nil
}

// moreSpecific prefers an error about the amount to one about the route.
func moreSpecific(known, err error) error {
	if errors.Is(known, route.ErrNoLiquidity) || errors.Is(known, route.ErrDust) {
		return known
	}
	return err
}

// executor is a router that may execute a swap, or a batch of calls to several.
type executor struct {
	id     SourceID
	venues []route.Venue
	// universal says that the router is the chain's UniversalRouter.
	universal bool
	// single says that the router takes one path a call.
	single bool
}

func (x executor) restrict(r route.Request) route.Request {
	if x.id.Batch {
		r.WholePaths = true
		return r
	}
	r.Venues = x.venues
	if x.single {
		r.MaxPaths = 1
	}
	return r
}

// executors lists the executors that the swap may use, without the UniversalRouter if that is rejected.
func executors(chain dex.Chain, s Swap, rejectUniversal bool) []executor {
	var all []executor
	for i, v := range chain.Venues {
		x := executor{id: SourceID{Source: Onchain, Venue: v.Name}, venues: []route.Venue{route.Venue(i)}, single: v.Kind == dex.V2Router}
		allowed := s.Only == nil && (i == 0 || s.AnySpender || s.sellsNative())
		if allowed || s.Only != nil && *s.Only == x.id {
			all = append(all, x)
		}
	}
	if u := chain.Universal; u != nil && !rejectUniversal && (s.sellsNative() || !s.Batch && (s.Permit2 || s.Only != nil)) {
		x := executor{id: SourceID{Source: Onchain, Venue: u.Name}, universal: true}
		for _, place := range u.Venues {
			x.venues = append(x.venues, route.Venue(place))
		}
		if s.Only == nil || *s.Only == x.id {
			all = append(all, x)
		}
	}
	batch := SourceID{Source: Onchain, Batch: true}
	if s.Batch && s.Only == nil || s.Only != nil && *s.Only == batch {
		all = append(all, executor{id: batch})
	}
	return all
}

// simulate builds a candidate's calls and simulates them at the view's block.
func (e *Engine) simulate(ctx context.Context, view *pools.View, s Swap, gas GasTerms, c candidate) (Offer, execution.Outcome, error) {
	order := e.order(view, s, c.plan)
	order.Universal = c.universal
	fee := order.Fee()
	out := new(uint256.Int).Sub(&c.plan.Out, fee)
	if !s.keeps(out) {
		return Offer{}, execution.Outcome{}, ErrPriceMoved
	}
	order.MinOut = s.minimum(out)
	calls, outcome, err := e.Simulator.Confirm(ctx, order)
	if calls == nil {
		return Offer{}, execution.Outcome{}, err
	}
	if err != nil {
		outcome = unanswered
	}
	o := Offer{
		ID: c.id, Out: out, Min: order.MinOut, Fee: fee, Gas: cmp.Or(outcome.Gas, c.plan.Gas) + c.permitGas, GasPrice: gas.Price,
		Confirmed: outcome.Confirmed, Because: outcome.Why, Cause: outcome.Cause, Detail: outcome.Detail, Block: view.Block.Number, BoundBPS: &c.plan.BoundBPS, RouterBoundBPS: &c.plan.AllowedBoundBPS,
		Impact: impact(c.plan), Route: paths(view, c.plan), Calls: calls, Deadline: order.Deadline, net: c.net,
		approvals: execution.Approvals(order), reset: outcome.Reset,
	}
	if len(o.approvals) == 1 && !c.id.Batch {
		o.Spender = o.approvals[0].Spender
	}
	return o, outcome, nil
}

// unanswered is the outcome of a simulation that no node answered.
var unanswered = execution.Outcome{Cause: execution.Unanswered, Why: "no node simulated it"}

// clockAhead bounds how far a chain's clock may be ahead of ours: a node cannot extend a swap's deadline beyond it.
const clockAhead = 2 * time.Minute

// chainTime returns the chain's time: ours, or that of its newest block if it is later, at most clockAhead.
func chainTime(now, block time.Time) time.Time {
	switch {
	case block.After(now.Add(clockAhead)):
		return now.Add(clockAhead)
	case block.After(now):
		return block
	}
	return now
}

func (e *Engine) order(view *pools.View, s Swap, plan route.Plan) execution.Order {
	sender := s.User
	if sender == (evm.Address{}) {
		sender = placeholder
	}
	now := chainTime(e.Clock.Now(), view.Block.Time)
	return execution.Order{
		View: view, Plan: plan, From: s.From, To: s.To, Sender: sender, Recipient: sender,
		Deadline: now.Add(e.Lifetime), Permit: s.Permit, Referral: e.Referral,
	}
}

// placeholder is the sender of a simulation if no account is connected.
var placeholder = evm.MustAddress("0x5a4a11e7000000000000000000000000a17b0d1e")

// wraps reports whether the swap only wraps or unwraps the native currency.
func wraps(chain dex.Chain, s Swap) bool {
	return s.From == evm.Native && s.To == chain.Wrapped || s.From == chain.Wrapped && s.To == evm.Native
}

// wrapped returns the offer of the wrapper, one for one.
func (e *Engine) wrapped(ctx context.Context, view *pools.View, s Swap, gas GasTerms) (Offer, error) {
	if s.Only != nil && *s.Only != wrapper {
		return Offer{}, ErrUnknownSource
	}
	o := e.order(view, s, route.Plan{In: *s.Amount, Out: *s.Amount})
	o.MinOut = s.Amount
	calls, outcome, err := e.Simulator.Confirm(ctx, o)
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
		Confirmed: outcome.Confirmed, Because: outcome.Why, Cause: outcome.Cause, Detail: outcome.Detail, Block: view.Block.Number, BoundBPS: &exact, RouterBoundBPS: &exact, Impact: &exact,
		Route: []Path{{Share: 100, Hops: []Hop{{Pool: view.Chain.Wrapped, Kind: "wrap", From: s.From, To: s.To}}}},
		Calls: calls, Deadline: o.Deadline, net: s.Amount.Float64(),
	}, nil
}

// wrapper is the source of offers that wrap or unwrap the native currency.
var wrapper = SourceID{Source: Onchain}

// impact returns the price impact in percent, or nil if the price before the trade is not known.
func impact(p route.Plan) *float64 {
	if p.SpotOut.IsZero() {
		return nil
	}
	percent := max(0, 100*(1-p.Out.Float64()/p.SpotOut.Float64()))
	return &percent
}

// paths describes a plan for display.
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
