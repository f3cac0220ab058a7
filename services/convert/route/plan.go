package route

import (
	"errors"

	"github.com/holiman/uint256"
)

// Why there is no plan.
var (
	// ErrNoRoute: no pools connect the two tokens within the hops, the venue and the exclusions of the request.
	ErrNoRoute = errors.New("no route between the tokens")
	// ErrNoLiquidity: there is a route, but not for so much.
	ErrNoLiquidity = errors.New("the pools cannot take so much")
	// ErrDust: the amount is too small to be paid anything.
	ErrDust = errors.New("the amount is paid nothing")
	// ErrRequest: the request names a token outside the graph, trades a token for itself or asks for none of it.
	ErrRequest = errors.New("the request is not of this graph")
	// ErrStale: a plan's pools no longer take its shares.
	ErrStale = errors.New("the plan does not fit the graph")
)

const (
	// searchedHops is how many pools a path goes through at most when a request does not say.
	searchedHops = 3
	// longestPath is how many it may go through at most when paths that were found are joined.
	longestPath = 6
)

// Request asks for a trade of an exact input.
type Request struct {
	From, To Token
	// Amount is what is sold, in base units of From.
	Amount uint256.Int
	// MaxHops bounds the pools on one path, from 1 to 4. At 0 paths of up to 3 are looked for, and may be joined to longer ones.
	MaxHops int
	// MaxPools bounds the steps of the whole plan, and MaxPaths its paths: some routers take one. 0: no bound.
	MaxPools, MaxPaths int
	// Venues keeps the plan within a set of venues, between which a path may change; nil allows any.
	Venues []Venue
	// WholePaths keeps each path within one venue, whichever it is.
	WholePaths bool
	// Exclude are pools that must not be used, by their place; the bound does not count them either.
	Exclude map[int]bool
	// Gas is what gas costs, so that plans are chosen by what is left after it. Nil: nothing.
	Gas *GasCost
}

// venues is the set that the request allows.
func (r *Request) venues() venueSet {
	if r.Venues == nil {
		return allVenues
	}
	return venuesOf(r.Venues...)
}

// GasCost is what a unit of gas costs.
type GasCost struct {
	// Price is wei a unit of gas.
	Price uint256.Int
	// Native is the token whose base unit is a wei.
	Native Token
}

// Plan is how an amount is traded: its paths, one after another, each after the state that the one before left.
type Plan struct {
	Paths []Path
	// In and Out are the sums of the paths', in base units.
	In, Out uint256.Int
	// Gas estimates what the swaps cost, in units of gas.
	Gas uint64
	// Bound is a certificate: however an amount is spread over paths through the whole graph, of at most MaxHops pools each (3 at 0), in any
	// venues, exclusions aside, and however they share pools, it is not paid more base units. With Request.Gas it is about what is left after
	// gas: nothing leaves more than Bound would after this plan's gas.
	Bound uint256.Int
	// BoundBPS is how far Out is below Bound, in basis points of Bound.
	BoundBPS float64
	// AllowedBoundBPS is how far Out is below the same bound of plans that keep to Request.Venues and Request.WholePaths, in basis points. It is
	// never above BoundBPS: what is between them is lost because one router cannot trade every pool.
	AllowedBoundBPS float64
	// SpotOut is what the paths would be paid at the marginal prices before the trade, after the pools' fees, in base units: 1 - Out/SpotOut is
	// the price impact.
	SpotOut uint256.Int
}

// Path is a share of the amount, walked from the sold to the bought token.
type Path struct {
	In, Out uint256.Int
	Steps   []Step
}

// Step is one pool on a path. Amounts are base units.
type Step struct {
	// Pool is its place in the graph.
	Pool       int
	ZeroForOne bool
	From, To   Token
	In, Out    uint256.Int
}
