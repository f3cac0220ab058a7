package execution

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/evm"
)

// Why an order cannot be built.
var (
	// ErrVenues: a path of the plan goes through pools of several venues, which no router can walk.
	ErrVenues = errors.New("a path leaves its venue")
	// ErrKind: the venue's router cannot trade a pool of the plan.
	ErrKind = errors.New("the router cannot trade this kind of pool")
	// ErrPermitRefused: the plan is not one call of a router that hands permits in.
	ErrPermitRefused = errors.New("the route cannot carry a permit")
	// ErrUniversal: the UniversalRouter is asked to sell a token, or the chain has none.
	ErrUniversal = errors.New("the UniversalRouter sells the own currency only")
	// ErrReferral: no router lets anyone take so much.
	ErrReferral = errors.New("a referral takes from 1 to 100 hundredths of a percent")
	// ErrWrapRecipient: the wrapper pays only whoever calls it.
	ErrWrapRecipient = errors.New("wrapping pays only the sender")
)

// Order is a plan to be carried out.
type Order struct {
	View *pools.View
	// Universal says that the chain's UniversalRouter carries the plan out, whose paths may change between its venues; it sells the own currency
	// only. Otherwise each path goes to the router of its venue.
	Universal bool
	// Plan has no paths where the own currency is wrapped or unwrapped: only In and Out.
	Plan route.Plan
	// From and To are the sold and the bought token; evm.Native for the own currency.
	From, To evm.Address
	// Sender makes the calls and pays; Recipient is paid.
	Sender, Recipient evm.Address
	// MinOut is the least that the recipient accepts, in base units, after the referral's fee.
	MinOut *uint256.Int
	// Deadline is until when the swap may be mined.
	Deadline time.Time
	// Permit stands for the approval; nil where none is signed.
	Permit *Permit
	// Referral is what the operator takes; nil for nothing.
	Referral *Referral
}

// Build returns the calls that carry the order out: one for a plan within one venue that one call of its router can walk, else a batch, in which
// each call is held to its share of the minimum. The approvals before them are the caller's: [Approvals] tells.
func Build(o Order) ([]Call, error) {
	if r := o.Referral; r != nil && (r.BPS == 0 || r.BPS > maxReferralBPS) {
		return nil, ErrReferral
	}
	if call, ok, err := o.wrap(); ok || err != nil {
		return []Call{call}, err
	}
	if o.Universal && (o.View.Chain.Universal == nil || o.From != evm.Native) {
		return nil, ErrUniversal
	}
	swaps, err := o.swaps()
	if err != nil {
		return nil, err
	}
	var calls []Call
	for _, s := range swaps {
		if o.Universal {
			calls = append(calls, universalRouter(s))
			continue
		}
		switch o.View.Chain.Venues[s.venue].Kind {
		case venues.SwapRouter02:
			calls = append(calls, swapRouter02(s))
		case venues.V3Router:
			calls = append(calls, v3Router(s))
		case venues.AlgebraRouter:
			calls = append(calls, algebraRouter(s))
		case venues.V2Router:
			calls = append(calls, v2Router(s)...)
		default:
			return nil, ErrKind
		}
	}
	if o.Permit != nil && (len(calls) != 1 || !o.carriesPermit()) {
		return nil, ErrPermitRefused
	}
	return calls, nil
}

// wrap is the call of the wrapper, where the order is nothing else.
func (o Order) wrap() (Call, bool, error) {
	wrapped := o.View.Chain.Wrapped
	deposit, withdraw := o.From == evm.Native && o.To == wrapped, o.From == wrapped && o.To == evm.Native
	if !deposit && !withdraw {
		return Call{}, false, nil
	}
	if o.Recipient != o.Sender {
		return Call{}, false, ErrWrapRecipient
	}
	if deposit {
		return Call{To: wrapped, Data: encodeCall("deposit()"), Value: o.Plan.In.Clone()}, true, nil
	}
	return Call{To: wrapped, Data: encodeCall("withdraw(uint256)", &o.Plan.In), Value: new(uint256.Int)}, true, nil
}

// swaps parts the plan by venue, in the order in which the plan comes to them. A pool belongs to one venue, so that what one venue's paths
// do changes nothing for another's.
func (o Order) swaps() ([]*swap, error) {
	var all []*swap
	byVenue := map[int]*swap{}
	for _, path := range o.Plan.Paths {
		l, venue, err := o.leg(path)
		if err != nil {
			return nil, err
		}
		if o.Universal {
			venue = universalVenue
		}
		s, ok := byVenue[venue]
		if !ok {
			s = o.swap(venue)
			byVenue[venue] = s
			all = append(all, s)
		}
		s.legs = append(s.legs, l)
	}
	if len(all) == 0 {
		return nil, route.ErrNoRoute
	}
	outputs := make([]*uint256.Int, len(all))
	for i, s := range all {
		outputs[i] = s.out()
	}
	for i, minimum := range share(o.MinOut, outputs) {
		all[i].minimum = minimum
	}
	return all, nil
}

// universalVenue stands for the venues of the UniversalRouter, whose paths are one swap.
const universalVenue = -1

func (o Order) swap(venue int) *swap {
	s := &swap{
		venue: venue, payNative: o.From == evm.Native, getNative: o.To == evm.Native,
		recipient: o.Recipient, deadline: uint64(o.Deadline.Unix()), permit: o.Permit, referral: o.Referral,
	}
	if o.Universal {
		s.router = o.View.Chain.Universal.Router
	} else {
		s.router, s.spelling = o.View.Chain.Venues[venue].Router, o.View.Chain.Venues[venue].Native
	}
	return s
}

// takesFee says whether the swap's router can pay a referral.
func (o Order) takesFee(s *swap) bool {
	return o.Universal || o.View.Chain.Venues[s.venue].Kind != venues.V2Router
}

// leg reads a path and which venue it stays in.
func (o Order) leg(p route.Path) (leg, int, error) {
	l := leg{in: p.In.Clone(), out: p.Out.Clone()}
	venue := -1
	for _, step := range p.Steps {
		pool := o.View.Pool(step.Pool)
		switch {
		case o.Universal && !slices.Contains(o.View.Chain.Universal.Venues, pool.Venue), !o.Universal && venue >= 0 && pool.Venue != venue:
			return leg{}, 0, ErrVenues
		}
		venue = pool.Venue
		v := o.View.Chain.Venues[venue]
		if !slices.Contains(walked[v.Kind], pool.Kind) {
			return leg{}, 0, fmt.Errorf("%w: %s", ErrKind, v.Name)
		}
		l.hops = append(l.hops, hop{
			concentrated: pool.Kind != pools.V2, fee: pool.Fee,
			from: o.View.Address(step.From), to: o.View.Address(step.To),
		})
	}
	if len(l.hops) == 0 {
		return leg{}, 0, route.ErrNoRoute
	}
	return l, venue, nil
}

// walked is which kinds of pools a kind of router trades.
var walked = map[venues.Kind][]pools.Kind{
	venues.SwapRouter02: {pools.V2, pools.V3}, venues.V2Router: {pools.V2}, venues.V3Router: {pools.V3}, venues.AlgebraRouter: {pools.Algebra},
}

// carriesPermit says whether the plan's one router can hand a permit to the sold token.
func (o Order) carriesPermit() bool {
	if o.From == evm.Native || len(Spenders(o.View, o.Plan)) != 1 {
		return false
	}
	first := o.View.Pool(o.Plan.Paths[0].Steps[0].Pool)
	return TakesPermits(o.View.Chain.Venues[first.Venue].Kind)
}

// TakesPermits says whether a kind of router can hand a permit (EIP-2612) to a token.
func TakesPermits(kind venues.Kind) bool { return kind != venues.V2Router }

// Spenders lists the routers that a plan's calls go to, in the plan's order. Each must be allowed to take its part of the sold token.
func Spenders(v *pools.View, p route.Plan) []evm.Address {
	var all []evm.Address
	for _, a := range approvals(v, p) {
		all = append(all, a.Spender)
	}
	return all
}

// Approvals lists what the order's routers must be allowed to take, exactly; nothing where the own currency is sold or unwrapped, or a
// permit stands for it.
func Approvals(o Order) []Approval {
	if o.From == evm.Native || o.Permit != nil {
		return nil
	}
	return approvals(o.View, o.Plan)
}

func approvals(v *pools.View, p route.Plan) []Approval {
	var all []Approval
	places := map[evm.Address]int{}
	for _, path := range p.Paths {
		if len(path.Steps) == 0 {
			continue
		}
		router := v.Chain.Venues[v.Pool(path.Steps[0].Pool).Venue].Router
		i, ok := places[router]
		if !ok {
			i = len(all)
			places[router] = i
			all = append(all, Approval{Spender: router, Amount: new(uint256.Int)})
		}
		all[i].Amount.Add(all[i].Amount, &path.In)
	}
	return all
}
