package pools

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

const (
	// attempts bounds how often a chain that moves while it is read is read again.
	attempts = 3
	// refusals is how often in a row logs must be refused before they are given up.
	refusals = 3
)

// errFork says that a head does not descend from the block that the world stands at.
var errFork = errors.New("the head is on another branch")

// advance brings a world to a head. When it fails the world is at some block that was the newest once, and whole.
func (n node) advance(ctx context.Context, w *chainState, head header, events []event, logged bool) error {
	if w.head == (header{}) {
		w.begin(head)
		return nil
	}
	for range attempts {
		err := n.follow(ctx, w, head, events, logged)
		switch {
		case err == nil:
			return n.clear(ctx, w)
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

// refuse counts how often a chain's nodes gave no logs; when they do not mean to, everything is read again at every head instead.
func (w *chainState) refuse(err error, head header) error {
	if w.refused++; w.refused < refusals {
		return err
	}
	w.begin(head)
	w.doubtAll()
	return nil
}

// follow adds the blocks between the world's and head; it fails with errFork when head does not descend from it.
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

// stride adds as many blocks as one body may be about, up to the one with a number.
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

// fork takes the world back to where the branch of a head leaves its trail, or has everything read again when that is too long ago.
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

// restart sets a head that has nothing to do with what was followed.
func (w *chainState) restart(head header) {
	w.begin(head)
	w.doubtAll()
	w.lost = true
}

// clear reads the pools in doubt again.
func (n node) clear(ctx context.Context, w *chainState) error {
	places := w.doubts()
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

// leap brings a world over a gap that is too wide to follow: what pools hold is read anew, but for the ticks, which only few logs change.
func (n node) leap(ctx context.Context, w *chainState, head header) error {
	events, err := n.since(ctx, w.head, head, w.rareFilters())
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		// Another branch, or more logs than nodes give.
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
		w.land(place, f.state)
	}
	return nil
}

// land sets what a pool was found to hold on the other side of a gap. Its ticks are those that the logs left.
func (w *chainState) land(place int, found state) {
	kept, wasV3 := w.entries[place].state.(*position)
	now, isV3 := found.(*position)
	switch {
	case !isV3 && found != nil:
		w.settle(place, found)
	case wasV3 && isV3 && !w.doubtful[place] && !kept.sqrtPrice.IsZero():
		w.settle(place, kept.swapped(now.sqrtPrice, now.liquidity, now.tick))
	default:
		w.doubt(place)
	}
}

// settle is set, but for a state that is the same.
func (w *chainState) settle(place int, found state) {
	if s := w.entries[place].state; s == nil || !s.equal(found) {
		w.reread(place, found)
	}
}
