package pools

import (
	"bytes"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/dex"
)

// FuzzOutput decodes arbitrary answers of a node as the program's output.
func FuzzOutput(f *testing.F) {
	word := func(n byte) []byte { return append(make([]byte, 31), n) }
	tick := append([]byte{0, 0, 0, 60}, bytes.Repeat([]byte{1}, 32)...)
	f.Add(slices.Concat(word(2), word(1), word(2), word(9), word(0), word(5), word(1), tick))
	f.Add(slices.Concat(word(1), bytes.Repeat([]byte{0xff}, 32)))
	f.Add(slices.Concat(word(2), word(1), word(2), word(9), word(0), word(5), bytes.Repeat([]byte{0xff}, 32)))
	v2 := &factory{kind: V2, v2: &dex.V2{FeeNumerator: 997, FeeDenominator: 1000}}
	v3 := &factory{kind: V3, v3: &dex.V3{Spacing: map[uint32]int32{3000: 60}}}
	algebra := &factory{kind: Algebra}
	f.Fuzz(func(t *testing.T, out []byte) {
		pools := []entry{{Pool: Pool{Kind: V2, Fee: 3000}, factory: v2}, {Pool: Pool{Kind: V3, Fee: 3000}, factory: v3}, {Pool: Pool{Kind: Algebra}, factory: algebra}}
		n, err := readOutput(out, pointers(pools))
		if err != nil {
			return
		}
		for _, p := range pools[:n] {
			if p.state == nil {
				continue
			}
			// Values that no pool can hold must be an error, and never a panic.
			_, _ = p.state.model(p.Pool, p.terms())
		}
	})
}

// FuzzEvent applies arbitrary events of a contract.
func FuzzEvent(f *testing.F) {
	for i, topic := range []hash{syncTopic, swapTopic, pancakeSwapTopic, mintTopic, burnTopic, initializeTopic, pairTopic, poolTopic} {
		f.Add(topic[:], byte(i), make([]byte, 32*i))
	}
	f.Fuzz(func(t *testing.T, topic []byte, topics byte, data []byte) {
		e := event{data: data}
		for range topics % 5 {
			var h hash
			copy(h[:], topic)
			e.topics = append(e.topics, h)
			topic = topic[min(len(topic), 1):]
		}
		e.created()
		p := &position{ladder: &ladder{low: -600, high: 600}}
		p.sqrtPrice.SetUint64(1 << 60)
		p.liquidity.SetUint64(1000)
		for _, s := range []state{&reserves{}, p, &position{ladder: &ladder{}}} {
			next, err := after(s, e)
			if err == nil && next == nil {
				t.Error("a pool vanished")
			}
		}
		if len(p.ladder.ticks) > 0 {
			t.Error("a state was changed")
		}
	})
}
