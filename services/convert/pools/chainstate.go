package pools

import (
	"maps"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// trailBlocks is how many blocks back a reorganisation can be undone.
const trailBlocks = 64

// entry is a tracked pool and its state.
type entry struct {
	Pool
	factory *factory
	// state is nil while it is unknown.
	state state
	// since is the block at which the state was read; a reorganisation of that block makes the state unknown.
	since uint64
}

func (e *entry) terms() terms { return e.factory.terms(e.Fee) }

// chainState is the state of a chain's pools at one block. Only the chain's tracker accesses it.
type chainState struct {
	chain     dex.Chain
	factories []*factory
	entries   []entry
	at        map[evm.Address]int
	head      header
	// trail holds the applied blocks, oldest first; the last is the head.
	trail []step
	// stale are the indexes of pools that must be read again; the value is true if their state must not be used
	// until then. created are the pairs for which a pool was created.
	stale   map[int]bool
	created map[pair]bool
	// changed are the indexes of pools whose state changed since the last view; reshaped says that the set of pools changed, and renumbered that pools have
	// other indexes, so that it is not known which changed.
	changed              map[int]bool
	reshaped, renumbered bool
	// lost says that events of created pools may have been missed.
	lost bool
	// charging are the indexes of pools whose fee changes, and charged is the block of the last read of those fees.
	charging []int
	charged  hash
	// refused counts consecutive refusals of logs.
	refused int
	// logs is the cached log filter; nil after the set of pools changed.
	logs filter
	// most is the maximum number of addresses in the filter.
	most int
}

// step is one block, and the states before it of the pools that changed in it.
type step struct {
	header
	before map[int]state
}

func newChainState(chain dex.Chain) *chainState {
	return &chainState{chain: chain, most: filterAddresses, at: map[evm.Address]int{}, stale: map[int]bool{}, created: map[pair]bool{}, changed: map[int]bool{}}
}

// begin sets the first block of an empty trail.
func (w *chainState) begin(h header) {
	w.head, w.trail = h, []step{{header: h, before: map[int]state{}}}
}

// extend applies the block after the head.
func (w *chainState) extend(h header, events []event) {
	w.begun(h)
	w.refused = 0
	for _, e := range events {
		w.apply(e)
	}
}

func (w *chainState) begun(h header) {
	w.head = h
	w.trail = append(w.trail, step{header: h, before: map[int]state{}})
	if extra := len(w.trail) - trailBlocks - 1; extra > 0 {
		w.trail = slices.Clone(w.trail[extra:])
	}
}

func (w *chainState) apply(e event) {
	if p, ok := e.created(); ok {
		if slices.ContainsFunc(w.factories, func(f *factory) bool { return f.address == e.contract }) {
			w.created[p] = true
		}
		return
	}
	place, known := w.at[e.contract]
	if !known || w.entries[place].state == nil {
		return
	}
	next, err := after(w.entries[place].state, e)
	if err != nil {
		w.markStale(place)
		return
	}
	w.set(place, next)
}

// markStale marks a pool to be read again, and removes it from views until then.
func (w *chainState) markStale(place int) { w.stale[place], w.changed[place] = true, true }

// set changes the state of a pool at the head.
func (w *chainState) set(place int, next state) {
	p := &w.entries[place]
	if p.state == next {
		return
	}
	before := w.trail[len(w.trail)-1].before
	if _, noted := before[place]; !noted {
		before[place] = p.state
	}
	p.state = next
	w.changed[place] = true
}

// reread sets the state that was read at the head; it is nil for a pool that did not answer.
func (w *chainState) reread(place int, found state) {
	w.set(place, found)
	w.entries[place].since = w.head.number
	delete(w.stale, place)
	w.changed[place] = true
}

// add adds pools that were found at the head. The state of known pools is not replaced.
func (w *chainState) add(found []entry) {
	for _, e := range found {
		if place, kept := w.at[e.Address]; kept {
			if w.entries[place].state == nil {
				w.reread(place, e.state)
			}
			continue
		}
		e.since = w.head.number
		w.append(e)
		w.reshaped, w.logs = true, nil
	}
}

// append adds a pool after the others.
func (w *chainState) append(e entry) {
	if e.terms().isFeeRead {
		w.charging = append(w.charging, len(w.entries))
	}
	w.at[e.Address] = len(w.entries)
	w.entries = append(w.entries, e)
}

// rollBack undoes the blocks after the one at an index of the trail.
func (w *chainState) rollBack(place int) {
	for _, undone := range slices.Backward(w.trail[place+1:]) {
		for i, s := range undone.before {
			w.entries[i].state = s
			w.changed[i] = true
		}
	}
	w.trail = w.trail[:place+1]
	w.head = w.trail[place].header
	for i := range w.entries {
		if w.entries[i].since > w.head.number {
			w.markStale(i)
		}
	}
}

// markAllStale marks all pools to be read again.
func (w *chainState) markAllStale() {
	for i := range w.entries {
		w.markStale(i)
	}
}

// filter returns the log filter of one block.
func (w *chainState) filter() filter {
	if w.logs == nil {
		w.logs = filter{"topics": []any{everyTopic}}
		if len(w.factories)+len(w.entries) <= w.most {
			w.logs["address"] = w.watched(anyKind)
		}
	}
	return w.logs
}

// filterAddresses is how many addresses a filter names, as many as nodes accept. For more pools the filter names none, and matches all contracts with the
// topics.
const filterAddresses = 1000

// blocks returns how many blocks one request may cover: fewer without addresses, as there are more logs.
func (f filter) blocks() uint64 {
	if f["address"] == nil {
		return 8
	}
	return stepBlocks
}

// rareFilters returns the log filters of a wide range of blocks.
func (w *chainState) rareFilters() (filters []filter) {
	for some := range slices.Chunk(w.watched(func(k Kind) bool { return k != V2 }), filterAddresses) {
		filters = append(filters, filter{"topics": []any{rareTopics}, "address": some})
	}
	return filters
}

// anyKind accepts pools of all kinds.
func anyKind(Kind) bool { return true }

// watched returns the addresses of the factories and of the pools of some kinds.
func (w *chainState) watched(wanted func(Kind) bool) []string {
	var addresses []string
	for _, f := range w.factories {
		addresses = append(addresses, f.address.String())
	}
	for _, e := range w.entries {
		if wanted(e.Kind) {
			addresses = append(addresses, e.Address.String())
		}
	}
	return addresses
}

// staleEntries returns the indexes of the stale pools, in order.
func (w *chainState) staleEntries() []int { return slices.Sorted(maps.Keys(w.stale)) }
