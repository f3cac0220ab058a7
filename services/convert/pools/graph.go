package pools

import (
	"log/slog"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// graphBuilder keeps the graph of the last published state, to update it instead of building it again.
type graphBuilder struct {
	graph  *route.Graph
	layout *Layout
	// places map the state's pools to the graph's; pools without a model when the graph was built are absent.
	places map[int]int
	// closed are the graph's pools that have had no model since.
	closed map[int]bool
}

// maxClosed is the part of a graph's pools that may be closed before it is built again, as a divisor.
const maxClosed = 16

// update updates the graph to the state. Pools without liquidity, or whose state is stale, are left out, or closed: anybody can empty a pool and fill it again
// at each block, for which the graph of all pools is not built.
func (b *graphBuilder) update(w *chainState, log *slog.Logger) error {
	newer := map[int]route.Model{}
	rebuild := b.graph == nil || w.reshaped
	for place := range w.changed {
		model := w.model(place, log)
		at, shown := b.places[place]
		switch {
		case !shown:
			rebuild = rebuild || model != nil
		case model == nil:
			newer[at], b.closed[at] = route.Closed, true
		default:
			newer[at] = model
			delete(b.closed, at)
		}
	}
	rebuild = rebuild || len(b.closed)*maxClosed > len(b.places)
	if rebuild {
		if err := b.rebuild(w, log); err != nil {
			return err
		}
	} else if len(newer) > 0 {
		b.graph = b.graph.With(newer)
	}
	clear(w.changed)
	w.reshaped, w.renumbered = false, false
	return nil
}

// rebuild builds the graph of all pools. The states of pools that did not change are those of the last graph.
func (b *graphBuilder) rebuild(w *chainState, log *slog.Logger) error {
	before := *b
	unchanged := func(place int) (at int, ok bool) {
		at, ok = before.places[place]
		return at, ok && !w.renumbered && !w.changed[place] && !before.closed[at]
	}
	b.places, b.closed = make(map[int]int, len(w.entries)), map[int]bool{}
	tokens := make([]evm.Address, 0, len(w.entries))
	kept := make([]Pool, 0, len(w.entries))
	shown := make([]route.Pool, 0, len(w.entries))
	from := make([]int, 0, len(w.entries))
	known := make(map[evm.Address]route.Token, len(w.entries))
	token := func(a evm.Address) route.Token {
		t, ok := known[a]
		if !ok {
			t = route.Token(len(tokens))
			known[a], tokens = t, append(tokens, a)
		}
		return t
	}
	for place := range w.entries {
		at, same := unchanged(place)
		var model route.Model
		if same {
			model = before.graph.Pool(at).Model
		} else {
			at, model = -1, w.model(place, log)
		}
		if model == nil {
			continue
		}
		p := w.entries[place].Pool
		from = append(from, at)
		b.places[place] = len(shown)
		kept = append(kept, p)
		shown = append(shown, route.Pool{
			Token0: token(p.Token0), Token1: token(p.Token1), Venue: route.Venue(p.Venue), Model: model, GasHop: gasHop[p.Kind],
		})
	}
	graph, err := before.graph.Rebuilt(len(tokens), shown, from)
	if err != nil {
		return err
	}
	b.graph, b.layout = graph, NewLayout(tokens, kept)
	return nil
}

// model returns a pool's model; nil for a pool without liquidity or with a stale state.
func (w *chainState) model(place int, log *slog.Logger) route.Model {
	e := &w.entries[place]
	if e.state == nil || w.stale[place] {
		return nil
	}
	model, err := e.state.model(e.Pool, e.terms())
	fresh := e.since == w.head.number
	if err != nil {
		log.Debug("the state of a pool is not valid", "pool", e.Address.String(), "fresh", fresh, "error", err)
		model = nil
	}
	switch position, isV3 := e.state.(*position); {
	case err != nil && fresh:
		// The state was just read: reading it again would not help.
		w.set(place, nil)
	case err != nil:
		w.stale[place] = true
	case isV3 && !fresh && position.isNearEdge(e.terms().spacing):
		w.stale[place] = false
	}
	return model
}
