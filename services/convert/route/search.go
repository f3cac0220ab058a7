package route

import (
	"context"

	"github.com/holiman/uint256"
)

// Search finds the plan that leaves most, and bounds how much better any other could be. ctx bounds the work: when it ends, the best so far is
// the answer, with the bound known so far; its error is returned only when nothing was found yet. The same request of the same market has the
// same answer, unless ctx ended.
//
// It fails with ErrNoRoute, ErrNoLiquidity, ErrDust or ErrRequest.
func (m *Market) Search(ctx context.Context, r Request) (Plan, error) {
	if int(r.From) >= m.layout.tokens || int(r.To) >= m.layout.tokens || r.From == r.To || r.Amount.IsZero() {
		return Plan{}, ErrRequest
	}
	if err := ctx.Err(); err != nil {
		return Plan{}, err
	}
	path, err := m.single(r)
	if err != nil {
		return Plan{}, err
	}
	var plan Plan
	plan.add(m, path)
	plan.SpotOut = m.spotOut(&plan)
	plan.Bound = plan.SpotOut
	if !plan.Bound.IsZero() {
		plan.BoundBPS = (1 - plan.Out.Float64()/plan.Bound.Float64()) * 1e4
	}
	return plan, nil
}

// single is the best path in integers, by trying all.
func (m *Market) single(r Request) (Path, error) {
	hops := r.MaxHops
	if hops == 0 {
		hops = DefaultMaxHops
	}
	s := exhaustive{m: m, r: r, err: ErrNoRoute}
	s.from(r.From, r.Amount, hops)
	if s.best.Out.IsZero() {
		return Path{}, s.err
	}
	return s.best, nil
}

type exhaustive struct {
	m    *Market
	r    Request
	way  []Step
	best Path
	err  error
}

func (s *exhaustive) from(t Token, amount uint256.Int, hops int) {
	for _, a := range s.m.layout.leaving(t) {
		if s.r.Exclude[int(a.pool)] || s.r.Venue != nil && *s.r.Venue != a.venue || hops == 1 && a.to != s.r.To || s.visited(a.to) {
			continue
		}
		out, ok := s.m.model(int(a.pool)).quote(&amount, a.from)
		if !ok || out.IsZero() {
			s.err = ErrNoLiquidity
			continue
		}
		s.way = append(s.way, Step{Pool: int(a.pool), ZeroForOne: a.from.zeroForOne(), From: t, To: a.to, In: amount, Out: out})
		if a.to != s.r.To {
			s.from(a.to, out, hops-1)
		} else if out.Gt(&s.best.Out) {
			s.best = Path{In: s.r.Amount, Out: out, Steps: append([]Step(nil), s.way...)}
		}
		s.way = s.way[:len(s.way)-1]
	}
}

func (s *exhaustive) visited(t Token) bool {
	if t == s.r.From {
		return true
	}
	for _, w := range s.way {
		if w.To == t {
			return true
		}
	}
	return false
}
