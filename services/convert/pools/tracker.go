package pools

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// idleAfter is how long a chain is tracked after its last request.
	idleAfter = 10 * time.Minute
	// leastPoll is the shortest pause between polls of a chain; mostPoll bounds the back-off while nodes fail.
	leastPoll = time.Second
	mostPoll  = 30 * time.Second
	// freshFor is how long a view is returned without another poll, on a fast chain.
	freshFor = 2 * time.Second
	// stepBlocks is how many blocks are applied one by one, in one round trip.
	stepBlocks = 64
	// turnTimeout bounds one round of a tracker.
	turnTimeout = 30 * time.Second
	// saveEvery is how often a snapshot is written.
	saveEvery = 5 * time.Minute
)

// tracker keeps the pools of one chain up to date while the chain is in use.
type tracker struct {
	chain  dex.Chain
	node   node
	config Config
	tokens TokenList
	clock  clock.Clock
	log    *slog.Logger
	wake   chan struct{}
	view   atomic.Pointer[View]
	// life ends with the keeper, or by stop when the chain's venues change.
	life context.Context
	stop context.CancelFunc

	// work is held by the goroutine in run, and guards the fields below.
	work       sync.Mutex
	state      *chainState
	graph      graphBuilder
	prefetcher prefetcher
	auditor    auditor
	saved      time.Time

	mu      sync.Mutex
	running bool
	used    time.Time
	// target is the newest announced head that is not applied yet; now is the round in progress, or nil, and next the one after it.
	target    *announced
	now, next *round
	looked    pairSet
	searches  searches

	codes codes
}

func newTracker(k *Keeper, chain dex.Chain) *tracker {
	life, stop := context.WithCancel(k.ctx)
	return &tracker{
		life: life, stop: stop,
		chain: chain, saved: k.Clock.Now(), auditor: auditor{last: k.Clock.Now()},
		node:   node{chainID: chain.ID, send: bounded(k.Connect(chain.ID)), reader: k.reader, refused: &atomic.Int32{}, steps: stepBlocks},
		config: k.Config, tokens: k.Tokens, clock: k.Clock, log: k.Log.With("chain", chain.ID),
		wake: make(chan struct{}, 1), next: newRound(), looked: newPairSet(), searches: newSearches(), codes: k.codes,
	}
}

// bounded adds a deadline to each request.
func bounded(send chainclient.Transport) chainclient.Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		return send(ctx, body)
	}
}

// isOf reports whether the tracker uses the chain's current venues: those of a local chain change when it is deployed
// again.
func (f *tracker) isOf(chain dex.Chain) bool { return reflect.DeepEqual(f.chain, chain) }

// viewAbout returns a fresh view with the pools of all pairs of tokens, which are searched for a caller. The view of a tracker that was stopped is stale
// until its first round is over.
func (f *tracker) viewAbout(ctx context.Context, c limit.Caller, tokens []evm.Address, first *round) (*View, error) {
	pairs := pairsAbout(f.chain.Hubs, tokens)
	v, missing, newer := f.newest(pairs)
	if first == nil && v != nil && len(missing) == 0 && f.isFresh(v) {
		if newer == nil {
			return v, nil
		}
		first = newer
	}
	for range 2 * attempts {
		if first == nil && v != nil && len(missing) > 0 {
			pairs = f.pairsWithCode(ctx, tokens)
			if v, missing = f.present(pairs); len(missing) == 0 && f.isFresh(v) {
				return v, nil
			}
		}
		switch {
		case first != nil:
		case v != nil && len(missing) > 0:
			first = f.request(c, missing)
		default:
			first = f.advanceNext()
		}
		err := first.await(ctx)
		first = nil
		v, missing = f.present(pairs)
		switch {
		case v != nil && len(missing) == 0 && (err == nil && f.isFresh(v) || err != nil && f.age(v) < f.config.MaxAge):
			return v, nil
		case ctx.Err() != nil, errors.Is(err, ErrClosed):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		// The search took long, or the state was meanwhile reset, after a gap in the chain that could not be closed.
	}
	return nil, fmt.Errorf("%w: %w", ErrUnreachable, errMoved)
}

// isFresh reports whether a view needs no other poll.
func (f *tracker) isFresh(v *View) bool { return f.age(v) < max(freshFor, 2*f.chain.BlockTime) }

// present returns the last view, or nil, and the pairs whose pools it may not contain.
func (f *tracker) present(pairs []pair) (*View, []pair) {
	missing := f.missing(pairs)
	return f.view.Load(), missing
}

func (f *tracker) age(v *View) time.Duration { return f.clock.Now().Sub(v.Checked) }

// newest returns the same as present, and the round that reads a newer announced block, or nil. It reads all three under one lock.
func (f *tracker) newest(pairs []pair) (*View, []pair, *round) {
	f.mu.Lock()
	defer f.mu.Unlock()
	// A round publishes its view before finish takes the lock, so the view of a round that is over is not missed.
	v := f.view.Load()
	return v, f.looked.missing(pairs), f.newer(v)
}

// missing returns the pairs whose pools were not searched yet.
func (f *tracker) missing(pairs []pair) []pair {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.looked.missing(pairs)
}

// run keeps the chain up to date until it was not requested for idleAfter, or ctx ends.
func (f *tracker) run(ctx context.Context) {
	f.work.Lock() // the previous run may still write its snapshot
	defer f.work.Unlock()
	// A panic in the background must not end run: callers would wait for rounds that never begin.
	save := func() { _ = routine.Call(ctx, func() error { f.save(); return nil }) }
	prefetch := func() (more bool) {
		_ = routine.Call(ctx, func() error { more = f.prefetch(ctx); return nil })
		return more
	}
	defer save()
	// Blocks are usually announced; polls find those that are not.
	poll := max(f.chain.BlockTime*3/2, leastPoll)
	pause := poll
	failing := false
	for {
		r := f.begin()
		var more []pair
		var checked time.Time
		err := routine.Call(ctx, func() (err error) {
			more, checked, err = f.advance(ctx, r.target)
			return err
		})
		f.finish(r, err)
		if err == nil {
			err = f.seek(ctx, more, checked)
		} else {
			f.refuse(err)
		}
		if f.leave(ctx) {
			return
		}
		pause = min(2*pause, max(poll, mostPoll))
		if failed := err != nil; failed != failing {
			failing = failed
			f.logChange(err)
		}
		if err != nil {
			f.log.Debug("the pools were not read", "error", err)
			f.wait(ctx, pause)
			continue
		}
		pause = poll
		if f.clock.Now().Sub(f.saved) > saveEvery {
			save()
		}
		if prefetch() {
			f.wait(ctx, min(pause, prefetchEvery))
			continue
		}
		f.wait(ctx, pause)
	}
}

// logChange logs that rounds begin to fail, or succeed again.
func (f *tracker) logChange(err error) {
	if err != nil {
		f.log.Warn("the pools of a chain cannot be read; the last state is used while it is recent enough", "error", err)
		return
	}
	f.log.Info("the pools of a chain are read again")
}

// wait waits until the next poll is due, or a caller needs one.
func (f *tracker) wait(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-f.wake:
	case <-timer.C:
	}
}

// advance applies the blocks up to the chain's head and publishes the view. It returns the pairs to search, and the time of the view.
func (f *tracker) advance(ctx context.Context, target *announced) (pairs []pair, checked time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	if err := f.sync(ctx, target); err != nil {
		return nil, checked, err
	}
	if err := f.node.charge(ctx, f.state); err != nil {
		return nil, checked, err
	}
	checked = f.clock.Now()
	if err := f.audit(ctx); err != nil {
		return nil, checked, err
	}
	if f.state.lost {
		f.forget()
	}
	pairs = unique(append(f.renewed(), f.missing(pairsAbout(f.chain.Hubs, f.chain.Hubs))...))
	if f.view.Load() == nil {
		return nil, checked, f.find(ctx, pairs, checked)
	}
	return pairs, checked, f.publish(checked)
}

// sync brings the state to the chain's head.
func (f *tracker) sync(ctx context.Context, target *announced) error {
	if f.state == nil {
		return f.open(ctx)
	}
	if target != nil && target.hash == f.state.head.hash.String() {
		return f.node.rereadStale(ctx, f.state)
	}
	if target != nil && !target.failed && target.number == f.state.head.number+1 {
		// The common case: one request returns the block and its logs.
		head, events, err := f.node.block(ctx, target.hash, f.state.filter())
		if err == nil {
			return f.node.advance(ctx, f.state, head, events, true)
		}
		if !errors.Is(err, errMoved) && !errors.Is(err, errNoLogs) {
			return err
		}
	}
	head, _, err := f.node.newest(ctx)
	if err != nil {
		return err
	}
	return f.node.advance(ctx, f.state, head, nil, false)
}

// open checks routers and factories against the table, and loads the snapshot.
func (f *tracker) open(ctx context.Context) error {
	proofs := proofs(f.chain)
	var questions []chainclient.Call
	for _, p := range proofs {
		questions = append(questions, p.questions()...)
	}
	head, answers, err := f.node.newest(ctx, questions...)
	if err != nil {
		return err
	}
	w := newChainState(f.chain)
	if w.factories, err = confirmed(proofs, answers, f.log); err != nil {
		return err
	}
	f.load(w)
	if err := f.node.advance(ctx, w, head, nil, false); err != nil {
		return err
	}
	f.state = w
	return nil
}

// renewed removes the pairs that got a pool since they were searched, and returns them.
func (f *tracker) renewed() (pairs []pair) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for p := range f.state.created {
		if f.looked.has(p) {
			f.looked.drop(p)
			pairs = append(pairs, p)
		}
	}
	clear(f.state.created)
	return pairs
}

// find searches the pools of pairs and publishes the view.
func (f *tracker) find(ctx context.Context, pairs []pair, checked time.Time) error {
	found, err := f.node.find(ctx, f.state.head.number, f.state.factories, pairs)
	if err != nil {
		return err
	}
	f.state.add(found)
	if err := f.node.charge(ctx, f.state); err != nil {
		return err
	}
	if err := f.publish(checked); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looked.note(pairs)
	return nil
}

// publish makes the state the current view.
func (f *tracker) publish(checked time.Time) error {
	f.state.shrink(f.config.MaxPools)
	if err := f.graph.update(f.state, f.log); err != nil {
		return err
	}
	view := NewView(f.chain, f.state.head.block(), f.graph.graph, f.graph.layout)
	view.Checked = checked
	f.view.Store(view)
	return nil
}

// forget marks all pairs as not searched: some of their pools were dropped, or their creation was missed.
func (f *tracker) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looked = newPairSet()
	f.state.lost = false
}
