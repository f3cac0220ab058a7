package indexer

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// ActiveFor is how long blocks are followed for an account after its last request. Later ones are read after its next request.
	ActiveFor = time.Hour
	// forgetEvery is how often unused accounts are dropped.
	forgetEvery = time.Hour
	// quickTimeout bounds a round of a chain, because a round holds a slot, and the chain's lock with a connection to the database. Rounds of a late
	// chain, which did not end in time, have other slots and roundTimeout.
	quickTimeout, roundTimeout = 2 * time.Second, 20 * time.Second
	// pollEvery is how often the newest block of a chain is read without a published head: a chain that became shorter has no new one.
	pollEvery = 10 * time.Second
	// shorterAfter is how long a chain must be shorter before it counts as shorter, because a lagging node looks the
	// same.
	shorterAfter = 3 * time.Second
	// attempts is how often a round tries again because the chain changed during it.
	attempts = 3
	// idlePause is how often deferred windows are checked. longestPause is the longest pause while a chain cannot be read.
	idlePause, longestPause = time.Second, 30 * time.Second
	// resumePause is the pause before the chains to follow are listed again after a failure.
	resumePause = time.Second
	// windowPause is the pause between reads of old blocks, so that they do not use all capacity of a chain's nodes.
	windowPause = 20 * time.Millisecond
	// missedPause is the pause before a round that a request waits for is tried again because another replica worked on the chain. It is shorter
	// than windowPause, which is all the time that a replica leaves the chain to others while it has windows to read.
	missedPause = 15 * time.Millisecond
	// quickSlots and slowSlots bound how many chains are read at the same time: those that end in time, and late ones.
	quickSlots, slowSlots = 6, 2
)

// Blocks reads blocks, and transactions that involve accounts. The result of one call is consistent; if the chain is reorged during it, or does
// not match the call, it fails with [node.ErrMoved].
type Blocks interface {
	// Head reads the header of the newest block.
	Head(ctx context.Context, chainID string) (node.Header, error)
	// Headers reads linked headers, from and to included.
	Headers(ctx context.Context, chainID string, from, to uint64) ([]node.Header, error)
	// Block reads one whole block.
	Block(ctx context.Context, chainID string, h node.Header, accounts []evm.Address) ([]node.Found, error)
	// Blocks reads whole blocks, from and to included.
	Blocks(ctx context.Context, chainID string, from, to uint64, accounts []evm.Address) ([]node.Header, []node.Found, error)
	// Logged reads the transactions with logs, and the known ones.
	Logged(ctx context.Context, chainID string, from, to uint64, accounts []evm.Address, known []node.Hash) ([]node.Found, error)
}

// Archive is a third party's index of whole chains. It only lists the old transactions of an account; their content is read from nodes.
type Archive interface {
	// Covers reports whether the archive has the chain.
	Covers(chainID string) bool
	// Transactions lists what the account sent or received, failed transactions included.
	Transactions(ctx context.Context, chainID string, account evm.Address, from, to uint64) ([]node.Hash, error)
}

// Contracts reads the name, symbol and decimals of contracts: one token per contract, empty if the contract returns
// nothing. It returns an error if no node responds.
type Contracts interface {
	Describe(ctx context.Context, chainID string, contracts []evm.Address) ([]index.Token, error)
}

// Lock runs work unless another replica runs work of the same name, and reports whether it ran.
type Lock func(ctx context.Context, name string, work func() error) (ran bool, err error)

// Config is what an indexer works with.
type Config struct {
	Store     index.Store
	Blocks    Blocks
	Contracts Contracts
	Archive   Archive
	// Traces reports whether blocks of a chain are traced, which costs one call each; nil if none are.
	Traces func(chainID string) bool
	Lock   Lock
	Clock  clock.Clock
	Log    *slog.Logger
	// KeepFor is how long unused accounts are kept.
	KeepFor time.Duration
	// WholeBlocks is how many old blocks are read whole.
	WholeBlocks uint64
	// Followed and Kept bound the accounts of a chain.
	Followed, Kept int
	// CallsPerHour bounds the calls to the nodes of a chain that old blocks cost in an hour, CallsPerCaller those for one caller's accounts; 0 is no
	// limit.
	CallsPerHour, CallsPerCaller int
	Limiter                      limit.Limiter
}

// Indexer keeps the index of the chains with tracked accounts.
type Indexer struct {
	Config
	quick, slow chan struct{}

	added  chan struct{}
	mu     sync.Mutex
	chains map[string]*Chain
	// new holds the chains that Run has not started to work on.
	new []*Chain
}

// New returns an indexer. It does nothing until [Indexer.Run] is called.
func New(c Config) *Indexer {
	return &Indexer{Config: c, quick: make(chan struct{}, quickSlots), slow: make(chan struct{}, slowSlots), added: make(chan struct{}, 1), chains: map[string]*Chain{}}
}

// Run works until ctx ends. It continues where an earlier process stopped.
func (i *Indexer) Run(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	g.Go(func() error { return i.resume(ctx) })
	g.Go(func() error { return i.forget(ctx) })
	for {
		i.mu.Lock()
		added := i.new
		i.new = nil
		i.mu.Unlock()
		for _, c := range added {
			g.Go(func() error { return i.runChain(ctx, c) })
		}
		select {
		case <-ctx.Done():
			return g.Wait()
		case <-i.added:
		}
	}
}

// resume starts the work on the chains of stored accounts, once the store answers.
func (i *Indexer) resume(ctx context.Context) error {
	for {
		active, err := i.Store.Chains(ctx, i.activeSince())
		if err == nil {
			for _, chainID := range active {
				i.Chain(chainID).Poll(i.Clock.Now())
			}
			return nil
		}
		if ctx.Err() == nil {
			i.Log.WarnContext(ctx, "could not list the chains to follow", "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(resumePause):
		}
	}
}

// Chain returns the work on a chain.
func (i *Indexer) Chain(chainID string) *Chain {
	i.mu.Lock()
	defer i.mu.Unlock()
	if c, ok := i.chains[chainID]; ok {
		return c
	}
	c := newChain(chainID)
	i.chains[chainID] = c
	i.new = append(i.new, c)
	notify(i.added)
	return c
}

// OnHead follows a published head, if the chain has work.
func (i *Indexer) OnHead(chainID string, head node.Header) {
	i.mu.Lock()
	c, ok := i.chains[chainID]
	i.mu.Unlock()
	if !ok {
		return
	}
	c.setHead(head)
}

// runChain runs rounds: one for each head, and more while there are windows.
func (i *Indexer) runChain(ctx context.Context, c *Chain) error {
	wait := idlePause
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.wake:
		case <-pause.C:
		}
		next, err := i.round(ctx, c)
		if err != nil && ctx.Err() == nil {
			i.Log.DebugContext(ctx, "could not read a chain", "chain", c.id, "error", err)
		}
		if err != nil {
			next = min(2*wait, longestPause)
		}
		if errors.Is(err, limit.ErrMemory) {
			next = idlePause
		}
		wait = next
		pause.Reset(wait)
	}
}

// admit waits for a slot. Before a late chain takes one, a node must answer, so that chains whose nodes hang hold none.
func (i *Indexer) admit(ctx context.Context, c *Chain) (release func(), err error) {
	slots := i.quick
	if c.isLate() {
		probe, cancel := context.WithTimeout(ctx, quickTimeout)
		defer cancel()
		if _, err := i.Blocks.Head(probe, c.id); err != nil {
			return nil, err
		}
		slots = i.slow
	}
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// round follows the head, tracks pending accounts and reads a part of one window. It returns the pause before the next round.
func (i *Indexer) round(ctx context.Context, c *Chain) (next time.Duration, err error) {
	release, err := i.admit(ctx, c)
	r, w := c.begin()
	poll := w.poll || c.isOverdue(i.Clock.Now())
	defer func() {
		r.err = err
		close(r.done)
	}()
	if err != nil {
		c.requeue(work{head: w.head, poll: poll})
		return idlePause, err
	}
	defer release()
	late, most := c.isLate(), quickTimeout
	if late {
		most = roundTimeout
	}
	inTime, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	begun, at := time.Now(), i.Clock.Now()
	c.begunAt.Store(begun.UnixMilli())
	ran, more, err := i.work(inTime, c, w, poll)
	c.begunAt.Store(0)
	c.setLate(inTime.Err() != nil || late && (err != nil || time.Since(begun) > quickTimeout), at)
	switch {
	case c.isLate() && !late && ctx.Err() == nil:
		// It goes on among the late ones.
		w.poll = poll
		c.requeue(w)
		return missedPause, nil
	case err != nil:
		// Pending addresses are dropped: their next request tries again.
		c.requeue(work{head: w.head, poll: poll})
	case !ran:
		// Another replica works on the chain, and does not have the requests of this process. It follows the chain by itself.
		c.requeue(w)
		if w.poll || len(w.pending) > 0 {
			return missedPause, nil
		}
	case more:
		return windowPause, nil
	}
	return idlePause, err
}

// work does the work of a round under the lock of its chain. ran is false if another replica holds it, more set if there are windows to read.
func (i *Indexer) work(ctx context.Context, c *Chain, w work, poll bool) (ran, more bool, err error) {
	begun := i.Clock.Now()
	ran, err = i.Lock(ctx, "hawser.activity/"+c.id, func() error {
		started := time.Now()
		err := i.catchUp(ctx, c, w.head, poll)
		if w.head != nil || poll {
			c.followedIn.Store(int64(time.Since(started)))
		}
		switch {
		case errors.Is(err, errIdle):
			// Blocks were skipped, so that the next request reads the newest one.
			c.setCurrent(time.Time{})
		case err != nil:
			return err
		case w.head != nil || poll:
			c.setCurrent(begun)
		}
		if err := i.track(ctx, c, w.pending); err != nil {
			return err
		}
		if err := i.updateFollowed(ctx, c); err != nil {
			return err
		}
		more, err = i.fill(ctx, c)
		more = more || c.following.More
		return err
	})
	return ran, more, err
}

// track starts to track addresses, and follows the blocks that were skipped while no account was active.
func (i *Indexer) track(ctx context.Context, c *Chain, pending map[evm.Address]string) error {
	for address, caller := range pending {
		r := index.Request{Account: index.Account{ChainID: c.id, Address: address}, Caller: caller, At: i.Clock.Now()}
		if err := i.Store.Track(ctx, r, i.Kept, i.activeSince()); err != nil {
			return err
		}
	}
	if len(pending) == 0 {
		return nil
	}
	c.turns.reset()
	return i.catchUp(ctx, c, nil, true)
}

// catchUp follows a published head, or the newest block if poll is set.
func (i *Indexer) catchUp(ctx context.Context, c *Chain, published *node.Header, poll bool) error {
	for attempt := 1; published != nil || poll; attempt++ {
		head := published
		if poll || attempt > 1 {
			newest, err := i.Blocks.Head(ctx, c.id)
			if err != nil {
				return err
			}
			head = &newest
		}
		err := i.follow(ctx, c, *head)
		isShorter := errors.Is(err, errShorter)
		if isShorter {
			err = nil
		}
		if head != published && c.shorterFor(isShorter, head.Hash, i.Clock.Now()) >= shorterAfter {
			err = i.truncate(ctx, c.id, *head)
		}
		if err == nil || attempt == attempts || !errors.Is(err, node.ErrMoved) && !errors.Is(err, index.ErrStale) {
			return err
		}
	}
	return nil
}

// forget drops unused accounts at intervals.
func (i *Indexer) forget(ctx context.Context) error {
	due := time.NewTicker(forgetEvery)
	defer due.Stop()
	for {
		if err := i.Store.Forget(ctx, i.Clock.Now().Add(-i.KeepFor)); err != nil && ctx.Err() == nil {
			i.Log.WarnContext(ctx, "could not drop unused accounts", "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-due.C:
		}
	}
}

func (i *Indexer) activeSince() time.Time { return i.Clock.Now().Add(-ActiveFor) }
