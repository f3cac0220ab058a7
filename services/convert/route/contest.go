package route

import (
	"cmp"
	"slices"

	"github.com/holiman/uint256"
)

// contest keeps the best plan of those that were replayed.
type contest struct {
	plan Plan
	// dust: a path was paid nothing.
	dust bool
}

// consider replays shares in integers and keeps the plan if it is allowed and leaves more than the best before.
func (s *search) consider(shares []share) {
	plan, ok := s.realise(shares)
	if !ok || !s.allows(&plan) {
		return
	}
	if len(s.best.plan.Paths) == 0 || s.better(&plan, &s.best.plan) {
		s.best.plan = plan
	}
}

// considerParts considers shares, and their largest few alone: fewer paths cost less gas, and do not pay a pool's fee into it before they use it
// again.
func (s *search) considerParts(shares []share, bound float64) {
	s.consider(shares)
	for _, n := range [...]int{12, 8, 6, 4, 3, 2} {
		if n < len(shares) && !s.done(bound) {
			slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.amount, a.amount) })
			s.consider(shares[:n])
		}
	}
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

// allows tells whether a plan keeps to the request's bounds.
func (s *search) allows(p *Plan) bool {
	r := &s.request
	if r.MaxPools > 0 && p.steps() > r.MaxPools {
		return false
	}
	for _, path := range p.Paths {
		for _, step := range path.Steps {
			venue := s.market.layout.pools[step.Pool].venue
			if r.Venue != nil && venue != *r.Venue || r.WholePaths && venue != s.market.layout.pools[path.Steps[0].Pool].venue {
				return false
			}
		}
	}
	return true
}

// realise turns shares into integers and replays them, the largest first. What a path refuses is added to the largest.
func (s *search) realise(shares []share) (Plan, bool) {
	shares = slices.Clone(shares)
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.amount, a.amount) })
	for len(shares) > 0 {
		plan, refused := s.execute(shares)
		if refused < 0 {
			return plan, true
		}
		shares = slices.Delete(shares, refused, refused+1)
	}
	return Plan{}, false
}

// execute replays shares; refused is the path that was refused, or -1.
func (s *search) execute(shares []share) (plan Plan, refused int) {
	amounts, ok := divide(&s.request.Amount, shares)
	if !ok {
		return plan, len(shares) - 1
	}
	r := replay{market: s.market}
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
		plan.add(s.market, path)
	}
	return plan, -1
}

// divide turns shares into base units that sum up to an amount; the first takes what is left. It is false when a share is less than a unit.
func divide(amount *uint256.Int, shares []share) ([]uint256.Int, bool) {
	sum := total(shares)
	amounts := make([]uint256.Int, len(shares))
	left := *amount
	for i := len(shares) - 1; i > 0; i-- {
		amounts[i] = integer(shares[i].amount / sum * amount.Float64())
		if amounts[i].IsZero() || amounts[i].Gt(&left) {
			return nil, false
		}
		left.Sub(&left, &amounts[i])
	}
	amounts[0] = left
	return amounts, !left.IsZero()
}
