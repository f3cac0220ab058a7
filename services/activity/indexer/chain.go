package indexer

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// maxPending bounds how many addresses wait to be tracked.
const maxPending = 1_000

// Chain is the work on one chain. It is done in rounds.
type Chain struct {
	id    string
	turns turns
	// lateSince is when a round first did not end in time, in Unix milliseconds, until one does; 0 if the last one did.
	lateSince atomic.Int64
	// begunAt is when the running round began, in Unix milliseconds; 0 if none runs. followedIn is how long the last one took to follow the newest block.
	begunAt    atomic.Int64
	followedIn atomic.Int64
	wake       chan struct{}
	// following has the accounts whose new blocks are read. Only the running round uses it.
	following index.Following

	mu sync.Mutex
	// work is what the next round does.
	work work
	next *Round
	// currentAt is when the chain's newest block was last followed.
	currentAt time.Time
	// shorter is the head of a chain that became shorter, and shorterSince when that was first observed.
	shorter      node.Hash
	shorterSince time.Time
}

// work is what was requested of a round.
type work struct {
	// head is the newest published head that was not followed yet.
	head *node.Header
	// poll is set to read the chain's newest block.
	poll bool
	// pending are the callers of addresses to track.
	pending map[evm.Address]string
}

// Round is one pass of the indexer over a chain.
type Round struct {
	done chan struct{}
	err  error
}

func newChain(id string) *Chain {
	return &Chain{id: id, turns: newTurns(), wake: make(chan struct{}, 1), next: newRound(), work: newWork()}
}

func newWork() work { return work{pending: map[evm.Address]string{}} }

func newRound() *Round { return &Round{done: make(chan struct{})} }

// Wait returns when the round is over, with its error.
func (r *Round) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-r.done:
		return r.err
	}
}

// setHead requests that a published head is followed.
func (c *Chain) setHead(head node.Header) {
	c.mu.Lock()
	c.work.head = &head
	c.mu.Unlock()
	notify(c.wake)
}

// Poll requests that the chain's newest block is read and followed, and returns the round that does it. The returned
// round is already over if the newest block was followed after since.
func (c *Chain) Poll(since time.Time) *Round {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.currentAt.After(since) {
		over := newRound()
		close(over.done)
		return over
	}
	c.work.poll = true
	notify(c.wake)
	return c.next
}

// Track requests that an address is tracked for a caller, and returns the round that does it. If too many addresses wait, or more of the caller than
// there is room left for others, the address is dropped; its next request tries again.
func (c *Chain) Track(address evm.Address, caller string) *Round {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := 0
	for _, of := range c.work.pending {
		if of == caller {
			own++
		}
	}
	if own < maxPending-len(c.work.pending) {
		c.work.pending[address] = caller
	}
	c.work.poll = true
	notify(c.wake)
	return c.next
}

// LateFor returns for how long no round has ended in time, so that the next one probably takes seconds too; 0 if the last one did.
func (c *Chain) LateFor(now time.Time) time.Duration {
	since := c.lateSince.Load()
	if since == 0 {
		return 0
	}
	return max(1, now.Sub(time.UnixMilli(since)))
}

// IsSlow reports whether the newest block is not followed within a time: the last one took longer, or the running round does.
func (c *Chain) IsSlow(within time.Duration) bool {
	begun := c.begunAt.Load()
	return time.Duration(c.followedIn.Load()) > within || begun != 0 && time.Since(time.UnixMilli(begun)) > within
}

func (c *Chain) isLate() bool { return c.lateSince.Load() != 0 }

// setLate records whether a round, which began at a time, ended too late.
func (c *Chain) setLate(late bool, begun time.Time) {
	switch {
	case !late:
		c.lateSince.Store(0)
	case !c.isLate():
		c.lateSince.Store(begun.UnixMilli())
	}
}

// NextRound returns the round that begins next.
func (c *Chain) NextRound() *Round {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.next
}

// begin takes the next round and its work.
func (c *Chain) begin() (*Round, work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, w := c.next, c.work
	c.next, c.work = newRound(), newWork()
	return r, w
}

// requeue adds work that could not be done to the next round.
func (c *Chain) requeue(w work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.work.pending, w.pending)
	if c.work.head == nil {
		c.work.head = w.head
	}
	c.work.poll = c.work.poll || w.poll
}

// setCurrent records that the head of that time was followed; the zero time, that blocks since then were skipped.
func (c *Chain) setCurrent(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.currentAt = at
}

// isOverdue reports whether the newest block was not followed for a while.
func (c *Chain) isOverdue(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.currentAt.IsZero() && now.Sub(c.currentAt) >= pollEvery
}

// shorterFor records whether the chain ends at a block below the newest known one, and returns for how long it has ended there.
func (c *Chain) shorterFor(isShorter bool, head node.Hash, now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !isShorter:
		c.shorter = node.Hash{}
		return 0
	case c.shorter != head:
		c.shorter, c.shorterSince = head, now
	}
	c.work.poll = true
	return now.Sub(c.shorterSince)
}

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
