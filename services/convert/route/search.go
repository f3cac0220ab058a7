package route

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/holiman/uint256"
)

// Search finds the plan with the largest output after gas, and bounds how much better any other plan could be. ctx
// bounds the work, and the wait if too many searches run: when it ends, Search returns the best plan so far with the
// best bound so far, or the error of ctx if it has found no plan yet. The same request on the same graph has the same
// result, unless ctx ended.
//
// It fails with ErrNoRoute, ErrNoLiquidity, ErrDust or ErrRequest.
func (m *Graph) Search(ctx context.Context, r Request) (Plan, error) {
	if int(r.From) >= m.layout.tokens || int(r.To) >= m.layout.tokens || r.From == r.To || r.Amount.IsZero() {
		return Plan{}, ErrRequest
	}
	if r.MaxHops < 0 || r.MaxHops > maxHops || r.MaxPools < 0 || r.MaxPaths < 0 || r.Gas != nil && int(r.Gas.Native) >= m.layout.tokens {
		return Plan{}, ErrRequest
	}
	if err := ctx.Err(); err != nil {
		return Plan{}, err
	}
	s := &search{ctx: ctx, graph: m, request: r, hops: r.MaxHops, longest: r.MaxHops, amount: r.Amount.Float64()}
	if r.MaxHops == 0 {
		s.hops, s.longest = searchedHops, longestPath
	}
	if r.MaxPools > 0 {
		s.hops, s.longest = min(s.hops, r.MaxPools), min(s.longest, r.MaxPools)
	}
	w, err := borrow(ctx, m, max(s.hops, searchedHops))
	if err != nil {
		return Plan{}, err
	}
	defer w.giveBack()
	s.workspace = w
	s.gasValue = s.worthOfGas()
	return s.run()
}

// search is one search. It first searches the whole graph, which gives the bound, and then again within the venues that
// the request allows.
type search struct {
	ctx       context.Context
	graph     *Graph
	request   Request
	workspace *workspace
	hops      int // of the search for paths
	longest   int // of any path
	amount    float64
	// gasValue is the price of a unit of gas, in base units of the bought token.
	gasValue float64

	scope scope
	// whole means that each path keeps to one venue.
	whole bool
	best  incumbent
}

func (s *search) run() (Plan, error) {
	s.scope = scope{venues: allVenues, excluded: s.request.Exclude}
	restricted := s.request.Venues != nil || s.request.WholePaths && s.graph.layout.venues > 1
	bound, err := s.searchWithin(!restricted)
	allowed := bound
	if restricted && !s.done(bound) && !errors.Is(err, ErrNoRoute) {
		s.scope.venues = s.request.venues()
		s.whole = s.request.WholePaths
		var within float64
		within, err = s.searchWithin(true)
		allowed = min(bound, within)
	}
	if len(s.best.plan.Paths) == 0 {
		return Plan{}, cmp.Or(err, s.ctx.Err())
	}
	return s.withBounds(bound, allowed), nil
}

// searchWithin searches plans within the scope, stores the best one, and returns a bound of the output after gas. It
// tries variations only if thorough is set.
func (s *search) searchWithin(thorough bool) (bound float64, err error) {
	subgraphs := s.subgraphs()
	if len(subgraphs) == 0 {
		return math.Inf(1), ErrNoRoute
	}
	single := s.single(subgraphs)
	s.collectRelevant(subgraphs)
	shares := s.greedy(subgraphs, parts, 0)
	if total(shares) < s.amount*(1-tiny) {
		if single == nil {
			single = s.exact(subgraphs)
		}
		if single == nil {
			return math.Inf(1), s.scarce(subgraphs)
		}
		shares = s.workspace.only(single, s.amount)
	}
	s.consider(shares)
	if s.request.MaxPaths > 0 {
		s.consider(largest(shares, min(len(shares), s.request.MaxPaths)))
	}
	s.warmStart(shares)
	bound = s.generate(subgraphs)
	paths := s.paths()
	s.considerParts(paths, bound)
	if thorough && !s.done(bound) {
		s.vary(subgraphs, shares, paths, bound)
	}
	return bound, s.scarce(subgraphs)
}

// vary considers variations of the plans found.
func (s *search) vary(subgraphs []*subgraph, shares, paths []share, bound float64) {
	s.considerAmong(shares)
	s.considerFew(subgraphs, bound)
	if !s.within(bound, 1e-5) {
		s.considerWith(paths, bound)
		s.considerWithout(bound)
	}
}

// scarce returns the error of a search without a plan.
func (s *search) scarce(subgraphs []*subgraph) error {
	best := 0.0
	for _, g := range subgraphs {
		best = max(best, g.bestOutput)
	}
	if best*s.amount < 1 || s.best.dust {
		return ErrDust
	}
	return ErrNoLiquidity
}

// subgraphs returns the parts of the graph with good paths: one part, or one per venue if each path keeps to one venue.
func (s *search) subgraphs() []*subgraph {
	if !s.whole {
		return s.collect(nil, s.scope)
	}
	var subgraphs []*subgraph
	for v := range s.graph.layout.venues {
		subgraphs = s.collect(subgraphs, scope{venues: venuesOf(Venue(v)) & s.scope.venues, excluded: s.scope.excluded})
	}
	return subgraphs
}

func (s *search) collect(subgraphs []*subgraph, within scope) []*subgraph {
	from, to := s.request.From, s.request.To
	if !s.workspace.potentials.compute(s.graph, &within, from, to, s.hops) {
		return subgraphs
	}
	g := s.workspace.subgraph(len(subgraphs))
	g.collect(s.graph, &within, &s.workspace.potentials, from, to, s.hops, 0)
	return append(subgraphs, g)
}

// single considers the best single path, and the best one of fewer hops if gas matters. It drops edges from the
// subgraphs that cannot be part of the best plan: there the output for every path's last unit is at least the output
// for the last unit of the whole amount on any single path.
func (s *search) single(subgraphs []*subgraph) []edge {
	s.workspace.traffic.reset()
	s.workspace.traffic.most = 0
	best := s.direct(subgraphs, s.hops)
	if best == nil {
		return nil
	}
	threshold := marginal(best, s.amount)
	for hops := len(best) - 1; hops > 0 && s.gasValue > 0; hops-- {
		if shorter := s.direct(subgraphs, hops); shorter != nil {
			threshold = min(threshold, marginal(shorter, s.amount))
		}
	}
	for _, g := range subgraphs {
		g.tighten(threshold * (1 - tiny))
	}
	return best
}

// direct considers the best single path of at most `hops` hops, and returns it; nil if no path takes the whole amount.
func (s *search) direct(subgraphs []*subgraph, hops int) []edge {
	best, paid := []edge(nil), 0.0
	for _, g := range subgraphs {
		if path, out := g.bestPath(&s.workspace.labels, &s.workspace.traffic, hops, s.amount, paid, nil); out > paid {
			best, paid = path, out
		}
	}
	if best == nil {
		return nil
	}
	s.consider([]share{{best, s.amount}})
	if hops == s.hops && (least(best, s.amount) < coarse || len(s.best.plan.Paths) == 0) {
		s.exact(subgraphs)
	}
	return best
}

// exact considers the single path with the largest integer output, if that is larger than that of the best plan, and
// returns it.
func (s *search) exact(subgraphs []*subgraph) (best []edge) {
	for _, g := range subgraphs {
		if path := g.exactPath(s.graph, s.request.Amount, s.best.plan.Out); path != nil {
			s.consider([]share{{path, s.amount}})
			best = path
		}
	}
	return best
}

// worthOfGas returns the price of a unit of gas in base units of the bought token.
func (s *search) worthOfGas() float64 {
	gas := s.request.Gas
	if gas == nil || gas.Price.IsZero() {
		return 0
	}
	within := scope{venues: allVenues, excluded: s.request.Exclude}
	return gas.Price.Float64() * s.workspace.worth(s.graph, &within, gas.Native, s.request.To)
}

// done reports whether no plan can be better than the best by more than a millionth.
func (s *search) done(bound float64) bool { return s.within(bound, 1e-6) }

// within reports whether the best plan is within a share of a bound.
func (s *search) within(bound, share float64) bool {
	return len(s.best.plan.Paths) > 0 && s.net(&s.best.plan) >= bound*(1-share)
}

func (s *search) net(p *Plan) float64 { return p.Out.Float64() - s.gasValue*float64(p.Gas) }

// withBounds returns the best plan with its bounds after gas: over the whole graph, and within the request's venues.
func (s *search) withBounds(bound, allowed float64) Plan {
	plan := s.best.plan
	plan.SpotOut = s.graph.spotOut(&plan)
	plan.Bound, plan.BoundBPS = s.distance(&plan, bound)
	_, plan.AllowedBoundBPS = s.distance(&plan, allowed)
	return plan
}

// distance returns a bound as the output at the plan's gas, and how far the plan is below it, in basis points of the
// bound.
func (s *search) distance(plan *Plan, bound float64) (most uint256.Int, bps float64) {
	most = integer(bound + s.gasValue*float64(plan.Gas))
	if most.Lt(&plan.Out) {
		most = plan.Out
	}
	var missed uint256.Int
	missed.Sub(&most, &plan.Out)
	return most, missed.Float64() / most.Float64() * 1e4
}
