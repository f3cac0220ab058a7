package prices

import (
	"bytes"
	"math"
	"math/big"

	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// stepsAhead is how many steps of a v3 pool are looked at in the direction of a sale, and stepsBehind how far the price may have
	// moved the other way since it was last looked at.
	stepsAhead  = 24
	stepsBehind = 2
	// lastTick bounds the ticks of every v3 pool.
	lastTick = 887_272
)

var (
	getPair     = evm.Selector("getPair(address,address)")
	getPool     = evm.Selector("getPool(address,address,uint24)")
	getReserves = evm.Selector("getReserves()")
	slot0       = evm.Selector("slot0()")
	liquidity   = evm.Selector("liquidity()")
	ticks       = evm.Selector("ticks(int24)")
	balanceOf   = evm.Selector("balanceOf(address)")
)

// market is one pool in which a token is traded for an anchor.
type market struct {
	pool          evm.Address
	token, anchor Unit
	fee           uint32
	// spacing is the distance of the ticks of a v3 pool; 0 for a v2 one.
	spacing int32
	// tick is where a v3 pool stood when it was last looked at; seen says that it was.
	tick int32
	seen bool
}

// tokenFirst says whether the token is token0: pools sort theirs by address.
func (m *market) tokenFirst() bool { return bytes.Compare(m.token.Token[:], m.anchor.Token[:]) < 0 }

// queries ask the pool for its state.
func (m *market) queries() []evm.Query {
	pool := []evm.Address{m.pool}
	if m.spacing == 0 {
		return []evm.Query{{Call: getReserves, Keep: 64, Targets: pool}}
	}
	queries := []evm.Query{
		{Call: slot0, Keep: 64, Targets: pool},
		{Call: liquidity, Keep: 32, Targets: pool},
		{Call: joined(balanceOf, evm.Word(m.pool)), Keep: 32, Targets: []evm.Address{m.anchor.Token}},
	}
	for _, tick := range m.window() {
		queries = append(queries, evm.Query{Call: joined(ticks, signedWord(tick)), Keep: 64, Targets: pool})
	}
	return queries
}

// window are the ticks to look at around the one last seen, in the order that a sale meets them; none before it was seen.
func (m *market) window() []int32 {
	if !m.seen {
		return nil
	}
	first, way := m.firstStep(m.tick), m.way()
	var window []int32
	for i := int32(-stepsBehind); i < stepsAhead; i++ {
		if tick := first + i*way*m.spacing; tick > -lastTick && tick < lastTick {
			window = append(window, tick)
		}
	}
	return window
}

// way is the direction in which a sale of the token moves the tick.
func (m *market) way() int32 {
	if m.tokenFirst() {
		return -1
	}
	return 1
}

// firstStep is the first tick at which the liquidity may change once a sale moves the pool from where it stands.
func (m *market) firstStep(tick int32) int32 {
	below := tick / m.spacing * m.spacing
	if below > tick {
		below -= m.spacing
	}
	if m.tokenFirst() {
		return below
	}
	return below + m.spacing
}

// standing is what the answers of a pool are good for.
type standing int

const (
	// nowhere: it does not answer as its shape should.
	nowhere standing = iota
	// elsewhere: it stands where it was not looked at yet, and the next queries look there.
	elsewhere
	// here: its curve is known.
	here
)

// curve reads the answers to the market's queries.
func (m *market) curve(answers [][]evm.Answer) (curve, standing) {
	if m.spacing == 0 {
		return m.constantProduct(answers[0][0])
	}
	return m.concentrated(answers)
}

func (m *market) constantProduct(reserves evm.Answer) (curve, standing) {
	if !reserves.OK || len(reserves.Data) < 64 {
		return nil, nowhere
	}
	token, anchor := wordFloat(reserves.Data[:32]), wordFloat(reserves.Data[32:64])
	if !m.tokenFirst() {
		token, anchor = anchor, token
	}
	if token == 0 || anchor == 0 {
		return nil, nowhere
	}
	return constantProduct{token: token, anchor: anchor, fee: m.fee}, here
}

func (m *market) concentrated(answers [][]evm.Answer) (curve, standing) {
	state, held := answers[0][0], answers[2][0]
	active, ok := answers[1][0].Amount()
	if !ok || !held.OK || len(held.Data) < 32 || !state.OK || len(state.Data) < 64 {
		return nil, nowhere
	}
	root := math.Ldexp(wordFloat(state.Data[:32]), -96)
	tick := signed(state.Data[32:64])
	if root == 0 || !tick.IsInt64() || tick.Int64() < -lastTick || tick.Int64() > lastTick {
		return nil, nowhere
	}
	window := m.window()
	m.tick, m.seen = int32(tick.Int64()), true
	steps, covered := m.steps(window, answers[3:])
	if !covered {
		return nil, elsewhere
	}
	if !m.tokenFirst() {
		root = 1 / root
	}
	depth, _ := new(big.Float).SetInt(active).Float64()
	return concentrated{root: root, liquidity: depth, fee: m.fee, steps: steps, anchor: wordFloat(held.Data[:32])}, here
}

// steps reads where the liquidity changes from where the pool stands now on; false when the window begins past it.
func (m *market) steps(window []int32, answers [][]evm.Answer) ([]step, bool) {
	first := m.firstStep(m.tick)
	var steps []step
	covered := false
	for i, tick := range window {
		if (tick-first)*m.way() < 0 {
			continue
		}
		covered = covered || tick == first
		a := answers[i][0]
		if !a.OK || len(a.Data) < 64 {
			return nil, false
		}
		change, _ := new(big.Float).SetInt(signed(a.Data[32:64])).Float64()
		root := math.Pow(1.0001, float64(tick)/2)
		if m.tokenFirst() {
			change = -change
		} else {
			root = 1 / root
		}
		steps = append(steps, step{root: root, change: change})
	}
	return steps, covered
}

func joined(selector []byte, words ...[]byte) []byte {
	return append(bytes.Clone(selector), bytes.Join(words, nil)...)
}

// signedWord is a two's complement of 256 bits.
func signedWord(n int32) []byte {
	word := make([]byte, 32)
	if n < 0 {
		for i := range word {
			word[i] = 0xff
		}
	}
	for i := range 4 {
		word[31-i] = byte(uint32(n) >> (8 * i))
	}
	return word
}

func signed(word []byte) *big.Int {
	n := new(big.Int).SetBytes(word)
	if word[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 256))
	}
	return n
}

func wordFloat(word []byte) float64 {
	f, _ := new(big.Float).SetInt(new(big.Int).SetBytes(word)).Float64()
	return f
}
