package route

const (
	// kindness makes a certificate hold in spite of rounding: it is about pools that keep so much more of an input after the fee. What that adds
	// to a pool's profit is far above what floats lose in computing it, and far below a millionth of a basis point.
	kindness = 1 + 1e-12
	// summing covers the rounding of the sum over all pools.
	summing = 1 + 1e-11
	// bidding is how many rounds the prices of tokens outside of the dual may still improve.
	bidding = 4
)

// certify bounds by weak duality what any trade over the whole market is paid, less its gas: at any prices of all tokens it is the worth of
// the amount and what arbitrageurs gain from all pools. It returns the bound, in base units of the bought token, and the pools outside of the
// dual that would profit, best first.
func (s *search) certify() (float64, []entrant) {
	s.extend()
	values := s.desk.values
	sold := values[s.request.From] * s.amount
	bound := sold
	var entrants []entrant
	var doors doors
	for i := range s.market.layout.pools {
		pool := int32(i)
		f := &s.market.layout.pools[i]
		if !s.scope.admits(pool, f.venue) {
			continue
		}
		value0, value1 := values[s.nodeKey(f.ends[0], f.venue)], values[s.nodeKey(f.ends[1], f.venue)]
		gain := s.gain(pool, value0, value1) - s.gasValue*float64(f.gasHop)
		doors.pass(s, f, gain)
		if gain <= 0 {
			continue
		}
		bound += gain
		if gain > worthwhile*sold && s.desk.joined[pool] != s.desk.stamp {
			entrants = append(entrants, entrant{pool, gain})
		}
	}
	rank(entrants)
	return (bound + doors.toll()) * summing, entrants
}

// gain is an upper bound of what an arbitrageur gains from a pool. A token that has no price can be sold nowhere.
func (s *search) gain(pool int32, value0, value1 float64) float64 {
	if value0 == 0 || value1 == 0 {
		return 0
	}
	rates := s.market.rates(pool)
	if rates[0]*value1*kindness <= value0 && rates[1]*value0*kindness <= value1 {
		return 0
	}
	kinder := *s.market.curve(pool)
	kinder.keep *= kindness
	from, in, out := kinder.respond(value0, value1)
	if from == 1 {
		value0, value1 = value1, value0
	}
	if gain := value1*out - value0*in; gain >= 0 {
		return gain
	}
	return 0
}

// doors are the pools that trade the sold token, and those that trade the bought one: every plan goes through one of each, and pays its gas
// even where no arbitrageur gains from it.
type doors struct {
	direct    bool
	seen      [2]bool
	open      [2]bool
	leastLoss [2]float64
}

func (d *doors) pass(s *search, f *fixture, gain float64) {
	sells := f.ends[0] == s.request.From || f.ends[1] == s.request.From
	buys := f.ends[0] == s.request.To || f.ends[1] == s.request.To
	d.direct = d.direct || sells && buys
	for i, through := range [2]bool{sells, buys} {
		if !through {
			continue
		}
		d.open[i] = d.open[i] || gain > 0
		if !d.seen[i] || gain > d.leastLoss[i] {
			d.seen[i], d.leastLoss[i] = true, gain
		}
	}
}

// toll is what the cheapest doors cost where no door gains; it is not positive.
func (d *doors) toll() float64 {
	toll := 0.0
	for i := range d.seen {
		if d.seen[i] && !d.open[i] && (i == 0 || !d.direct) {
			toll += d.leastLoss[i]
		}
	}
	return toll
}

// extend gives every token outside of the dual the best price that a pool bids for it, directly or through other tokens.
func (s *search) extend() {
	desk, layout := s.desk, s.market.layout
	clear(desk.values)
	desk.frontier = desk.frontier[:0]
	for _, n := range desk.dual.nodes {
		desk.values[n.key] = n.price
		desk.via[n.key] = -1
		desk.frontier = append(desk.frontier, n.key)
	}
	for round := 0; len(desk.frontier) > 0; round++ {
		desk.queue++
		reached := len(desk.frontier)
		for _, key := range desk.frontier[:reached] {
			token := Token(int(key) % layout.tokens)
			for _, a := range layout.leaving(token) {
				if s.nodeKey(token, a.venue) == key && s.scope.admits(a.pool, a.venue) {
					s.bid(a, desk.values[key], round >= bidding)
				}
			}
		}
		desk.frontier = append(desk.frontier[:0], desk.frontier[reached:]...)
	}
}

// bid offers the token at an arc's end what the token at its beginning is worth to it. Late bids are only for tokens without a price.
func (s *search) bid(a arc, worth float64, late bool) {
	desk := s.desk
	to := s.nodeKey(a.to, a.venue)
	known := desk.values[to]
	rate := s.market.rates(a.pool)[1-a.from]
	if desk.active[to] == desk.stamp || rate == 0 || late && known > 0 || rate*worth <= known*(1+tiny) {
		return
	}
	desk.values[to], desk.via[to] = min(max(rate*worth, leastPrice), mostPrice), a.pool
	if desk.queued[to] != desk.queue {
		desk.queued[to] = desk.queue
		desk.frontier = append(desk.frontier, to)
	}
}
