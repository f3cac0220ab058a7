package route

// traffic is what a plan in the making sends through each side of each pool, by [arc.key].
type traffic struct {
	in, out []float64
	// busy lists the sides in use, in the order of their first use.
	busy []int32
	// most bounds how many; 0: no bound.
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

// more is what an additional input is paid, and whether that takes a side that is not in use. It is paid 0 when the pool cannot take it, trades
// the other way already, or would be one too many after others that the path takes.
func (t *traffic) more(a *thread, in float64, others int) (paid float64, fresh int) {
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

// send puts an additional input through a path and returns what is paid in the end.
func (t *traffic) send(path []thread, in float64) float64 {
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

// trails is the best way found to every token, per number of hops.
type trails struct {
	cells   [maxHops + 1][]trail
	touched [maxHops + 1][]Token
}

type trail struct {
	amount float64
	from   Token
	thread int32
	fresh  int // sides on the trail that were not in use
}

func (t *trails) fit(tokens, hops int) {
	for h := range hops {
		if len(t.cells[h]) < tokens {
			t.cells[h] = make([]trail, tokens)
		}
		t.reset(h)
	}
}

func (t *trails) reset(h int) {
	for _, token := range t.touched[h] {
		t.cells[h][token] = trail{}
	}
	t.touched[h] = t.touched[h][:0]
}

// bestPath finds the path of at most so many hops on which an additional amount is paid most, if that is more than floor, and appends it to
// path[:0]. The search goes hop by hop, and leaves a trail as soon as marginal prices show that it cannot win any more.
func (w *web) bestPath(t *trails, load *traffic, hops int, amount, floor float64, path []thread) ([]thread, float64) {
	for h := range hops {
		t.reset(h)
	}
	t.cells[0][w.from] = trail{amount: amount}
	t.touched[0] = append(t.touched[0], w.from)
	best, won, wonHops := floor, trail{}, 0
	for h := range hops {
		for _, at := range w.layers[h] {
			here := t.cells[h][at.token]
			if here.amount == 0 {
				continue
			}
			for i := at.first; i < at.last; i++ {
				a := &w.arcs[i]
				if amount*a.promise <= best || here.amount*a.curve.spot(a.from)*a.hope <= best || t.visits(h, at.token, a.to, w.arcs) {
					continue
				}
				out, fresh := load.more(a, here.amount, here.fresh)
				if out*a.hope <= best {
					continue
				}
				found := trail{out, at.token, i, here.fresh + fresh}
				if a.to == w.to {
					best, won, wonHops = out, found, h+1
				} else if h+1 < hops {
					t.improve(h+1, a.to, found)
				}
			}
		}
	}
	if wonHops == 0 {
		return path[:0], 0
	}
	path = append(path[:0], make([]thread, wonHops)...)
	for h := wonHops; h > 0; h-- {
		path[h-1] = w.arcs[won.thread]
		won = t.cells[h-1][won.from]
	}
	return path, best
}

func (t *trails) improve(h int, token Token, found trail) {
	cell := &t.cells[h][token]
	if found.amount <= cell.amount {
		return
	}
	if cell.amount == 0 {
		t.touched[h] = append(t.touched[h], token)
	}
	*cell = found
}

// visits tells whether the trail to a token has been at another one.
func (t *trails) visits(h int, at, other Token, arcs []thread) bool {
	for ; h > 0; h-- {
		if at == other {
			return true
		}
		at = t.cells[h][at].from
	}
	return at == other
}
