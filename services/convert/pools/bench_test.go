package pools

import (
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// sizes are the numbers of pools in benchmarks: those of a quiet chain and of a very busy one.
var sizes = []int{2_500, 25_000}

// eventsPerBlock is how many logs of pools a block of a busy chain has.
const eventsPerBlock = 200

// numbered returns a distinct address for each number.
func numbered(n int) (a evm.Address) {
	binary.BigEndian.PutUint64(a[12:], uint64(n))
	return a
}

// fleet returns a state with many pools: four in five are of v2, the others have fifteen positions each.
func fleet(tb testing.TB, size int) *chainState {
	tb.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	w := newChainState(dex.Chain{ID: "eip155:1", Wrapped: numbered(0)})
	v2 := &factory{kind: V2, address: numbered(1 << 40), v2: &dex.V2{FeeNumerator: 997, FeeDenominator: 1000}}
	v3 := &factory{kind: V3, address: numbered(1<<40 + 1), v3: &dex.V3{Spacing: map[uint32]int32{3000: 60}}}
	w.factories = []*factory{v2, v3}
	w.begin(header{number: 1, hash: hash{1}})
	var found []entry
	for i := range size {
		token0 := random.IntN(size / 6)
		e := entry{Pool: Pool{Address: numbered(1<<32 + i), Token0: numbered(token0), Token1: numbered(token0 + 1 + random.IntN(size/6)), Kind: V2, Fee: 3000}, factory: v2}
		e.state = &reserves{*uint256.NewInt(random.Uint64()), *uint256.NewInt(random.Uint64())}
		if i%5 == 0 {
			p := &position{ladder: &ladder{low: -maxTick, high: maxTick}}
			p.sqrtPrice.Lsh(uint256.NewInt(1), 96)
			for range 15 {
				lower := 60 * (random.Int32N(100) - 50)
				var err error
				if p, err = p.moved(lower, lower+60*(1+random.Int32N(100)), uint256.NewInt(random.Uint64()), true); err != nil {
					tb.Fatal(err)
				}
			}
			e.Kind, e.factory, e.state = V3, v3, p
		}
		found = append(found, e)
	}
	w.add(found)
	return w
}

// traffic returns the events of one block.
func traffic(w *chainState, random *rand.Rand) []event {
	events := make([]event, eventsPerBlock)
	for i := range events {
		e := &w.entries[random.IntN(len(w.entries))]
		events[i] = event{contract: e.Address, topics: []hash{syncTopic}, data: make([]byte, 2*wordSize)}
		binary.BigEndian.PutUint64(events[i].data[24:], random.Uint64()|1)
		binary.BigEndian.PutUint64(events[i].data[56:], random.Uint64()|1)
		if p, ok := e.state.(*position); ok {
			data := make([]byte, 5*wordSize)
			p.sqrtPrice.WriteToSlice(data[2*wordSize : 3*wordSize])
			p.liquidity.WriteToSlice(data[3*wordSize : 4*wordSize])
			events[i] = event{contract: e.Address, topics: []hash{swapTopic, {}, {}}, data: data}
		}
	}
	return events
}

// BenchmarkABlock applies a block and builds the graph after it.
func BenchmarkABlock(b *testing.B) {
	log := slog.New(slog.DiscardHandler)
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%d pools", size), func(b *testing.B) {
			w, shown, random := fleet(b, size), graphBuilder{}, rand.New(rand.NewPCG(7, 8))
			if err := shown.update(w, log); err != nil {
				b.Fatal(err)
			}
			number := uint64(1)
			for b.Loop() {
				number++
				w.extend(header{number: number}, traffic(w, random))
				if err := shown.update(w, log); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkABlockThatEmptiesAPool is BenchmarkABlock with a pool that is emptied in one block and filled in the next.
func BenchmarkABlockThatEmptiesAPool(b *testing.B) {
	log := slog.New(slog.DiscardHandler)
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%d pools", size), func(b *testing.B) {
			w, shown, random := fleet(b, size), graphBuilder{}, rand.New(rand.NewPCG(7, 8))
			if err := shown.update(w, log); err != nil {
				b.Fatal(err)
			}
			number := uint64(1)
			for b.Loop() {
				number++
				w.extend(header{number: number}, append(traffic(w, random), synced(w.entries[1], number%2)))
				if err := shown.update(w, log); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAnotherPool builds the whole graph, as is necessary for a new pool.
func BenchmarkAnotherPool(b *testing.B) {
	log := slog.New(slog.DiscardHandler)
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%d pools", size), func(b *testing.B) {
			w, shown := fleet(b, size), graphBuilder{}
			for b.Loop() {
				w.reshaped = true
				if err := shown.update(w, log); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkASnapshot writes a snapshot to disk and reads it.
func BenchmarkASnapshot(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%d pools", size), func(b *testing.B) {
			w, path := fleet(b, size), filepath.Join(b.TempDir(), "chain.pools")
			for b.Loop() {
				if err := writeSnapshot(path, w.snapshot()); err != nil {
					b.Fatal(err)
				}
				s, err := readSnapshot(path)
				if err != nil {
					b.Fatal(err)
				}
				again := newChainState(w.chain)
				again.factories = w.factories
				if again.restore(s); len(again.entries) != size {
					b.Fatalf("%d pools", len(again.entries))
				}
			}
		})
	}
}

// TestAPoolUsesLittleMemory bounds the memory of a stored pool, including its place in the graph.
func TestAPoolUsesLittleMemory(t *testing.T) {
	const size, most = 5_000, 16 << 10
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := used()
	w, shown := fleet(t, size), graphBuilder{}
	if err := shown.update(w, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	if each := (used() - before) / size; each > most {
		t.Errorf("a pool takes %d bytes", each)
	} else {
		t.Logf("a pool takes %d bytes", each)
	}
	runtime.KeepAlive(w)
	runtime.KeepAlive(shown)
}

// fixed has only the venues of Ethereum.
type fixed struct{ chain dex.Chain }

func (f fixed) On(chainID string) (dex.Chain, bool) { return f.chain, chainID == f.chain.ID }

// BenchmarkAWarmView measures a view of known tokens.
func BenchmarkAWarmView(b *testing.B) {
	table, err := dex.Load(dex.Config{}, devnet.Open("", slog.Default()), slog.Default())
	if err != nil {
		b.Fatal(err)
	}
	chain, _ := table.On("eip155:1")
	k := New(Options{
		Config: DefaultConfig(), Venues: fixed{chain}, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		Connect: func(string) chainclient.Transport { return nil },
	})
	defer k.Close()
	tokens := []evm.Address{numbered(1), numbered(2)}
	f := newTracker(k, chain)
	f.running = true
	f.looked.note(pairsAbout(chain.Hubs, tokens))
	f.view.Store(&View{Checked: time.Now().Add(time.Hour)})
	k.chains[chain.ID] = f
	for b.Loop() {
		if _, err := k.View(b.Context(), chain.ID, tokens...); err != nil {
			b.Fatal(err)
		}
	}
}
