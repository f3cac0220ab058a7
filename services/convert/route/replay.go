package route

import (
	"fmt"

	"github.com/holiman/uint256"
)

// Replay returns the plan with its outputs at this graph's states, and without a bound. It fails with ErrStale if a pool no longer takes its share or is not
// in this graph.
func (m *Graph) Replay(plan Plan) (Plan, error) {
	r := replay{graph: m}
	replayed := Plan{Paths: make([]Path, 0, len(plan.Paths))}
	for _, p := range plan.Paths {
		steps := make([]Step, len(p.Steps))
		for i, s := range p.Steps {
			if s.Pool < 0 || s.Pool >= len(m.layout.pools) || m.layout.pools[s.Pool].ends[sideOf(s.ZeroForOne)] != s.From {
				return Plan{}, fmt.Errorf("%w: pool %d does not sell token %d", ErrStale, s.Pool, s.From)
			}
			steps[i] = Step{Pool: s.Pool, ZeroForOne: s.ZeroForOne, From: s.From, To: s.To}
		}
		path := Path{In: p.In, Steps: steps}
		if !r.walk(&path) {
			return Plan{}, fmt.Errorf("%w: a path of %d pools refuses %s", ErrStale, len(steps), p.In.Dec())
		}
		replayed.add(m, path)
	}
	replayed.SpotOut = m.spotOut(&replayed)
	return replayed, nil
}

// replay executes paths through the models, one after another.
type replay struct {
	graph *Graph
	// moved holds the pools that the paths so far have changed.
	moved []moved
	// dust says that the output of the last refused path was 0 in one of its pools.
	dust bool
}

type moved struct {
	pool  int
	model Model
}

func (r *replay) model(pool int) Model {
	for i := range r.moved {
		if r.moved[i].pool == pool {
			return r.moved[i].model
		}
	}
	return r.graph.model(pool)
}

func (r *replay) move(pool int, model Model) {
	for i := range r.moved {
		if r.moved[i].pool == pool {
			r.moved[i].model = model
			return
		}
	}
	r.moved = append(r.moved, moved{pool, model})
}

// walk sets the amounts of a path's steps. It returns false, and changes no pool, if a pool refuses or the output is 0.
func (r *replay) walk(path *Path) bool {
	amount := path.In
	before := len(r.moved)
	kept := append([]moved(nil), r.moved...)
	for i := range path.Steps {
		s := &path.Steps[i]
		out, after, ok := r.model(s.Pool).Swap(&amount, s.ZeroForOne)
		if !ok || out.IsZero() {
			expected, fits := r.graph.curve(int32(s.Pool)).forward(amount.Float64(), sideOf(s.ZeroForOne))
			r.dust = fits && expected < 1
			r.moved = append(r.moved[:0], kept[:before]...)
			return false
		}
		r.move(s.Pool, after)
		s.In, s.Out = amount, out
		amount = out
	}
	path.Out = amount
	return len(path.Steps) > 0
}

// add appends a walked path to a plan.
func (p *Plan) add(m *Graph, path Path) {
	p.Paths = append(p.Paths, path)
	p.In.Add(&p.In, &path.In)
	p.Out.Add(&p.Out, &path.Out)
	for _, s := range path.Steps {
		p.Gas += m.layout.pools[s.Pool].gasHop
	}
}

// spotOut returns the output of a plan's paths at the rates before the trade.
func (m *Graph) spotOut(p *Plan) uint256.Int {
	sum := 0.0
	for _, path := range p.Paths {
		value := path.In.Float64()
		for _, s := range path.Steps {
			value *= m.rates(int32(s.Pool))[sideOf(s.ZeroForOne)]
		}
		sum += value
	}
	spot := integer(sum)
	if spot.Lt(&p.Out) {
		return p.Out
	}
	return spot
}
