package route

import "math"

const (
	newtonRounds = 40
	// balanced is the tolerance of prices: the value of the surplus at a token, as a share of the whole.
	balanced = 1e-10
)

// newton minimises a dual by damped Newton steps in the logarithms of prices. There the Hessian of g is the Laplacian
// of a graph: every pool that trades couples the prices of its two tokens, by half its virtual reserve of the input
// token. The remaining error is removed in few rounds, because the curvature only jumps where a pool begins to trade or
// crosses a tick.
type newton struct {
	prices, next   []float64
	left, leftNext []float64
	direction      []float64
	matrix         []float64
}

func (w *newton) fit(n int) {
	w.prices, w.next = cleared(w.prices, n), cleared(w.next, n)
	w.left, w.leftNext = cleared(w.left, n), cleared(w.leftNext, n)
	w.direction = cleared(w.direction, n)
	w.matrix = cleared(w.matrix, n*n)
}

// minimise moves the nodes' prices to the minimum of g, until the surplus is a share of the whole below tolerance, and
// returns g.
func (d *dual) minimise(rounds int, tolerance float64) float64 {
	w, n := &d.newton, len(d.nodes)
	w.fit(n)
	for i := range d.nodes {
		w.prices[i] = d.nodes[i].price
	}
	g := d.value(w.prices, w.left)
	hold := 1e-2
	for range rounds {
		if worst(w.left[1:]) <= tolerance*g {
			break
		}
		d.curvature(w, hold)
		if !solve(w.matrix, w.direction, n) {
			break
		}
		next, ok := d.descend(w, g)
		if !ok {
			break
		}
		g = next
		hold = max(hold/10, 1e-9)
	}
	for i := range d.nodes {
		d.nodes[i].price = w.prices[i]
	}
	return g
}

// curvature fills in the Laplacian, with the bought token's price fixed, and the right-hand side.
func (d *dual) curvature(w *newton, hold float64) {
	n := len(d.nodes)
	clear(w.matrix)
	for i := range d.members {
		m := &d.members[i]
		a, b := m.ends[0], m.ends[1]
		pull := m.pull(w.prices[a], w.prices[b])
		if pull == 0 {
			continue
		}
		w.matrix[int(a)*n+int(a)] += pull
		w.matrix[int(b)*n+int(b)] += pull
		w.matrix[int(a)*n+int(b)] -= pull
		w.matrix[int(b)*n+int(a)] -= pull
	}
	// A small term on the diagonal fixes prices on which no trade depends, and groups of tokens that are not connected
	// to the others.
	least := 1e-6 * w.prices[soldNode] * d.amount
	for i := range n {
		w.matrix[i*n+i] += w.matrix[i*n+i]*hold + least
		w.matrix[i], w.matrix[i*n] = 0, 0
		w.direction[i] = -w.left[i]
	}
	w.matrix[0], w.direction[0] = 1, 0
}

// pull returns the derivative of the value of the best arbitrage's input with respect to the logarithm of the ratio of
// the two values.
func (m *member) pull(value0, value1 float64) float64 {
	if m.ways.allow(0) {
		if grows := m.curve.yield(0, value1/value0); grows > 0 {
			return grows * value0
		}
	}
	if !m.ways.allow(1) {
		return 0
	}
	return m.curve.yield(1, value0/value1) * value1
}

// descend moves along the direction as long as g decreases, and changes no price by more than half.
func (d *dual) descend(w *newton, g float64) (float64, bool) {
	slope := 0.0
	for i := range w.direction {
		slope += w.direction[i] * w.left[i]
	}
	if !(slope < 0) {
		return g, false
	}
	step := min(1, 0.5/worst(w.direction))
	for range 30 {
		for i := range w.next {
			w.next[i] = w.prices[i] * math.Exp(step*w.direction[i])
		}
		if next := d.value(w.next, w.leftNext); next <= g+1e-4*step*slope {
			w.prices, w.next = w.next, w.prices
			w.left, w.leftNext = w.leftNext, w.left
			return next, g-next > 1e-14*g
		}
		step /= 3
	}
	return g, false
}

// solve replaces b by the solution of a symmetric positive definite system, by Cholesky decomposition; false if the
// matrix is not positive definite.
func solve(a, b []float64, n int) bool {
	for j := range n {
		row := a[j*n : j*n+j+1]
		pivot := row[j]
		for _, x := range row[:j] {
			pivot -= x * x
		}
		if !(pivot > 0) {
			return false
		}
		pivot = math.Sqrt(pivot)
		row[j] = pivot
		for i := j + 1; i < n; i++ {
			other := a[i*n : i*n+j+1]
			sum := other[j]
			for k, x := range row[:j] {
				sum -= x * other[k]
			}
			other[j] = sum / pivot
		}
	}
	for i := range n {
		sum := b[i]
		for k := range i {
			sum -= a[i*n+k] * b[k]
		}
		b[i] = sum / a[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		sum := b[i]
		for k := i + 1; k < n; k++ {
			sum -= a[k*n+i] * b[k]
		}
		b[i] = sum / a[i*n+i]
	}
	return true
}

func worst(v []float64) float64 {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}
