package route

import (
	"cmp"
	"slices"

	"github.com/holiman/uint256"
)

// incumbent is the best replayed plan so far.
type incumbent struct {
	plan   Plan
	shares []share
	// dust says that the output of a path was 0.
	dust bool
}

// consider replays shares in integers, and stores the plan if it is allowed and better after gas than the best plan so
// far.
func (s *search) consider(shares []share) {
	plan, ok := s.realise(shares)
	if !ok || !s.allows(&plan) {
		return
	}
	if len(s.best.plan.Paths) == 0 || s.better(&plan, &s.best.plan) {
		s.best.plan, s.best.shares = plan, shares
	}
}

// considerParts considers shares, and also only the largest few of them. Fewer paths use less gas. They also avoid
// paying a pool's fee into the pool before another path uses the pool again.
func (s *search) considerParts(shares []share, bound float64) {
	s.consider(shares)
	for _, n := range [...]int{12, 8, 6, 4, 3, 2} {
		if n < len(shares) && !s.done(bound) {
			s.consider(largest(shares, n))
		}
	}
}

// considerWith considers the best plan with one additional path, for each path in turn, and continues from the better
// plan.
func (s *search) considerWith(paths []share, bound float64) {
	for _, p := range paths {
		shares := s.best.shares
		if s.done(bound) || s.ctx.Err() != nil {
			return
		}
		if !slices.ContainsFunc(shares, func(other share) bool { return samePath(other.path, p.path) }) {
			s.considerAmong(append(slices.Clone(shares), p))
		}
	}
}

// considerWithout considers the best plan without one of its paths, the smallest first, and continues from the better
// plan.
func (s *search) considerWithout(bound float64) {
	for tries, at := 0, 0; tries < mostOmissions; tries++ {
		shares := s.best.shares
		if len(shares) < 2 || at == len(shares) || s.done(bound) || s.ctx.Err() != nil {
			return
		}
		order := slices.Clone(shares)
		slices.SortStableFunc(order, func(a, b share) int { return cmp.Compare(a.amount, b.amount) })
		omitted := order[at]
		before := s.best.plan
		s.considerAmong(slices.DeleteFunc(slices.Clone(shares), func(other share) bool { return samePath(other.path, omitted.path) }))
		if at++; s.better(&s.best.plan, &before) {
			at = 0
		}
	}
}

// mostOmissions bounds how many paths are tentatively left out.
const mostOmissions = 24

// largest returns the n largest shares, in their original order.
func largest(shares []share, n int) []share {
	amounts := make([]float64, len(shares))
	for i, s := range shares {
		amounts[i] = s.amount
	}
	slices.Sort(amounts)
	smallest := amounts[len(amounts)-n]
	return slices.DeleteFunc(slices.Clone(shares), func(s share) bool { return s.amount < smallest })
}

// considerFew considers plans of few pools, if gas or the request limits the number of pools.
func (s *search) considerFew(subgraphs []*subgraph, bound float64) {
	if s.gasValue == 0 && s.request.MaxPools == 0 && s.request.MaxPaths == 0 {
		return
	}
	unmoved := 0
	for _, most := range [...]int{2, 3, 4, 6, 8, 12} {
		if s.request.MaxPools > 0 && most > s.request.MaxPools {
			most = s.request.MaxPools
		}
		if s.done(bound) || unmoved == 2 || s.ctx.Err() != nil {
			return
		}
		before := s.best.plan
		s.considerMost(subgraphs, most)
		if unmoved++; s.better(&s.best.plan, &before) {
			unmoved = 0
		}
		if most == s.request.MaxPools {
			return
		}
	}
}

// considerMost slices the amount over at most `most` pools, and then finds the best shares for the chosen pools.
func (s *search) considerMost(subgraphs []*subgraph, most int) {
	shares := s.greedy(subgraphs, fewParts, most)
	if total(shares) < s.amount*(1-tiny) {
		return
	}
	s.consider(shares)
	s.considerAmong(shares)
}

// considerAmong considers the best shares for the pools of some shares, each pool only in the direction in which they
// use it, so that arbitrage cycles among the pools do not matter.
func (s *search) considerAmong(shares []share) {
	load := &s.workspace.traffic
	load.reset()
	for _, share := range shares {
		load.send(share.path, share.amount)
	}
	s.warmStart(shares)
	d := &s.workspace.dual
	for i := range d.members {
		m := &d.members[i]
		m.ways = 0
		for from := range side(2) {
			if load.in[arc{pool: m.pool, from: from}.key()] > 0 {
				m.ways |= 1 << from
			}
		}
	}
	d.link()
	d.settle(2)
	d.minimise(newtonRounds, balanced)
	s.consider(s.paths())
}

func (s *search) better(a, b *Plan) bool {
	if s.gasValue == 0 {
		return cmp.Or(a.Out.Cmp(&b.Out), b.steps()-a.steps()) > 0
	}
	return s.net(a) > s.net(b)
}

func (p *Plan) steps() int {
	steps := 0
	for _, path := range p.Paths {
		steps += len(path.Steps)
	}
	return steps
}

// allows reports whether a plan is within the request's limits.
func (s *search) allows(p *Plan) bool {
	r := &s.request
	if r.MaxPools > 0 && p.steps() > r.MaxPools || r.MaxPaths > 0 && len(p.Paths) > r.MaxPaths {
		return false
	}
	allowed := r.venues()
	for _, path := range p.Paths {
		for _, step := range path.Steps {
			venue := s.graph.layout.pools[step.Pool].venue
			if !allowed.has(venue) || r.WholePaths && venue != s.graph.layout.pools[path.Steps[0].Pool].venue {
				return false
			}
		}
	}
	return true
}

// margins are the fractions by which the share of a refused path is reduced before the path is left out. A pool that is
// used up to the end of its liquidity in floats may refuse the last unit in integers.
var margins = [...]float64{1e-6, 1e-3, 1e-2}

// realise converts shares to integers and replays them in order. The amount that a path refuses is distributed over the
// other paths.
func (s *search) realise(shares []share) (Plan, bool) {
	shares = slices.Clone(shares)
	cuts := make([]int, len(shares))
	for len(shares) > 0 {
		plan, refused := s.execute(shares)
		if refused < 0 {
			return plan, true
		}
		if cut := cuts[refused]; cut < len(margins) && len(shares) > 1 {
			shares[refused].amount *= 1 - margins[cut]
			cuts[refused]++
			continue
		}
		shares = slices.Delete(shares, refused, refused+1)
		cuts = slices.Delete(cuts, refused, refused+1)
	}
	return Plan{}, false
}

// execute replays shares; refused is the index of the refused path, or -1.
func (s *search) execute(shares []share) (plan Plan, refused int) {
	amounts, refused := divide(&s.request.Amount, shares)
	if refused >= 0 {
		return plan, refused
	}
	r := replay{graph: s.graph}
	plan.Paths = make([]Path, 0, len(shares))
	for i, share := range shares {
		path := Path{In: amounts[i], Steps: make([]Step, len(share.path))}
		from := s.request.From
		for k, a := range share.path {
			path.Steps[k] = Step{Pool: int(a.pool), ZeroForOne: a.from.zeroForOne(), From: from, To: a.to}
			from = a.to
		}
		if !r.walk(&path) {
			s.best.dust = s.best.dust || r.dust
			return plan, i
		}
		plan.add(s.graph, path)
	}
	return plan, -1
}

// divide converts shares to base units that add up to an amount; the largest share gets the remainder of the rounding.
// It returns the index of a share of less than one unit, or -1.
func divide(amount *uint256.Int, shares []share) (amounts []uint256.Int, little int) {
	sum, most := total(shares), 0
	amounts = make([]uint256.Int, len(shares))
	left := *amount
	for i, s := range shares {
		if s.amount > shares[most].amount {
			most = i
		}
	}
	for i, s := range shares {
		if i == most {
			continue
		}
		amounts[i] = integer(s.amount / sum * amount.Float64())
		if amounts[i].IsZero() || amounts[i].Gt(&left) {
			return nil, i
		}
		left.Sub(&left, &amounts[i])
	}
	amounts[most] = left
	if left.IsZero() {
		return nil, most
	}
	return amounts, -1
}
