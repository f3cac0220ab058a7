package pools

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

const (
	// attempts bounds how often a chain that changes during a read is read again.
	attempts = 3
	// refusals is how many consecutive refusals of logs end their use.
	refusals = 3
)

// errFork is the error of a head that does not descend from the state's block.
var errFork = errors.New("the head is on another branch")

// advance brings the state to a head. If it fails, the state is consistent, at an earlier block.
func (n node) advance(ctx context.Context, w *chainState, head header, events []event, logged bool) error {
	if w.head == (header{}) {
		w.begin(head)
		return nil
	}
	for range attempts {
		err := n.follow(ctx, w, head, events, logged)
		switch {
		case err == nil:
			return n.rereadStale(ctx, w)
		case errors.Is(err, errFork):
			err = n.fork(ctx, w, head)
		case errors.Is(err, errNoLogs):
			err = w.refuse(err, head)
		}
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: it has no end", errMoved)
}

// refuse counts consecutive refusals of logs. After the last one allowed, all pools are read again at each head instead.
func (w *chainState) refuse(err error, head header) error {
	if w.refused++; w.refused < refusals {
		return err
	}
	w.begin(head)
	w.markAllStale()
	return nil
}

// follow applies the blocks between the state's and head. It fails with errFork if head does not descend from the state's block.
func (n node) follow(ctx context.Context, w *chainState, head header, events []event, logged bool) error {
	switch {
	case head.hash == w.head.hash:
		return nil
	case head.number <= w.head.number || head.number == w.head.number+1 && head.parent != w.head.hash:
		return errFork
	case head.number > w.head.number+n.steps:
		return n.leap(ctx, w, head)
	case head.number == w.head.number+1 && logged:
		w.extend(head, events)
		return nil
	}
	for w.head.number < head.number {
		if err := n.stride(ctx, w, head.number); err != nil {
			return err
		}
	}
	return nil
}

// stride applies as many blocks as one batch may request, up to a number.
func (n node) stride(ctx context.Context, w *chainState, last uint64) error {
	f := w.filter()
	last = min(last, w.head.number+f.blocks())
	headers, events, err := n.blocks(ctx, w.head.number+1, last, f)
	if err != nil {
		return err
	}
	if headers[0].parent != w.head.hash {
		return errFork
	}
	for _, h := range headers {
		w.extend(h, slices.DeleteFunc(slices.Clone(events), func(e event) bool { return e.number != h.number }))
	}
	return nil
}

// fork restores the state at the common ancestor of a head's branch, or marks all pools as stale if that is not on the trail.
func (n node) fork(ctx context.Context, w *chainState, head header) error {
	var numbers []uint64
	for _, s := range w.trail {
		if s.number <= head.number {
			numbers = append(numbers, s.number)
		}
	}
	headers, err := n.headers(ctx, numbers)
	if err != nil {
		return err
	}
	for i, h := range slices.Backward(headers) {
		if h.hash == w.trail[i].hash {
			w.rollBack(i)
			return nil
		}
	}
	w.restart(head)
	return nil
}

// restart sets a head that is not connected to the trail.
func (w *chainState) restart(head header) {
	w.begin(head)
	w.markAllStale()
	w.lost = true
}

// rereadStale reads the stale pools again.
func (n node) rereadStale(ctx context.Context, w *chainState) error {
	places := w.staleEntries()
	if len(places) == 0 {
		return nil
	}
	again := make([]entry, len(places))
	for i, place := range places {
		again[i] = w.entries[place]
		again[i].state = nil
	}
	if err := n.read(ctx, w.head.number, again); err != nil {
		return err
	}
	for i, place := range places {
		w.reread(place, again[i].state)
	}
	return nil
}

// leap brings the state across a gap that is too wide to follow: the state of pools is read again, except for ticks, which are updated from their few logs.
func (n node) leap(ctx context.Context, w *chainState, head header) error {
	events, err := n.since(ctx, w.head, head, w.rareFilters())
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		// Another branch, or more logs than nodes return.
		w.restart(head)
		return nil
	}
	fresh := slices.Clone(w.entries)
	if err := n.readHeads(ctx, head.number, pointers(fresh)); err != nil {
		return err
	}
	for _, e := range events {
		w.apply(e)
	}
	w.begin(head)
	for place, f := range fresh {
		w.setAfterGap(place, f.state)
	}
	return nil
}

// setAfterGap sets the state of a pool after a gap. Its ticks are those that result from the logs.
func (w *chainState) setAfterGap(place int, found state) {
	kept, wasV3 := w.entries[place].state.(*position)
	now, isV3 := found.(*position)
	switch {
	case !isV3 && found != nil:
		w.settle(place, found)
	case wasV3 && isV3 && !w.stale[place] && !kept.sqrtPrice.IsZero():
		w.settle(place, kept.swapped(now.sqrtPrice, now.liquidity, now.tick))
	default:
		w.markStale(place)
	}
}

// settle sets the state of a pool unless it is equal to the current one.
func (w *chainState) settle(place int, found state) {
	if s := w.entries[place].state; s == nil || !s.equal(found) {
		w.reread(place, found)
	}
}
