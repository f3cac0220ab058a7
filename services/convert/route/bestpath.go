package route

// traffic holds the input of each side of each pool in an unfinished plan, by [arc.key].
type traffic struct {
	in, out []float64
	// busy lists the used sides, in the order of their first use.
	busy []int32
	// most bounds the number of used sides; 0 means no bound.
	most int
}

func (t *traffic) fit(pools int) {
	t.reset()
	if len(t.in) < 2*pools {
		t.in, t.out = make([]float64, 2*pools), make([]float64, 2*pools)
	}
}

func (t *traffic) reset() {
	for _, key := range t.busy {
		t.in[key], t.out[key] = 0, 0
	}
	t.busy = t.busy[:0]
}

// more returns the output for an additional input, and whether that uses a side that is not used yet. The output is 0
// if the pool cannot take the input, if it already trades in the other direction, or if the side would exceed the bound
// together with `others` further new sides of the path.
func (t *traffic) more(a *edge, in float64, others int) (paid float64, fresh int) {
	key := a.key()
	used := t.in[key]
	if used == 0 {
		if t.in[key^1] != 0 || t.most > 0 && len(t.busy)+others >= t.most {
			return 0, 0
		}
		fresh = 1
	}
	out, ok := a.curve.forward(used+in, a.from)
	if !ok {
		return 0, 0
	}
	return out - t.out[key], fresh
}

// send sends an additional input through a path and returns the output at its end.
func (t *traffic) send(path []edge, in float64) float64 {
	for i := range path {
		a := &path[i]
		key := a.key()
		if t.in[key] == 0 {
			t.busy = append(t.busy, key)
		}
		t.in[key] += in
		out, _ := a.curve.forward(t.in[key], a.from)
		in, t.out[key] = out-t.out[key], out
	}
	return in
}

// labels are the best paths found to every token, per number of hops.
type labels struct {
	cells   [maxHops + 1][]label
	touched [maxHops + 1][]Token
}

// label is a path to a token: the amount that arrives there, and its last edge.
type label struct {
	amount float64
	from   Token
	edge   int32
	fresh  int // sides on the path that were not used before
}

func (l *labels) fit(tokens, hops int) {
	for h := range hops {
		if len(l.cells[h]) < tokens {
			l.cells[h] = make([]label, tokens)
		}
		l.reset(h)
	}
}

func (l *labels) reset(h int) {
	for _, token := range l.touched[h] {
		l.cells[h][token] = label{}
	}
	l.touched[h] = l.touched[h][:0]
}

// bestPath finds the path of at most `hops` hops with the largest output for an additional amount, if that output is
// above floor, and appends it to path[:0]. The search proceeds hop by hop, and drops a path as soon as marginal prices
// show that it cannot be the best any more.
func (g *subgraph) bestPath(l *labels, load *traffic, hops int, amount, floor float64, path []edge) ([]edge, float64) {
	for h := range hops {
		l.reset(h)
	}
	l.cells[0][g.from] = label{amount: amount}
	l.touched[0] = append(l.touched[0], g.from)
	best, won, wonHops := floor, label{}, 0
	for h := range hops {
		for _, at := range g.layers[h] {
			here := l.cells[h][at.token]
			if here.amount == 0 {
				continue
			}
			for i := at.first; i < at.last; i++ {
				e := &g.edges[i]
				if amount*e.bestTotal <= best || here.amount*e.curve.spot(e.from)*e.bestOutput <= best || l.visits(h, at.token, e.to) {
					continue
				}
				out, fresh := load.more(e, here.amount, here.fresh)
				if out*e.bestOutput <= best {
					continue
				}
				found := label{out, at.token, i, here.fresh + fresh}
				if e.to == g.to {
					best, won, wonHops = out, found, h+1
				} else if h+1 < hops {
					l.improve(h+1, e.to, found)
				}
			}
		}
	}
	if wonHops == 0 {
		return path[:0], 0
	}
	path = append(path[:0], make([]edge, wonHops)...)
	for h := wonHops; h > 0; h-- {
		path[h-1] = g.edges[won.edge]
		won = l.cells[h-1][won.from]
	}
	return path, best
}

func (l *labels) improve(h int, token Token, found label) {
	cell := &l.cells[h][token]
	if found.amount <= cell.amount {
		return
	}
	if cell.amount == 0 {
		l.touched[h] = append(l.touched[h], token)
	}
	*cell = found
}

// visits reports whether the path to a token goes through another token.
func (l *labels) visits(h int, at, other Token) bool {
	for ; h > 0; h-- {
		if at == other {
			return true
		}
		at = l.cells[h][at].from
	}
	return at == other
}
