package pools

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var (
	reservesCall  = evm.Selector("getReserves()")
	slotCall      = evm.Selector("slot0()")
	liquidityCall = evm.Selector("liquidity()")
	bitmapCall    = evm.Selector("tickBitmap(int16)")
	ticksCall     = evm.Selector("ticks(int24)")
	stateCall     = evm.Selector("globalState()")
	tableCall     = evm.Selector("tickTable(int16)")
)

// The functions of pools, by kind, for their price and their tick bitmap.
var (
	headCalls = map[Kind][]byte{V3: slotCall, Algebra: stateCall}
	wordCalls = map[Kind][]byte{V3: bitmapCall, Algebra: tableCall}
)

// read returns the states of pools at a block; nil for one that does not exist or does not answer as a pool. It takes one round trip if nodes execute the
// program, otherwise three.
func (n node) read(ctx context.Context, block uint64, pools []entry) error {
	left, err := n.readByProgram(ctx, block, pointers(pools))
	if err != nil {
		return err
	}
	return n.readCalls(ctx, block, left)
}

func pointers(pools []entry) []*entry {
	list := make([]*entry, len(pools))
	for i := range pools {
		list[i] = &pools[i]
	}
	return list
}

// readByProgram reads pools with the program, and returns the pools that must be read by calls: those that use more gas than a
// node allows, or all.
func (n node) readByProgram(ctx context.Context, block uint64, pools []*entry) (left []*entry, err error) {
	for len(pools) > 0 && n.refused.Load() < refusals {
		some := pools[:min(len(pools), programPools)]
		done, err := n.run(ctx, block, some)
		if errors.Is(err, errOutput) {
			n.refused.Add(1)
			break
		}
		if err != nil {
			return nil, err
		}
		n.refused.Store(0)
		if done == 0 {
			left, done = append(left, pools[0]), 1
		}
		pools = pools[done:]
	}
	return append(left, pools...), nil
}

// run makes one call of the program and returns how many pools it read. It fails with errOutput if the node did not execute it.
func (n node) run(ctx context.Context, block uint64, pools []*entry) (int, error) {
	results, err := n.send.Batch(ctx, chainclient.Call{Method: "eth_call", Params: []any{
		map[string]string{"to": programAddress.String(), "data": hexutil.Encode(programInput(pools))}, quantity(block),
		map[string]map[string]string{programAddress.String(): {"code": programCode}},
	}})
	if err != nil {
		return 0, err
	}
	out, err := results[0].Bytes()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errOutput, err)
	}
	return readOutput(out, pools)
}

// readCalls reads pools with separate calls.
func (n node) readCalls(ctx context.Context, block uint64, pools []*entry) error {
	if err := n.readHeads(ctx, block, pools); err != nil {
		return err
	}
	var deep []*deepening
	for _, p := range pools {
		if s, ok := p.state.(*position); ok {
			deep = append(deep, newDeepening(p, s))
		}
	}
	if err := n.readWords(ctx, block, deep); err != nil {
		return err
	}
	return n.readTicks(ctx, block, deep)
}

// readHeads reads v2 pools, and v3 pools without their ticks.
func (n node) readHeads(ctx context.Context, block uint64, pools []*entry) error {
	var targets [Algebra + 1][]evm.Address
	for _, p := range pools {
		targets[p.Kind] = append(targets[p.Kind], p.Address)
	}
	reading, err := n.reader.ReadAt(ctx, n.chainID, block, []evm.Query{
		{Call: reservesCall, Keep: 2 * wordSize, Targets: targets[V2]},
		{Call: slotCall, Keep: 2 * wordSize, Targets: targets[V3]},
		{Call: liquidityCall, Keep: wordSize, Targets: targets[V3]},
		{Call: stateCall, Keep: 2 * wordSize, Targets: targets[Algebra]},
		{Call: liquidityCall, Keep: wordSize, Targets: targets[Algebra]},
	})
	if err != nil {
		return err
	}
	var next [Algebra + 1]int
	for _, p := range pools {
		place := next[p.Kind]
		next[p.Kind]++
		switch p.Kind {
		case V2:
			p.state = readReserves(reading.Answers[0][place])
		case V3:
			p.state = readPosition(reading.Answers[1][place], reading.Answers[2][place])
		case Algebra:
			p.state = readPosition(reading.Answers[3][place], reading.Answers[4][place])
		}
	}
	return nil
}

// readReserves decodes getReserves(); nil if it is invalid.
func readReserves(a evm.Answer) state {
	words, ok := wordsOf(a, 2)
	if !ok {
		return nil
	}
	return checkedReserves(words[0], words[1])
}

// checkedReserves returns the reserves, or nil if no pair can hold them.
func checkedReserves(reserve0, reserve1 uint256.Int) state {
	if reserve0.BitLen() > 112 || reserve1.BitLen() > 112 {
		return nil
	}
	return &reserves{reserve0, reserve1}
}

// readPosition decodes slot0() and liquidity(); nil if they are invalid.
func readPosition(slot, liquidity evm.Answer) state {
	at, ok := wordsOf(slot, 2)
	held, okHeld := wordsOf(liquidity, 1)
	if !ok || !okHeld {
		return nil
	}
	if s, ok := checkedPosition(at[0], at[1], held[0]); ok {
		return s
	}
	return nil
}

// checkedPosition returns the position without ticks, or nil if it is impossible.
func checkedPosition(sqrtPrice, tick, liquidity uint256.Int) (*position, bool) {
	if sqrtPrice.BitLen() > 160 || liquidity.BitLen() > 128 {
		return nil, false
	}
	return &position{sqrtPrice: sqrtPrice, liquidity: liquidity, tick: int24(&tick), ladder: &ladder{}}, true
}

func wordsOf(a evm.Answer, n int) ([]uint256.Int, bool) {
	if !a.OK || len(a.Data) < n*wordSize {
		return nil, false
	}
	words := make([]uint256.Int, n)
	for i := range words {
		words[i].SetBytes32(a.Data[i*wordSize : (i+1)*wordSize])
	}
	return words, true
}

// deepening is a v3 pool whose ticks are being read.
type deepening struct {
	pool        *entry
	spacing     int32
	first, last int32
	ladder      *ladder
}

func newDeepening(pool *entry, s *position) *deepening {
	d := &deepening{pool: pool, spacing: pool.terms().spacing, ladder: s.ladder}
	if s.sqrtPrice.IsZero() {
		// A pool without a price has no positions.
		d.first, d.last = wordOf(-maxTick, d.spacing), wordOf(maxTick, d.spacing)
		d.ladder.low, d.ladder.high = span(d.first, d.last, d.spacing)
		d.last = d.first - 1
		return d
	}
	d.first, d.last = words(s.tick, d.spacing)
	d.ladder.low, d.ladder.high = span(d.first, d.last, d.spacing)
	return d
}

// giveUp leaves the pool out because it does not answer as a pool.
func (d *deepening) giveUp() { d.pool.state = nil }

// readWords reads which ticks are initialised.
func (n node) readWords(ctx context.Context, block uint64, pools []*deepening) error {
	for kind, call := range wordCalls {
		if err := n.readWordsOf(ctx, block, kind, call, pools); err != nil {
			return err
		}
	}
	return nil
}

func (n node) readWordsOf(ctx context.Context, block uint64, kind Kind, call []byte, pools []*deepening) error {
	byWord := map[int32][]*deepening{}
	for _, d := range pools {
		for place := d.first; place <= d.last && d.pool.Kind == kind; place++ {
			byWord[place] = append(byWord[place], d)
		}
	}
	if len(byWord) == 0 {
		return nil
	}
	places := slices.Sorted(maps.Keys(byWord))
	answers, err := n.readIndexed(ctx, block, call, wordSize, places, byWord)
	if err != nil {
		return err
	}
	for i, place := range places {
		for k, d := range byWord[place] {
			word, ok := wordsOf(answers[i][k], 1)
			if !ok {
				d.giveUp()
				continue
			}
			for _, index := range initialised(&word[0], place, d.spacing) {
				d.ladder.ticks = append(d.ladder.ticks, tick{index: index})
			}
		}
	}
	return nil
}

// readTicks reads the liquidity of the initialised ticks.
func (n node) readTicks(ctx context.Context, block uint64, pools []*deepening) error {
	byTick := map[int32][]*deepening{}
	for _, d := range pools {
		for _, t := range d.ladder.ticks {
			byTick[t.index] = append(byTick[t.index], d)
		}
	}
	indexes := slices.Sorted(maps.Keys(byTick))
	answers, err := n.readIndexed(ctx, block, ticksCall, 2*wordSize, indexes, byTick)
	if err != nil {
		return err
	}
	filled := map[*deepening]int{}
	for i, index := range indexes {
		for k, d := range byTick[index] {
			words, ok := wordsOf(answers[i][k], 2)
			if !ok || words[0].IsZero() || words[0].BitLen() > 128 {
				d.giveUp()
				continue
			}
			// The ticks of each pool are in ascending order.
			d.ladder.ticks[filled[d]].gross, d.ladder.ticks[filled[d]].net = words[0], words[1]
			filled[d]++
		}
	}
	return nil
}

// readIndexed calls a function of pools with a number.
func (n node) readIndexed(
	ctx context.Context, block uint64, call []byte, keep uint16, indexes []int32, pools map[int32][]*deepening,
) ([][]evm.Answer, error) {
	queries := make([]evm.Query, len(indexes))
	for i, index := range indexes {
		queries[i] = evm.Query{Call: append(slices.Clone(call), signedWord(index)...), Keep: keep}
		for _, d := range pools[index] {
			queries[i].Targets = append(queries[i].Targets, d.pool.Address)
		}
	}
	reading, err := n.reader.ReadAt(ctx, n.chainID, block, queries)
	return reading.Answers, err
}

// signedWord returns a number in two's complement of 256 bits.
func signedWord(n int32) []byte {
	word := make([]byte, wordSize)
	if n < 0 {
		for i := range word {
			word[i] = 0xff
		}
	}
	binary.BigEndian.PutUint32(word[wordSize-4:], uint32(n))
	return word
}
