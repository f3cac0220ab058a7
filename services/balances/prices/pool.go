package prices

import (
	"bytes"
	"math"
	"math/big"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// ticksAhead is how many ticks of a v3 pool are read in the direction of a sale, and ticksBehind how many in the other direction, for a
	// price that moved since the last read.
	ticksAhead  = 24
	ticksBehind = 2
	// maxTick bounds the ticks of every v3 pool.
	maxTick = 887_272
)

var (
	getPair     = evm.Selector("getPair(address,address)")
	getPool     = evm.Selector("getPool(address,address,uint24)")
	getReserves = evm.Selector("getReserves()")
	slot0       = evm.Selector("slot0()")
	liquidity   = evm.Selector("liquidity()")
	ticks       = evm.Selector("ticks(int24)")
	balanceOf   = evm.Selector("balanceOf(address)")
	totalSupply = evm.Selector("totalSupply()")
)

// pool is a pool of a token and an anchor.
type pool struct {
	address       evm.Address
	token, anchor Unit
	fee           uint32
	// spacing is the tick spacing of a v3 pool; 0 for a v2 pool.
	spacing int32
	// tick is the current tick of a v3 pool at the last read; tickKnown means that there was one.
	tick      int32
	tickKnown bool
}

// tokenFirst reports whether the token is token0. Pools sort their tokens by address.
func (m *pool) tokenFirst() bool { return bytes.Compare(m.token.Token[:], m.anchor.Token[:]) < 0 }

// queries returns the queries for the pool's state.
func (m *pool) queries() []evm.Query {
	target := []evm.Address{m.address}
	if m.spacing == 0 {
		return []evm.Query{{Call: getReserves, Keep: 64, Targets: target}}
	}
	queries := []evm.Query{
		{Call: slot0, Keep: 64, Targets: target},
		{Call: liquidity, Keep: 32, Targets: target},
		{Call: joined(balanceOf, evm.Word(m.address)), Keep: 32, Targets: []evm.Address{m.anchor.Token}},
	}
	for _, tick := range m.window() {
		queries = append(queries, evm.Query{Call: joined(ticks, signedWord(tick)), Keep: 64, Targets: target})
	}
	return queries
}

// window returns the ticks to read around the last known one, in the order that a sale crosses them; none if it is unknown.
func (m *pool) window() []int32 {
	if !m.tickKnown {
		return nil
	}
	first, direction := m.firstStep(m.tick), m.direction()
	var window []int32
	for i := int32(-ticksBehind); i < ticksAhead; i++ {
		if tick := first + i*direction*m.spacing; tick > -maxTick && tick < maxTick {
			window = append(window, tick)
		}
	}
	return window
}

// direction returns 1 if a sale of the token raises the tick, and -1 if it lowers it.
func (m *pool) direction() int32 {
	if m.tokenFirst() {
		return -1
	}
	return 1
}

// firstStep returns the first tick that a sale crosses at which the liquidity may change.
func (m *pool) firstStep(tick int32) int32 {
	below := tick / m.spacing * m.spacing
	if below > tick {
		below -= m.spacing
	}
	if m.tokenFirst() {
		return below
	}
	return below + m.spacing
}

// readState is the outcome of reading a pool.
type readState int

const (
	// invalid means that the contract does not answer as a pool.
	invalid readState = iota
	// tickMoved means that the current tick is outside the ticks that were read. The next queries read the ticks around it.
	tickMoved
	// complete means that the curve is known.
	complete
)

// curve decodes the answers to the pool's queries.
func (m *pool) curve(answers [][]evm.Answer) (depth.Curve, readState) {
	if m.spacing == 0 {
		return m.constantProduct(answers[0][0])
	}
	return m.concentrated(answers)
}

func (m *pool) constantProduct(reserves evm.Answer) (depth.Curve, readState) {
	if !reserves.OK || len(reserves.Data) < 64 {
		return nil, invalid
	}
	token, anchor := wordFloat(reserves.Data[:32]), wordFloat(reserves.Data[32:64])
	if !m.tokenFirst() {
		token, anchor = anchor, token
	}
	if token == 0 || anchor == 0 {
		return nil, invalid
	}
	return depth.ConstantProduct{Token: token, Anchor: anchor, Fee: m.fee}, complete
}

func (m *pool) concentrated(answers [][]evm.Answer) (depth.Curve, readState) {
	state, held := answers[0][0], answers[2][0]
	active, ok := answers[1][0].Amount()
	if !ok || !held.OK || len(held.Data) < 32 || !state.OK || len(state.Data) < 64 {
		return nil, invalid
	}
	root := math.Ldexp(wordFloat(state.Data[:32]), -96)
	tick := signed(state.Data[32:64])
	if root == 0 || !tick.IsInt64() || tick.Int64() < -maxTick || tick.Int64() > maxTick {
		return nil, invalid
	}
	window := m.window()
	m.tick, m.tickKnown = int32(tick.Int64()), true
	steps, covered := m.steps(window, answers[3:])
	if !covered {
		return nil, tickMoved
	}
	if !m.tokenFirst() {
		root = 1 / root
	}
	liquidity, _ := new(big.Float).SetInt(active).Float64()
	return depth.Concentrated{Root: root, Liquidity: liquidity, Fee: m.fee, Steps: steps, Anchor: wordFloat(held.Data[:32])}, complete
}

// steps decodes the ticks from the current one on; false if the window does not contain it.
func (m *pool) steps(window []int32, answers [][]evm.Answer) ([]depth.Step, bool) {
	first := m.firstStep(m.tick)
	var steps []depth.Step
	covered := false
	for i, tick := range window {
		if (tick-first)*m.direction() < 0 {
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
		steps = append(steps, depth.Step{Root: root, Change: change})
	}
	return steps, covered
}

// joined returns the call data of a selector and its arguments.
func joined(selector []byte, words ...[]byte) []byte {
	return append(bytes.Clone(selector), bytes.Join(words, nil)...)
}

// signedWord encodes an int256.
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

// signed decodes an int256.
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
