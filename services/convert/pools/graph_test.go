package pools

import (
	"encoding/binary"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/route"
)

// synced is the event of a v2 pool whose reserves are both n.
func synced(e entry, n uint64) event {
	s := event{contract: e.Address, topics: []hash{syncTopic}, data: make([]byte, 2*wordSize)}
	binary.BigEndian.PutUint64(s.data[24:], n)
	binary.BigEndian.PutUint64(s.data[56:], n)
	return s
}

func TestAPoolThatIsEmptiedAndFilledAgainKeepsItsPlaceInTheGraph(t *testing.T) {
	w, b, log := fleet(t, 1_000), graphBuilder{}, slog.New(slog.DiscardHandler)
	if err := b.update(w, log); err != nil {
		t.Fatal(err)
	}
	const place = 1
	layout, at := b.layout, b.places[place]
	for number, reserve := range []uint64{0, 0, 7, 0, 9} {
		w.extend(header{number: uint64(number) + 2}, []event{synced(w.entries[place], reserve)})
		if err := b.update(w, log); err != nil {
			t.Fatal(err)
		}
		if b.layout != layout {
			t.Fatalf("with reserves of %d the graph of all pools is built again", reserve)
		}
		if isClosed := b.graph.Pool(at).Model == route.Closed; isClosed != (reserve == 0) {
			t.Errorf("with reserves of %d the pool is closed: %t", reserve, isClosed)
		}
	}
	if p := b.graph.Pool(0); p.Model == route.Closed {
		t.Error("another pool is closed")
	}
}

func TestAGraphWithManyClosedPoolsIsBuiltWithoutThem(t *testing.T) {
	w, b, log := fleet(t, 100), graphBuilder{}, slog.New(slog.DiscardHandler)
	if err := b.update(w, log); err != nil {
		t.Fatal(err)
	}
	var events []event
	for _, e := range w.entries {
		if e.Kind == V2 {
			events = append(events, synced(e, 0))
		}
	}
	w.extend(header{number: 2}, events)
	if err := b.update(w, log); err != nil {
		t.Fatal(err)
	}
	if b.graph.Pools() != 20 || len(b.closed) != 0 {
		t.Errorf("%d pools, %d of them closed", b.graph.Pools(), len(b.closed))
	}
}

func TestAGraphThatIsBuiltAgainHasTheStatesOfItsPools(t *testing.T) {
	w, b, log := fleet(t, 500), graphBuilder{}, slog.New(slog.DiscardHandler)
	random := rand.New(rand.NewPCG(7, 8))
	for number := uint64(2); number < 12; number++ {
		w.extend(header{number: number}, append(traffic(w, random), synced(w.entries[1], number%2)))
		switch {
		case number%3 == 0:
			other := fleet(t, 500+int(number)).entries[500:]
			w.add(other)
		case number == 7:
			w.shrink(490)
		}
		if err := b.update(w, log); err != nil {
			t.Fatal(err)
		}
		var fresh graphBuilder
		w.reshaped = true
		if err := fresh.update(w, log); err != nil {
			t.Fatal(err)
		}
		for place, at := range fresh.places {
			if got, want := b.graph.Pool(b.places[place]).Model, fresh.graph.Pool(at).Model; !reflect.DeepEqual(got, want) {
				t.Fatalf("block %d: pool %d is %+v, want %+v", number, place, got, want)
			}
		}
		if open := b.graph.Pools() - len(b.closed); open != fresh.graph.Pools() {
			t.Errorf("block %d: %d pools are open, want %d", number, open, fresh.graph.Pools())
		}
	}
}
