package route

import "math"

// An amount is sliced into parts, or into fewParts if plans of few pools are searched.
const (
	parts    = 20
	fewParts = 8
)

// share is an amount that is sent along a path, in floats.
type share struct {
	path   []edge
	amount float64
}

// greedy trades an amount in equal parts, each on the path with the largest output after the parts before. It returns
// the shares by path; they add up to less than the amount if the pools cannot take more. The search's traffic keeps
// what was sent.
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

// only sends an amount through one path, with no other traffic.
func (w *workspace) only(path []edge, amount float64) []share {
	w.traffic.reset()
	w.traffic.send(path, amount)
	return []share{{path, amount}}
}

// trial returns the output for an additional amount on a path; 0 if the path cannot take it.
func (w *workspace) trial(path []edge, amount float64) float64 {
	for i := range path {
		if amount, _ = w.traffic.more(&path[i], amount, 0); amount == 0 {
			return 0
		}
	}
	return amount
}

// place returns the share of a path, and adds it if necessary.
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

// least returns the smallest amount on a path, in base units of whichever token it is.
func least(path []edge, amount float64) float64 {
	least := amount
	for i := range path {
		amount, _ = path[i].curve.forward(amount, path[i].from)
		least = min(least, amount)
	}
	return least
}

// marginal returns the output for the last unit of an amount on a path with no other traffic; 0 if the path cannot take
// the amount.
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
