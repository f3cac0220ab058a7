package transactions

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// pollInterval is how often chains are checked whose heads do not arrive, and how often the database is asked for the chains of other replicas.
	pollInterval = 15 * time.Second
	// checkPause is the least time between two checks of a chain, however many blocks it has.
	checkPause = time.Second
	// finalityPause is the least time between two reads of the final block of a chain that is not for development.
	finalityPause = 10 * time.Second
	// checkTimeout bounds one check of a chain.
	checkTimeout = time.Minute
	// openAtOnce bounds the transactions in no block that one check reads, and finalAtOnce those in a final block.
	openAtOnce, finalAtOnce = 200, 30
	// doubtPause is the pause before a transaction is read again that could not be read.
	doubtPause = time.Minute
	// logPause is the pause between two lines of the log about a chain.
	logPause = 10 * time.Minute
)

// Deps are the dependencies of a follower.
type Deps struct {
	Store  *Store
	Chains Chains
	// Lock runs work unless another replica runs it under the same name.
	Lock func(ctx context.Context, name string, work func() error) (ran bool, err error)
	// Tell stores the event of a transaction. It may be called again with the same transaction, after a failure or the end of a process.
	Tell  func(ctx context.Context, f Followed, r Result) error
	Clock clock.Clock
	Log   *slog.Logger
}

// Follower follows transactions until they are final. It is safe for concurrent use, and replicas share its work.
type Follower struct {
	deps Deps

	mu sync.Mutex
	// chains are those with transactions, as far as this process knows.
	chains map[string]*chain
	// added receives a value when there is a new one.
	added chan struct{}
}

// chain is the work on one chain.
type chain struct {
	id   string
	wake chan struct{}
	stop context.CancelFunc

	// What follows belongs to the goroutine of the chain.
	finality   finality
	finalityAt time.Time
	loggedAt   time.Time
}

// New returns a follower.
func New(deps Deps) *Follower {
	return &Follower{deps: deps, chains: map[string]*chain{}, added: make(chan struct{}, 1)}
}

// Follow says that a chain has a new transaction.
func (f *Follower) Follow(chainID string) {
	f.mu.Lock()
	c, known := f.chains[chainID]
	if !known {
		c = &chain{id: chainID, wake: make(chan struct{}, 1)}
		f.chains[chainID] = c
	}
	f.mu.Unlock()
	notify(c.wake)
	if !known {
		notify(f.added)
	}
}

// OnHead says that a chain has a new block.
func (f *Follower) OnHead(chainID string) {
	f.mu.Lock()
	c := f.chains[chainID]
	f.mu.Unlock()
	if c != nil {
		notify(c.wake)
	}
}

// Run follows transactions until ctx ends. Chains are checked beside each other, so that one whose nodes hang delays no other.
func (f *Follower) Run(ctx context.Context) error {
	var running routine.WaitGroup
	defer running.Wait()
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for {
		if err := f.refresh(ctx); err != nil && ctx.Err() == nil {
			f.deps.Log.WarnContext(ctx, "followed transactions not read", "error", err)
		}
		f.startNew(ctx, &running)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.added:
		case <-poll.C:
		}
	}
}

// refresh adds the chains of the database, and ends those that have no transaction any more.
func (f *Follower) refresh(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if err := f.deps.Store.DeleteOld(ctx, f.deps.Clock.Now()); err != nil {
		return err
	}
	// A chain that Follow adds after the list was read is not ended.
	f.mu.Lock()
	before := make(map[string]*chain, len(f.chains))
	for id, c := range f.chains {
		before[id] = c
	}
	f.mu.Unlock()
	ids, err := f.deps.Store.Chains(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		if f.chains[id] == nil {
			f.chains[id] = &chain{id: id, wake: make(chan struct{}, 1)}
		}
		delete(before, id)
	}
	for id, c := range before {
		// What was followed since then wakes it, and keeps it.
		if len(c.wake) == 0 && c.stop != nil {
			c.stop()
			delete(f.chains, id)
		}
	}
	return nil
}

// startNew starts the goroutines of chains that have none.
func (f *Follower) startNew(ctx context.Context, running *routine.WaitGroup) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.chains {
		if c.stop == nil {
			var working context.Context
			working, c.stop = context.WithCancel(ctx)
			running.Go(working, func() { f.work(working, c) })
		}
	}
}

// work checks a chain at its blocks until ctx ends.
func (f *Follower) work(ctx context.Context, c *chain) {
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for ctx.Err() == nil {
		ran, err := f.deps.Lock(ctx, "webhooks transactions "+c.id, func() error {
			checking, cancel := context.WithTimeout(ctx, checkTimeout)
			defer cancel()
			return routine.Call(checking, func() error { return f.check(checking, c) })
		})
		if now := f.deps.Clock.Now(); err != nil && ctx.Err() == nil && now.Sub(c.loggedAt) >= logPause {
			c.loggedAt = now
			f.deps.Log.WarnContext(ctx, "followed transactions of a chain not checked", "chain", c.id, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(checkPause):
		}
		if !ran && err == nil {
			continue // another replica checks it, or has just ended
		}
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		case <-poll.C:
		}
	}
}

// check finds the blocks of transactions, and tells those whose block is final.
func (f *Follower) check(ctx context.Context, c *chain) error {
	network, served, err := f.deps.Chains.Network(ctx, c.id)
	if err != nil || !served {
		return err
	}
	if err := f.findBlocks(ctx, c.id); err != nil {
		return err
	}
	return f.tellFinal(ctx, c, network.FinalAfter)
}

// findBlocks reads transactions that are in no block, and stores where they are.
func (f *Follower) findBlocks(ctx context.Context, chainID string) error {
	now := f.deps.Clock.Now()
	open, err := f.deps.Store.Open(ctx, chainID, now, openAtOnce)
	if err != nil || len(open) == 0 {
		return err
	}
	var hashes []common.Hash
	asked := map[common.Hash]bool{}
	for _, t := range open {
		if !asked[t.Hash] {
			asked[t.Hash] = true
			hashes = append(hashes, t.Hash)
		}
	}
	found, err := readPlaces(ctx, f.deps.Chains.Transport(chainID), hashes)
	if err != nil {
		return err
	}
	for i, t := range open {
		open[i] = t.at(found[t.Hash], now)
	}
	return f.deps.Store.Save(ctx, open, func(t Followed) time.Time {
		switch {
		case found[t.Hash].err != nil:
			return now.Add(max(doubtPause, t.pause(now)))
		case t.BlockHash != (common.Hash{}):
			return now
		}
		return now.Add(t.pause(now))
	})
}

// at returns the transaction with its place.
func (f Followed) at(p place, now time.Time) Followed {
	if p.err == nil && p.blockHash != f.BlockHash {
		f.Block, f.BlockHash, f.IncludedAt = p.block, p.blockHash, now
	}
	return f
}

// tellFinal tells the transactions of a chain whose block is final.
func (f *Follower) tellFinal(ctx context.Context, c *chain, finalAfter time.Duration) error {
	now := f.deps.Clock.Now()
	if _, found, err := f.deps.Store.Oldest(ctx, c.id); err != nil || !found {
		return err
	}
	transport := f.deps.Chains.Transport(c.id)
	if finalAfter == 0 || now.Sub(c.finalityAt).Abs() >= finalityPause {
		read, err := readFinality(ctx, transport, finalAfter)
		if err != nil {
			return err
		}
		c.finality, c.finalityAt = read, now
	}
	upTo, foundBy := c.finality.final, now
	if !c.finality.hasFinal {
		if c.finality.head < leastConfirmations {
			return nil
		}
		upTo, foundBy = c.finality.head-leastConfirmations, now.Add(-finalAfter)
	}
	for {
		final, err := f.deps.Store.Included(ctx, c.id, upTo, foundBy, now, finalAtOnce)
		if err != nil || len(final) == 0 {
			return err
		}
		answers, err := readResults(ctx, transport, final)
		if err != nil {
			return err
		}
		for i, t := range final {
			if err := f.settle(ctx, t, answers[i], c.finality.head); err != nil {
				return err
			}
		}
	}
}

// settle tells a transaction in a final block and ends its following, or stores where it is now.
func (f *Follower) settle(ctx context.Context, t Followed, a answer, head uint64) error {
	now := f.deps.Clock.Now()
	switch {
	case errors.Is(a.err, errElsewhere):
		return f.deps.Store.Save(ctx, []Followed{t.at(a.place, now)}, func(Followed) time.Time { return now.Add(checkPause) })
	case a.err != nil:
		return f.deps.Store.Save(ctx, []Followed{t}, func(Followed) time.Time { return now.Add(doubtPause) })
	}
	a.result.Confirmations = max(head, t.Block) - t.Block + 1
	if err := f.deps.Tell(ctx, t, a.result); err != nil {
		return err
	}
	return f.deps.Store.Delete(ctx, t)
}

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
