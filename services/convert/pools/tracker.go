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

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// idleAfter is how long a chain is followed after it was last asked for.
	idleAfter = 10 * time.Minute
	// shortestLook keeps a fast chain from being asked without pause; longestLook bounds the pause while nodes fail.
	shortestLook = time.Second
	longestLook  = 30 * time.Second
	// freshFor is how long ago the newest block may have been looked at for a view to be given without a look, on a fast chain.
	freshFor = 2 * time.Second
	// stepBlocks is how many blocks are followed one by one, in one round trip.
	stepBlocks = 64
	// turnTimeout bounds one round of a tracker.
	turnTimeout = 30 * time.Second
	// saveEvery is how often a snapshot is written.
	saveEvery = 5 * time.Minute
)

// tracker is the work on one chain. It runs while the chain is in use.
type tracker struct {
	chain  venues.Chain
	node   node
	config Config
	tokens TokenList
	clock  clock.Clock
	log    *slog.Logger
	wake   chan struct{}
	view   atomic.Pointer[View]
	// life ends with the keeper, or with stop when the chain's venues are others.
	life context.Context
	stop context.CancelFunc

	// work is held by the goroutine that runs; what follows belongs to it.
	work       sync.Mutex
	state      *chainState
	graph      graphBuilder
	prefetcher prefetcher
	auditor    auditor
	saved      time.Time

	mu      sync.Mutex
	running bool
	used    time.Time
	// told is the newest head that was heard of and is not followed yet; now is the round under way, if there is one, and next the one after.
	told      *announced
	now, next *round
	looked    pairSet
}

func newTracker(k *Keeper, chain venues.Chain) *tracker {
	life, stop := context.WithCancel(k.ctx)
	return &tracker{
		life: life, stop: stop,
		chain: chain, saved: k.Clock.Now(), auditor: auditor{last: k.Clock.Now()},
		node:   node{chainID: chain.ID, send: bounded(k.Connect(chain.ID)), reader: k.reader, refused: &atomic.Int32{}, steps: stepBlocks},
		config: k.Config, tokens: k.Tokens, clock: k.Clock, log: k.Log.With("chain", chain.ID),
		wake: make(chan struct{}, 1), next: newRound(), looked: newPairSet(),
	}
}

// bounded gives each body to a node a deadline.
func bounded(send chainclient.Transport) chainclient.Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		return send(ctx, body)
	}
}

// isOf says whether the tracker works with the chain's present venues: those of local chains change when they are set up anew.
func (f *tracker) isOf(chain venues.Chain) bool { return reflect.DeepEqual(f.chain, chain) }

// viewAbout returns a fresh view in which the pools of all pairs are known. What a tracker that had rested knows is not fresh: its first round
// must be over.
func (f *tracker) viewAbout(ctx context.Context, pairs []pair, first *round) (*View, error) {
	v, missing := f.present(pairs)
	if first == nil && v != nil && len(missing) == 0 && f.age(v) < max(freshFor, 2*f.chain.BlockTime) {
		if first = f.newer(v); first == nil {
			return v, nil
		}
	}
	for range attempts {
		if first == nil {
			first = f.ask(missing)
		}
		err := first.await(ctx)
		first = nil
		v, missing = f.present(pairs)
		switch {
		case v != nil && len(missing) == 0 && (err == nil || f.age(v) < f.config.MaxAge):
			return v, nil
		case ctx.Err() != nil, errors.Is(err, ErrClosed):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		// What was known of pools was lost on the way: a gap in the chain that nothing bridges.
	}
	return nil, fmt.Errorf("%w: %w", ErrUnreachable, errMoved)
}

// present is the last view, if there is one, and those of pairs whose pools it may not know. What is not missing was shown before.
func (f *tracker) present(pairs []pair) (*View, []pair) {
	missing := f.missing(pairs)
	return f.view.Load(), missing
}

func (f *tracker) age(v *View) time.Duration { return f.clock.Now().Sub(v.Checked) }

// missing are the pairs whose pools were not looked for yet.
func (f *tracker) missing(pairs []pair) []pair {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.looked.missing(pairs)
}

// run follows the chain until nobody has asked for it for a while, or ctx ends.
func (f *tracker) run(ctx context.Context) {
	f.work.Lock() // the run before may still be writing its snapshot
	defer f.work.Unlock()
	defer f.save()
	// Blocks are usually heard of, and looks only for when they are not.
	look := max(f.chain.BlockTime*3/2, shortestLook)
	pause := look
	for {
		r := f.begin()
		err := routine.Call(ctx, func() error { return f.turn(ctx, r.pairs, r.told) })
		f.finish(r, err)
		if f.leave(ctx) {
			return
		}
		pause = min(2*pause, max(look, longestLook))
		if err != nil {
			f.log.Debug("the pools were not read", "error", err)
			f.rest(ctx, pause)
			continue
		}
		pause = look
		if f.clock.Now().Sub(f.saved) > saveEvery {
			f.save()
		}
		if f.prefetch(ctx) {
			f.rest(ctx, min(pause, exploreEvery))
			continue
		}
		f.rest(ctx, pause)
	}
}

// rest waits for the next look, or for somebody who wants one.
func (f *tracker) rest(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-f.wake:
	case <-timer.C:
	}
}

// turn follows the chain to its head, looks for the pools of pairs, and shows what it found.
func (f *tracker) turn(ctx context.Context, pairs []pair, told *announced) error {
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	if err := f.sync(ctx, told); err != nil {
		return err
	}
	if err := f.node.charge(ctx, f.state); err != nil {
		return err
	}
	checked := f.clock.Now()
	if err := f.audit(ctx); err != nil {
		return err
	}
	if f.state.lost {
		f.forget()
	}
	pairs = append(f.renewed(), f.missing(pairs)...)
	begun := f.view.Load() != nil
	if begun {
		// Those who only want to know the newest block need not wait for pools of others.
		if err := f.show(checked); err != nil {
			return err
		}
	}
	pairs = unique(append(pairs, f.missing(pairsAbout(f.chain.Hubs, f.chain.Hubs))...))
	if begun && len(pairs) == 0 {
		return nil
	}
	return f.find(ctx, pairs, checked)
}

// sync brings the world to the chain's head.
func (f *tracker) sync(ctx context.Context, told *announced) error {
	if f.state == nil {
		return f.open(ctx)
	}
	if told != nil && told.hash == f.state.head.hash.String() {
		return f.node.clear(ctx, f.state)
	}
	if told != nil && told.number == f.state.head.number+1 {
		// The common case: one body brings the block and its logs.
		head, events, err := f.node.block(ctx, told.hash, f.state.filter())
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

// open begins with what the snapshot says, once routers and factories have proved to be what the table says.
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

// renewed are the pairs that were looked for, and have got a pool since. They are missing from now on.
func (f *tracker) renewed() (pairs []pair) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for p := range f.state.created {
		if f.looked.has(p) {
			delete(f.looked.pairs, p)
			pairs = append(pairs, p)
		}
	}
	clear(f.state.created)
	return pairs
}

// find looks for the pools of pairs, and shows what it found.
func (f *tracker) find(ctx context.Context, pairs []pair, checked time.Time) error {
	found, err := f.node.find(ctx, f.state.head.number, f.state.factories, pairs)
	if err != nil {
		return err
	}
	f.state.add(found)
	if err := f.node.charge(ctx, f.state); err != nil {
		return err
	}
	if err := f.show(checked); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looked.note(pairs)
	return nil
}

// show publishes a view of the world.
func (f *tracker) show(checked time.Time) error {
	f.state.shrink(f.config.MaxPools)
	if err := f.graph.update(f.state, f.log); err != nil {
		return err
	}
	f.view.Store(&View{Chain: f.chain, Block: f.state.head.block(), Checked: checked, Graph: f.graph.graph, layout: f.graph.layout})
	return nil
}

// forget has pairs looked for again when they are asked for: some of their pools were let go of, or not heard of.
func (f *tracker) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looked = newPairSet()
	f.state.lost = false
}
