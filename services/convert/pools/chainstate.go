package pools

import (
	"maps"
	"slices"

	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/evm"
)

// trailBlocks is how many blocks back a reorganisation can be undone.
const trailBlocks = 64

// entry is one pool that is kept, and what it holds.
type entry struct {
	Pool
	factory *factory
	// state is nil while it is not known.
	state state
	// since is the block at which the state was read; after a reorganisation of that block it is not known any more.
	since uint64
}

func (e *entry) terms() terms { return e.factory.terms(e.Fee) }

// world is what is known of one chain at one block. Only the chain's tracker touches it.
type chainState struct {
	chain     venues.Chain
	factories []*factory
	entries   []entry
	at        map[evm.Address]int
	head      header
	// trail is the blocks that were followed, oldest first; the last is the head.
	trail []step
	// doubtful are the places of pools that must be read again; true, where what is kept of them cannot be trusted until then. created are the
	// pairs that have got a pool.
	doubtful map[int]bool
	created  map[pair]bool
	// changed are the places of pools whose state is another than at the last view; reshaped says that there are other pools.
	changed  map[int]bool
	reshaped bool
	// lost says that the making of pools may have gone unheard.
	lost bool
	// charged is the block as of which changing fees are known.
	charged hash
	// refused counts how often in a row nodes gave no logs.
	refused int
	// logs is what the logs of blocks are asked for, while there are no other pools; nil when it must be put together again.
	logs filter
	// most is how many contracts it may name.
	most int
}

// step is one block, and what the pools that changed in it held before.
type step struct {
	header
	before map[int]state
}

func newChainState(chain venues.Chain) *chainState {
	return &chainState{chain: chain, most: filterAddresses, at: map[evm.Address]int{}, doubtful: map[int]bool{}, created: map[pair]bool{}, changed: map[int]bool{}}
}

// begin sets the head of a world that has followed nothing.
func (w *chainState) begin(h header) {
	w.head, w.trail = h, []step{{header: h, before: map[int]state{}}}
}

// extend follows one block that comes next after the head.
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
		w.doubt(place)
		return
	}
	w.set(place, next)
}

// doubt has a pool read again, and left out until then.
func (w *chainState) doubt(place int) { w.doubtful[place], w.changed[place] = true, true }

// set changes what a pool holds as of the head.
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

// reread sets what a pool was found to hold at the head; nothing, for one that does not answer.
func (w *chainState) reread(place int, found state) {
	w.set(place, found)
	w.entries[place].since = w.head.number
	delete(w.doubtful, place)
	w.changed[place] = true
}

// add keeps pools that were found at the head; of those that are kept already, what they hold is known better.
func (w *chainState) add(found []entry) {
	for _, e := range found {
		if place, kept := w.at[e.Address]; kept {
			if w.entries[place].state == nil {
				w.reread(place, e.state)
			}
			continue
		}
		e.since = w.head.number
		w.at[e.Address] = len(w.entries)
		w.entries = append(w.entries, e)
		w.reshaped, w.logs = true, nil
	}
}

// rollBack undoes the blocks after the one at a place of the trail.
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
			w.doubt(i)
		}
	}
}

// doubtAll has every pool read again.
func (w *chainState) doubtAll() {
	for i := range w.entries {
		w.doubt(i)
	}
}

// filter is what the logs of blocks are asked for.
func (w *chainState) filter() filter {
	if w.logs == nil {
		w.logs = filter{"topics": []any{everyTopic}}
		if len(w.factories)+len(w.entries) <= w.most {
			w.logs["address"] = w.watched(anyKind)
		}
	}
	return w.logs
}

// filterAddresses is how many contracts a filter names at most, which is what nodes take. Of a chain with more pools than that, the logs
// of all contracts with the same topics are asked for.
const filterAddresses = 1000

// blocks is how many blocks the filter may be asked for at once: with the logs of all contracts they are many.
func (f filter) blocks() uint64 {
	if f["address"] == nil {
		return 8
	}
	return stepBlocks
}

// rareFilters are what a wide range of blocks is asked for.
func (w *chainState) rareFilters() (filters []filter) {
	for some := range slices.Chunk(w.watched(func(k Kind) bool { return k != V2 }), filterAddresses) {
		filters = append(filters, filter{"topics": []any{rareTopics}, "address": some})
	}
	return filters
}

// anyKind takes pools of all kinds.
func anyKind(Kind) bool { return true }

// watched are the contracts whose logs matter: the factories and the pools of some kinds.
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

// doubts are the places of the pools that must be read again, in order.
func (w *chainState) doubts() []int { return slices.Sorted(maps.Keys(w.doubtful)) }
