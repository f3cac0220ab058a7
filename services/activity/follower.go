package activity

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

// unseenAtOnce bounds how many addresses wait to be kept.
const unseenAtOnce = 1_000

// follower is the work on one chain.
type follower struct {
	chainID string
	reach   reach
	wake    chan struct{}

	mu sync.Mutex
	// told is the newest head that was heard of and not followed yet.
	told *node.Header
	// look is set when somebody wants the head that the chain has now, and looked is when one was last followed.
	look   bool
	looked time.Time
	// unseen are addresses that were asked for and are not kept yet.
	unseen map[evm.Address]bool
	next   *round
	// low is the head of a chain that is lower than before, and lowSince since when it has been.
	low      node.Hash
	lowSince time.Time
}

// round is one pass of a follower over its chain.
type round struct {
	done chan struct{}
	err  error
}

func newFollower(chainID string) *follower {
	return &follower{
		chainID: chainID, reach: reach{whole: wholeReach, logs: firstReach}, wake: make(chan struct{}, 1), next: newRound(),
		unseen: map[evm.Address]bool{},
	}
}

func newRound() *round { return &round{done: make(chan struct{})} }

// tell has a head followed.
func (f *follower) tell(head node.Header) {
	f.mu.Lock()
	f.told = &head
	f.mu.Unlock()
	nudge(f.wake)
}

// want has the chain's newest block followed, and returns the round that does; one that is over where it was done after since.
func (f *follower) want(since time.Time) *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.looked.After(since) {
		over := newRound()
		close(over.done)
		return over
	}
	f.look = true
	nudge(f.wake)
	return f.next
}

// see has an address kept, once the chain has a trail, and returns the round that does it.
func (f *follower) see(address evm.Address) *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	// What has no room is not kept this time: who wants it asks again.
	if len(f.unseen) < unseenAtOnce {
		f.unseen[address] = true
	}
	f.look = true
	nudge(f.wake)
	return f.next
}

// coming is the round that begins next, whoever wants it.
func (f *follower) coming() *round {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next
}

// await returns when the round is over, with what it failed with.
func (r *round) await(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-r.done:
		return r.err
	}
}

// begin takes what the next round is to do, and the round.
func (f *follower) begin() (r *round, told *node.Header, look bool, unseen map[evm.Address]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, told, look, unseen = f.next, f.told, f.look, f.unseen
	f.next, f.told, f.look, f.unseen = newRound(), nil, false, map[evm.Address]bool{}
	return r, told, look, unseen
}

// upToDate notes that the head of that time is followed.
func (f *follower) upToDate(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looked = at
}

// isLowerSince notes whether the chain ends at a block that is not the newest one known, and returns for how long it has ended there.
func (f *follower) isLowerSince(isLower bool, head node.Hash, now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !isLower:
		f.low = node.Hash{}
		return 0
	case f.low != head:
		f.low, f.lowSince = head, now
	}
	f.look = true
	return now.Sub(f.lowSince)
}

// overdue reports whether the head was not looked for in a while.
func (f *follower) overdue(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.looked.IsZero() && now.Sub(f.looked) >= lookEvery
}

// again keeps for the next round what this one could not do.
func (f *follower) again(told *node.Header, look bool, unseen map[evm.Address]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.Copy(f.unseen, unseen)
	if f.told == nil {
		f.told = told
	}
	f.look = f.look || look
}

func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
