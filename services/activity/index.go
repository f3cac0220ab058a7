package activity

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// activeFor is how long blocks are followed for an account after it was last asked for; later they are read when it is asked for again.
	activeFor = time.Hour
	// forgetEvery is how often accounts are looked for that nobody asks for.
	forgetEvery = time.Hour
	// roundTimeout bounds one round of one chain, which holds the chain's lock.
	roundTimeout = 20 * time.Second
	// lookEvery is how often the newest block of a chain is looked for that nobody tells of: a chain that becomes lower has none that is new.
	lookEvery = 10 * time.Second
	// lowerFor is how long a chain has to be lower before it is believed: a node that lags behind the others says so too.
	lowerFor = 3 * time.Second
	// retries is how often a round begins again because the chain changed under it.
	retries = 3
	// idlePause is how often windows are looked for that rested, and longestPause how far it grows while a chain cannot be read.
	idlePause, longestPause = time.Second, 30 * time.Second
	// windowPause keeps reading old blocks from taking all that a chain's nodes give.
	windowPause = 20 * time.Millisecond
	// chainsAtOnce bounds how many chains are read at the same time.
	chainsAtOnce = 6
)

// Lock runs work while nobody else who shares the index does work of the same name, and reports whether it ran.
type Lock func(ctx context.Context, name string, work func() error) (ran bool, err error)

// indexer keeps the index of the chains on which accounts were seen.
type indexer struct {
	store     Store
	chains    Chains
	contracts Contracts
	archive   Archive
	lock      Lock
	clock     clock.Clock
	log       *slog.Logger
	keepFor   time.Duration
	// whole is how many old blocks are read whole.
	whole uint64
	// followed and kept bound the accounts of a chain.
	followed, kept int

	slots  chan struct{}
	signal chan struct{}
	mu     sync.Mutex
	known  map[string]*follower
	opened []*follower
}

func newIndexer(i *indexer) *indexer {
	i.slots, i.signal = make(chan struct{}, chainsAtOnce), make(chan struct{}, 1)
	i.known = map[string]*follower{}
	return i
}

// run works until ctx ends. It takes up what an earlier process left.
func (i *indexer) run(ctx context.Context) error {
	if left, err := i.store.Chains(ctx, i.activeSince()); err == nil {
		for _, chainID := range left {
			i.follower(chainID).want(i.clock.Now())
		}
	}
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return i.forget(ctx) })
	for {
		i.mu.Lock()
		opened := i.opened
		i.opened = nil
		i.mu.Unlock()
		for _, f := range opened {
			g.Go(func() error { return i.runChain(ctx, f) })
		}
		select {
		case <-ctx.Done():
			return g.Wait()
		case <-i.signal:
		}
	}
}

// follower returns the work on a chain, begun where it is new.
func (i *indexer) follower(chainID string) *follower {
	i.mu.Lock()
	defer i.mu.Unlock()
	if f, ok := i.known[chainID]; ok {
		return f
	}
	f := newFollower(chainID)
	i.known[chainID] = f
	i.opened = append(i.opened, f)
	nudge(i.signal)
	return f
}

// onHead has a new head followed, on a chain where somebody was seen.
func (i *indexer) onHead(chainID string, head node.Header) {
	i.mu.Lock()
	f, ok := i.known[chainID]
	i.mu.Unlock()
	if !ok {
		return
	}
	f.tell(head)
}

// runChain does rounds: for each head, and while there are windows.
func (i *indexer) runChain(ctx context.Context, f *follower) error {
	rest := idlePause
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.wake:
		case <-pause.C:
		}
		more, err := i.pass(ctx, f)
		if err != nil && ctx.Err() == nil {
			i.log.DebugContext(ctx, "chain not read", "chain", f.chainID, "error", err)
		}
		switch {
		case err != nil:
			rest = min(2*rest, longestPause)
		case more:
			rest = windowPause
		default:
			rest = idlePause
		}
		pause.Reset(rest)
	}
}

// pass is one round.
func (i *indexer) pass(ctx context.Context, f *follower) (more bool, err error) {
	select {
	case i.slots <- struct{}{}:
		defer func() { <-i.slots }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	r, told, look, unseen := f.begin()
	look = look || f.overdue(i.clock.Now())
	defer func() {
		r.err = err
		close(r.done)
	}()
	ctx, cancel := context.WithTimeout(ctx, roundTimeout)
	defer cancel()
	begun := i.clock.Now()
	ran, err := i.lock(ctx, "hawser.activity/"+f.chainID, func() error {
		err := i.catchUp(ctx, f, told, look)
		if err == nil && (told != nil || look) {
			f.upToDate(begun)
		}
		if err != nil && !errors.Is(err, errIdle) {
			return err
		}
		if err := i.see(ctx, f, unseen); err != nil {
			return err
		}
		more, err = i.fill(ctx, f.chainID, &f.reach)
		return err
	})
	switch {
	case err != nil:
		// Addresses are not kept for later: who wants them asks again.
		f.again(told, look, nil)
	case !ran:
		// Another replica is at it, which does not know of what was wanted here.
		f.again(told, look, unseen)
	}
	return more, err
}

// see begins to keep addresses. Blocks that were left alone while nobody was seen are followed now.
func (i *indexer) see(ctx context.Context, f *follower, unseen map[evm.Address]bool) error {
	chainID := f.chainID
	for address := range unseen {
		if err := i.store.See(ctx, Account{chainID, address}, i.kept, i.activeSince(), i.clock.Now()); err != nil {
			return err
		}
	}
	if len(unseen) == 0 {
		return nil
	}
	return i.catchUp(ctx, f, nil, true)
}

// catchUp follows the head, told or looked for.
func (i *indexer) catchUp(ctx context.Context, f *follower, told *node.Header, look bool) error {
	chainID := f.chainID
	for attempt := 1; told != nil || look; attempt++ {
		head := told
		if look || attempt > 1 {
			newest, err := i.chains.Head(ctx, chainID)
			if err != nil {
				return err
			}
			head = &newest
		}
		err := i.follow(ctx, chainID, *head)
		isLower := errors.Is(err, errLower)
		if isLower {
			err = nil
		}
		if head != told && f.isLowerSince(isLower, head.Hash, i.clock.Now()) >= lowerFor {
			err = i.shorten(ctx, chainID, *head)
		}
		if err == nil || attempt == retries || !errors.Is(err, node.ErrMoved) && !errors.Is(err, ErrStale) {
			return err
		}
	}
	return nil
}

// forget drops, from time to time, the accounts that nobody asks for.
func (i *indexer) forget(ctx context.Context) error {
	due := time.NewTicker(forgetEvery)
	defer due.Stop()
	for {
		if err := i.store.Forget(ctx, i.clock.Now().Add(-i.keepFor)); err != nil && ctx.Err() == nil {
			i.log.WarnContext(ctx, "accounts not forgotten", "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-due.C:
		}
	}
}

func (i *indexer) activeSince() time.Time { return i.clock.Now().Add(-activeFor) }
