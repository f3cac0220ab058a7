package route

import (
	"errors"

	"github.com/holiman/uint256"
)

// Errors of searches and replays.
var (
	// ErrNoRoute: no pools connect the two tokens within the hops, the venue and the exclusions of the request.
	ErrNoRoute = errors.New("no route between the tokens")
	// ErrNoLiquidity: there is a route, but not for the whole amount.
	ErrNoLiquidity = errors.New("the pools cannot take so much")
	// ErrDust: the amount is too small to be paid anything.
	ErrDust = errors.New("the amount is paid nothing")
	// ErrRequest: a token is not in the graph, a token is traded for itself, or the amount is zero.
	ErrRequest = errors.New("the graph cannot serve the request")
	// ErrStale: a pool of the plan no longer takes its share.
	ErrStale = errors.New("the plan does not fit the graph")
)

const (
	// searchedHops is the most pools on a path of a request without MaxHops.
	searchedHops = 3
	// longestPath is the most pools on a path that is joined of two.
	longestPath = 6
)

// Request is a trade of an exact input.
type Request struct {
	From, To Token
	// Amount is sold, in base units of From.
	Amount uint256.Int
	// MaxHops bounds the pools on one path, from 1 to 4. If it is 0, paths of up to 3 pools are searched, and may be
	// joined to longer ones.
	MaxHops int
	// MaxPools bounds the steps of the whole plan, and MaxPaths its paths, because some routers take only one. 0 means
	// no bound.
	MaxPools, MaxPaths int
	// Venues restricts the plan to a set of venues, between which a path may change; nil allows any.
	Venues []Venue
	// WholePaths keeps each path within one venue.
	WholePaths bool
	// Exclude holds the indexes of pools that must not be used; the bound excludes them too.
	Exclude map[int]bool
	// Gas is the price of gas: plans are compared by their output after gas. Nil if gas is free.
	Gas *GasCost
}

// venues is the set that the request allows.
func (r *Request) venues() venueSet {
	if r.Venues == nil {
		return allVenues
	}
	return venuesOf(r.Venues...)
}

// GasCost is the price of gas.
type GasCost struct {
	// Price is in wei per unit of gas.
	Price uint256.Int
	// Native is the token whose base unit is a wei.
	Native Token
}

// Plan splits an amount over paths, which are executed in order, each at the state that the one before leaves.
type Plan struct {
	Paths []Path
	// In and Out are the sums of the paths' inputs and outputs, in base units.
	In, Out uint256.Int
	// Gas is the estimated gas of the swaps, in units.
	Gas uint64
	// Bound is a proven upper bound, in base units: no split of the amount over paths through the whole graph has a
	// larger output, with at most MaxHops pools on each path (3 if it is 0), in any venues, without excluded pools,
	// even if paths share pools. With Request.Gas it bounds the output after gas: no plan has an output after gas above
	// Bound less this plan's gas.
	Bound uint256.Int
	// BoundBPS is how far Out is below Bound, in basis points of Bound.
	BoundBPS float64
	// AllowedBoundBPS is how far Out is below the same bound of plans within Request.Venues and Request.WholePaths, in
	// basis points. It is never above BoundBPS; the difference is due to pools that one router cannot trade.
	AllowedBoundBPS float64
	// SpotOut is the output at the marginal prices before the trade, after the pools' fees, in base units: 1 - Out/SpotOut is the price impact.
	SpotOut uint256.Int
}

// Path is a share of the amount, and its pools from the sold to the bought token.
type Path struct {
	In, Out uint256.Int
	Steps   []Step
}

// Step is one pool on a path. Amounts are base units.
type Step struct {
	// Pool is its index in the graph.
	Pool       int
	ZeroForOne bool
	From, To   Token
	In, Out    uint256.Int
}
