package route

import "math"

// An amount is sliced into parts, and fewParts where few pools are looked for.
const (
	parts    = 20
	fewParts = 8
)

// share is an amount that walks a path, in floats.
type share struct {
	path   []edge
	amount float64
}

// greedy trades an amount in equal parts, each on the path that pays most after the parts before. It returns the shares by path; they are fewer
// than the amount when the pools take no more. What is sent stays in the search's traffic.
func (s *search) greedy(subgraphs []*subgraph, parts, most int) []share {
	load := &s.workspace.traffic
	load.reset()
	load.most = most
	part := s.amount / float64(parts)
	var shares []share
	last := -1
	for range parts {
		floor := 0.0
		if last >= 0 {
			floor = s.workspace.trial(shares[last].path, part)
		}
		found, paid := false, floor
		for _, g := range subgraphs {
			if path, out := g.bestPath(&s.workspace.labels, load, g.hops, part, paid, s.workspace.path); out > paid {
				s.workspace.path, found, paid = path, true, out
			}
		}
		if !found && floor == 0 {
			break
		}
		if found {
			last = place(&shares, s.workspace.path)
		}
		shares[last].amount += part
		load.send(shares[last].path, part)
	}
	return shares
}

func total(shares []share) float64 {
	sum := 0.0
	for _, s := range shares {
		sum += s.amount
	}
	return sum
}

// only sends an amount through one path and nothing else.
func (w *workspace) only(path []edge, amount float64) []share {
	w.traffic.reset()
	w.traffic.send(path, amount)
	return []share{{path, amount}}
}

// trial is what an additional amount is paid on a path; 0 when it does not fit.
func (w *workspace) trial(path []edge, amount float64) float64 {
	for i := range path {
		if amount, _ = w.traffic.more(&path[i], amount, 0); amount == 0 {
			return 0
		}
	}
	return amount
}

// place finds the share of a path, or adds it.
func place(shares *[]share, path []edge) int {
	for i, s := range *shares {
		if samePath(s.path, path) {
			return i
		}
	}
	*shares = append(*shares, share{path: append([]edge(nil), path...)})
	return len(*shares) - 1
}

func samePath(a, b []edge) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].arc != b[i].arc {
			return false
		}
	}
	return true
}

// least is the least amount on a path, in base units of whatever token it is.
func least(path []edge, amount float64) float64 {
	least := amount
	for i := range path {
		amount, _ = path[i].curve.forward(amount, path[i].from)
		least = min(least, amount)
	}
	return least
}

// marginal is what the last unit of an amount is paid on a path, nothing else being traded; 0 when the path cannot take so much.
func marginal(path []edge, amount float64) float64 {
	rate := 1.0
	for i := range path {
		a := &path[i]
		rate *= a.curve.marginal(amount, a.from)
		out, ok := a.curve.forward(amount, a.from)
		if !ok {
			return 0
		}
		amount = out
	}
	if math.IsNaN(rate) {
		return 0
	}
	return rate
}
