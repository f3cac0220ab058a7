package execution

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Errors of [Build].
var (
	// ErrVenues: a path goes through pools of venues that no one router trades.
	ErrVenues = errors.New("a path leaves its venue")
	// ErrKind: the venue's router cannot trade a pool of the plan.
	ErrKind = errors.New("the router cannot trade this kind of pool")
	// ErrPermitRefused: the plan is not one call of a router that takes permits.
	ErrPermitRefused = errors.New("the route cannot carry a permit")
	// ErrUniversal: the chain has no UniversalRouter.
	ErrUniversal = errors.New("the chain has no UniversalRouter")
	// ErrReferral: the referral is more than routers pay out.
	ErrReferral = errors.New("a referral takes from 1 to 100 hundredths of a percent")
	// ErrWrapRecipient: the wrapper pays its caller only.
	ErrWrapRecipient = errors.New("wrapping pays only the sender")
)

// Order is a plan to execute, and its terms.
type Order struct {
	View *pools.View
	// Universal says that the chain's UniversalRouter executes the plan, whose paths may change between its venues. It takes sold tokens through Permit2.
	// Otherwise each path is executed by the router of its venue.
	Universal bool
	// Plan has no paths if the native currency is wrapped or unwrapped: only In and Out.
	Plan route.Plan
	// From is the sold token and To the bought one; evm.Native for the native currency.
	From, To evm.Address
	// Sender makes the calls and pays; Recipient receives.
	Sender, Recipient evm.Address
	// MinOut is the least output after the referral, in base units.
	MinOut *uint256.Int
	// Deadline is the latest time of the block.
	Deadline time.Time
	// Permit replaces the approval of a router, or what Permit2 lets the UniversalRouter take; nil if none was signed.
	Permit *Permit
	// Referral is the operator's share; nil for none.
	Referral *Referral
	// paysOut makes routers hold the output and compare it with the minimum before they pay it out.
	paysOut bool
}

// Build returns the calls that execute the order: one call if one router can execute the plan in one call, otherwise a
// batch, in which each call checks its share of the minimum. The calls require the approvals that [Approvals] returns.
func Build(o Order) ([]Call, error) {
	if r := o.Referral; r != nil && (r.BPS == 0 || r.BPS > maxReferralBPS) {
		return nil, ErrReferral
	}
	if call, ok, err := o.wrap(); ok || err != nil {
		return []Call{call}, err
	}
	if o.Universal && o.View.Chain.Universal == nil {
		return nil, ErrUniversal
	}
	if o.Permit != nil && !o.carriesPermit() {
		return nil, ErrPermitRefused
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
		case dex.SwapRouter02:
			calls = append(calls, swapRouter02(s))
		case dex.V3Router:
			calls = append(calls, v3Router(s))
		case dex.AlgebraRouter:
			calls = append(calls, algebraRouter(s))
		case dex.V2Router:
			calls = append(calls, v2Router(s)...)
		default:
			return nil, ErrKind
		}
	}
	if o.Permit != nil && len(calls) != 1 {
		return nil, ErrPermitRefused
	}
	return calls, nil
}

// wrap returns the call of the wrapper, if the order only wraps or unwraps.
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

// swaps groups the plan's paths by router, in the plan's order. A pool belongs to one venue, so the groups do not
// affect each other.
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

// universalVenue is the key of all paths of the UniversalRouter, which are one swap.
const universalVenue = -1

func (o Order) swap(venue int) *swap {
	s := &swap{
		venue: venue, payNative: o.From == evm.Native, getNative: o.To == evm.Native,
		recipient: o.Recipient, deadline: uint64(o.Deadline.Unix()), permit: o.Permit, referral: o.Referral, paysOut: o.paysOut,
	}
	if o.Universal {
		s.router = o.View.Chain.Universal.Router
	} else {
		s.router, s.nativeName = o.View.Chain.Venues[venue].Router, o.View.Chain.Venues[venue].Native
	}
	return s
}

// takesFee reports whether the swap's router pays a referral.
func (o Order) takesFee(s *swap) bool {
	return o.Universal || o.View.Chain.Venues[s.venue].Kind != dex.V2Router
}

// leg translates a path, and returns its venue.
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

// walked maps each kind of router to the kinds of pools that it trades.
var walked = map[dex.Kind][]pools.Kind{
	dex.SwapRouter02: {pools.V2, pools.V3}, dex.V2Router: {pools.V2}, dex.V3Router: {pools.V3}, dex.AlgebraRouter: {pools.Algebra},
}

// carriesPermit reports whether the plan has a single router, which can pass the permit on.
func (o Order) carriesPermit() bool {
	if o.From == evm.Native || o.Universal != (o.Permit.Single != nil) {
		return false
	}
	if o.Universal {
		return true
	}
	if len(Spenders(o.View, o.Plan)) != 1 {
		return false
	}
	first := o.View.Pool(o.Plan.Paths[0].Steps[0].Pool)
	return TakesPermits(o.View.Chain.Venues[first.Venue].Kind)
}

// TakesPermits reports whether a kind of router can pass a permit (EIP-2612) to a token.
func TakesPermits(kind dex.Kind) bool { return kind != dex.V2Router }

// Spenders lists the routers of a plan, in the plan's order. Each needs an allowance for its share of the sold token.
func Spenders(v *pools.View, p route.Plan) []evm.Address {
	var all []evm.Address
	for _, a := range approvals(v, p) {
		all = append(all, a.Spender)
	}
	return all
}

// Approvals lists the exact allowances of the sold token that the order needs: none if the native currency is sold or unwrapped, or if a permit replaces
// the router's; that of Permit2, with or without a permit, if a token is sold through the UniversalRouter.
func Approvals(o Order) []Approval {
	switch {
	case o.From == evm.Native:
		return nil
	case o.throughPermit2():
		return []Approval{{Spender: Permit2, Amount: o.Plan.In.Clone()}}
	case o.Permit != nil:
		return nil
	}
	return approvals(o.View, o.Plan)
}

// throughPermit2 reports whether the order's router takes the sold token through Permit2.
func (o Order) throughPermit2() bool {
	return o.Universal && o.From != evm.Native && len(o.Plan.Paths) > 0
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
