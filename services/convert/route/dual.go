package route

import "math"

// dual is the dual problem over a few pools: find prices of the tokens at which the trades of arbitrageurs, together
// with the amount sold, balance for every token. Prices are in base units of the bought token per base unit; the bought
// token, node 0, has the price 1, and the sold token is node 1.
//
// With the amount A of the sold token and pi_i the profit of pool i's best arbitrage, g = price*A + sum pi_i is convex
// in the prices, and at any prices no trade through these pools has an output above g.
type dual struct {
	amount  float64
	nodes   []node
	members []member
	// The members that touch a node are touching[node.first:node.last].
	touching []int32

	newton newton
}

// node is a token, or a token within a venue if paths must not change venues.
type node struct {
	key         int32
	price       float64
	first, last int32
}

// member is a pool of the problem with the nodes of its tokens.
type member struct {
	pool  int32
	ends  [2]int32
	curve *curve
	// ways are the directions in which the pool may be used.
	ways ways
}

// ways is a set of sides, one bit each.
type ways uint8

const bothWays ways = 3

func (w ways) allow(s side) bool { return w>>s&1 != 0 }

const (
	boughtNode = 0
	soldNode   = 1
)

// trade is a member's best arbitrage.
type trade struct {
	from    side
	in, out float64
}

// respond returns the member's best arbitrage at the values of its tokens, in its allowed directions.
func (m *member) respond(value0, value1 float64) (from side, in, out float64) {
	if m.ways.allow(0) {
		if in, out = m.curve.exploit(0, value1/value0); in > 0 {
			return 0, in, out
		}
	}
	if m.ways.allow(1) {
		in, out = m.curve.exploit(1, value0/value1)
	}
	return 1, in, out
}

func (d *dual) trade(m *member) (t trade) {
	t.from, t.in, t.out = m.respond(d.nodes[m.ends[0]].price, d.nodes[m.ends[1]].price)
	return t
}

// link fills in which members touch which nodes.
func (d *dual) link() {
	for i := range d.nodes {
		d.nodes[i].first, d.nodes[i].last = 0, 0
	}
	for _, m := range d.members {
		d.nodes[m.ends[0]].last++
		d.nodes[m.ends[1]].last++
	}
	sum := int32(0)
	for i := range d.nodes {
		count := d.nodes[i].last
		d.nodes[i].first, d.nodes[i].last = sum, sum
		sum += count
	}
	d.touching = cleared(d.touching, int(sum))
	for i, m := range d.members {
		for _, end := range m.ends {
			d.touching[d.nodes[end].last] = int32(i)
			d.nodes[end].last++
		}
	}
}

// surplus returns how much of a node's token is left over at a price: what comes in less what goes into pools. It
// increases with the price.
func (d *dual) surplus(n int, price float64) float64 {
	left := 0.0
	if n == soldNode {
		left = d.amount
	}
	at := &d.nodes[n]
	for _, i := range d.touching[at.first:at.last] {
		m := &d.members[i]
		if int(m.ends[0]) == n {
			left -= m.flow(0, price, d.nodes[m.ends[1]].price)
		} else {
			left -= m.flow(1, price, d.nodes[m.ends[0]].price)
		}
	}
	return left
}

// flow returns how much of the token on a side the best arbitrage puts in; negative if it takes it out.
func (m *member) flow(own side, price, other float64) float64 {
	if m.ways.allow(own) {
		if in, _ := m.curve.exploit(own, other/price); in > 0 {
			return in
		}
	}
	if !m.ways.allow(1 - own) {
		return 0
	}
	_, out := m.curve.exploit(1-own, price/other)
	return -out
}

// settle moves the price of each node in turn to where its surplus is 0, for a number of sweeps. The surplus is
// monotone in the price, so bisection converges from any start.
func (d *dual) settle(sweeps int) {
	for range sweeps {
		for n := 1; n < len(d.nodes); n++ {
			d.settleNode(n)
		}
	}
}

func (d *dual) settleNode(n int) {
	d.nodes[n].price = balance(d.nodes[n].price, func(price float64) float64 { return d.surplus(n, price) })
}

// balance returns the price at which a surplus that increases with the price is 0, searching from a first price. If the
// surplus does not change sign, it returns the first price.
func balance(price float64, surplus func(price float64) float64) float64 {
	low, high := price, price
	step := 1.001
	if surplus(price) > 0 {
		for range 40 {
			high = low
			low /= step
			step *= step
			if low < leastPrice || surplus(low) <= 0 {
				break
			}
		}
	} else {
		for range 40 {
			low = high
			high *= step
			step *= step
			if high > mostPrice || surplus(high) >= 0 {
				break
			}
		}
	}
	if low < leastPrice || high > mostPrice {
		return price
	}
	for i := 0; i < 30 && high/low-1 > 1e-7; i++ {
		middle := math.Sqrt(low) * math.Sqrt(high)
		if surplus(middle) > 0 {
			high = middle
		} else {
			low = middle
		}
	}
	return math.Sqrt(low) * math.Sqrt(high)
}

// Prices outside of these bounds are implausible for anything that is traded.
const (
	leastPrice = 1e-120
	mostPrice  = 1e120
)

// value returns g at the nodes' prices multiplied by factors e^offset, and sets left to the value of the surplus at
// each node.
func (d *dual) value(prices, left []float64) float64 {
	clear(left)
	left[soldNode] = prices[soldNode] * d.amount
	g := left[soldNode]
	for i := range d.members {
		m := &d.members[i]
		a, b := m.ends[0], m.ends[1]
		from, in, out := m.respond(prices[a], prices[b])
		if in == 0 {
			continue
		}
		if from == 1 {
			a, b = b, a
		}
		paid, got := prices[a]*in, prices[b]*out
		g += got - paid
		left[a] -= paid
		left[b] += got
	}
	return g
}
