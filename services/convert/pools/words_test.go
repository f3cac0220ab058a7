package pools

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestWordsCoverTheKnownTicks(t *testing.T) {
	for _, c := range []struct {
		tick, spacing int32
		whole         bool
	}{
		{0, 200, true}, {-5_000, 200, true}, {-887_272, 200, false}, {0, 60, false}, {887_271, 60, false}, {1, 50, false},
		{0, 10, false}, {0, 1, false}, {-200_000, 10, false}, {887_271, 1, false}, {-887_272, 10, false},
	} {
		first, last := words(c.tick, c.spacing)
		low, high := span(first, last, c.spacing)
		if c.tick < low || c.tick > high || last-first > 2*wordReach {
			t.Errorf("tick %d, spacing %d: words %d to %d, ticks %d to %d", c.tick, c.spacing, first, last, low, high)
		}
		if whole := low == -maxTick && high >= maxTick-c.spacing; whole != c.whole {
			t.Errorf("tick %d, spacing %d: ticks %d to %d", c.tick, c.spacing, low, high)
		}
		if low != -maxTick && wordOf(low, c.spacing) != first || low != -maxTick && wordOf(low-1, c.spacing) != first-1 {
			t.Errorf("tick %d, spacing %d: the first word %d begins at %d", c.tick, c.spacing, first, low)
		}
		if high != maxTick && wordOf(high, c.spacing) != last || high != maxTick && wordOf(high+c.spacing, c.spacing) != last+1 {
			t.Errorf("tick %d, spacing %d: the last word %d ends at %d", c.tick, c.spacing, last, high)
		}
		fresh := &position{sqrtPrice: *uint256.NewInt(1), tick: c.tick, ladder: &ladder{low: low, high: high}}
		if fresh.isNearEdge(c.spacing) {
			t.Errorf("tick %d, spacing %d: what was just read is read again", c.tick, c.spacing)
		}
	}
}

func TestAWordMarksTheInitialisedTicks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		place, spacing := random.Int32N(40)-20, []int32{1, 10, 60}[random.IntN(3)]
		var word uint256.Int
		var want []int32
		for bit := range int32(256) {
			if random.IntN(20) == 0 {
				word.Or(&word, new(uint256.Int).Lsh(uint256.NewInt(1), uint(bit)))
				want = append(want, (place*256+bit)*spacing)
			}
		}
		got := initialised(&word, place, spacing)
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for _, tick := range got {
			if wordOf(tick, spacing) != place {
				t.Fatalf("tick %d is in word %d, not %d", tick, wordOf(tick, spacing), place)
			}
		}
	}
}

func TestPairsAreWithHubsAndWithEachOther(t *testing.T) {
	one, two, three, four := evm.Address{1}, evm.Address{2}, evm.Address{3}, evm.Address{4}
	got := pairsAbout([]evm.Address{one, two}, []evm.Address{four, three, one, four, {}})
	want := []pair{{one, four}, {two, four}, {one, three}, {two, three}, {three, four}, {one, two}}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for _, p := range want {
		if !slices.Contains(got, p) {
			t.Errorf("without %v", p)
		}
	}
}

func TestTheUndoHistoryIsBounded(t *testing.T) {
	l := newPairSet()
	for i := range 3 * maxPairs {
		l.note([]pair{{{byte(i)}, {byte(i >> 8), byte(i >> 16)}}})
	}
	if n := len(l.pairs); n > maxPairs || n < maxPairs*7/8 {
		t.Errorf("%d pairs", len(l.pairs))
	}
}

func TestInconsistentEventsMarkAPoolAsStale(t *testing.T) {
	held := &position{sqrtPrice: *uint256.NewInt(1 << 40), liquidity: *uint256.NewInt(10), ladder: &ladder{low: -100, high: 100}}
	end := func(tick int32) hash { return hash(signedWord(tick)) }
	moved := func(topic hash, lower, upper int32, amount uint64, words int) event {
		data := make([]byte, words*wordSize)
		at := words - 3
		uint256.NewInt(amount).WriteToSlice(data[at*wordSize : (at+1)*wordSize])
		return event{topics: []hash{topic, {}, end(lower), end(upper)}, data: data}
	}
	for what, c := range map[string]struct {
		held state
		e    event
	}{
		"reserves of one word":                 {&reserves{}, event{topics: []hash{syncTopic}, data: make([]byte, 32)}},
		"a swap of four words":                 {held, event{topics: []hash{swapTopic}, data: make([]byte, 128)}},
		"a swap before there is a price":       {&position{ladder: &ladder{}}, event{topics: []hash{swapTopic}, data: make([]byte, 160)}},
		"a first price":                        {held, event{topics: []hash{initializeTopic}, data: make([]byte, 64)}},
		"more taken than the liquidity":        {held, moved(burnTopic, -10, 10, 11, 3)},
		"taken from a range without liquidity": {held, moved(burnTopic, 20, 30, 1, 3)},
		"ends in the wrong order":              {held, moved(mintTopic, 10, -10, 1, 4)},
		"a mint without its ends":              {held, event{topics: []hash{mintTopic}, data: make([]byte, 128)}},
		"a burn of two words":                  {held, event{topics: []hash{burnTopic, {}, {}, {}}, data: make([]byte, 64)}},
	} {
		if next, err := after(c.held, c.e); err == nil {
			t.Errorf("%s: taken for %s", what, spelt(next))
		}
	}
	for what, e := range map[string]event{
		"of an unknown topic":  {topics: []hash{{1}}},
		"without a topic":      {},
		"a burn of zero":       moved(burnTopic, 20, 30, 0, 3),
		"a collection of fees": {topics: []hash{topic("Collect(address,address,int24,int24,uint128,uint128)")}},
	} {
		if next, err := after(held, e); err != nil || next != state(held) {
			t.Errorf("%s: %v, %s", what, err, spelt(next))
		}
	}
	next, err := after(held, moved(mintTopic, -10, 10, 5, 4))
	if err != nil {
		t.Fatal(err)
	}
	if grown := next.(*position); grown.liquidity.Uint64() != 15 || len(grown.ladder.ticks) != 2 || len(held.ladder.ticks) != 0 {
		t.Errorf("a mint at the price: %s", spelt(grown))
	}
}
