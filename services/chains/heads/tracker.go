package heads

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// shortestPoll bounds how often the nodes of a fast chain are polled. publicPoll is the bound for chains that are not for development,
	// because their nodes count requests.
	shortestPoll = 250 * time.Millisecond
	publicPoll   = 500 * time.Millisecond
	// slotPoll is how often Solana is polled: clients do not need a head of each slot.
	slotPoll = time.Second
	// longestStep is the longest pause between polls while a block is due.
	longestStep = time.Second
	// longestPoll is the longest pause while a chain's nodes fail.
	longestPoll = 30 * time.Second
	// usedFor is how long a chain counts as in use after the last call.
	usedFor = 5 * time.Minute
	// pollTimeout bounds one poll.
	pollTimeout = 10 * time.Second
)

// Publish publishes a new head to the other services.
type Publish func(ctx context.Context, chainID string, h rpc.Head) error

// Tracker polls the heads of the chains in use and publishes each new one. The nodes of chains that are not in use are
// not polled.
type Tracker struct {
	chains  map[string]*tracked
	publish Publish
	log     *slog.Logger
	clock   clock.Clock
}

// tracked is one chain and its last head.
type tracked struct {
	chain     pool.Chain
	pool      *pool.Pool
	broadcast *broadcast
	// wake starts polling a chain that was not in use.
	wake chan struct{}

	mu       sync.Mutex
	lastUsed time.Time
	last     rpc.Head
}

// New returns a tracker of no chains.
func New(publish Publish, c clock.Clock, log *slog.Logger) *Tracker {
	return &Tracker{chains: map[string]*tracked{}, publish: publish, clock: c, log: log}
}

// Add adds a chain whose nodes can report their height. It must not be called after Run.
func (t *Tracker) Add(p *pool.Pool) {
	c := p.Chain()
	t.chains[c.ID] = &tracked{chain: c, pool: p, broadcast: newBroadcast(poolSource{p}), wake: make(chan struct{}, 1)}
}

// Streams reports whether blocks and logs of the chain can be subscribed to: it was added, and is an EVM chain.
func (t *Tracker) Streams(chainID string) bool {
	c, ok := t.chains[chainID]
	return ok && c.chain.IsEVM()
}

// Touch records that a chain is in use.
func (t *Tracker) Touch(chainID string) {
	c, ok := t.chains[chainID]
	if !ok {
		return
	}
	c.mu.Lock()
	c.lastUsed = t.clock.Now()
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Subscribe starts a subscription to what follows the current head of a chain that [Tracker.Streams]: blocks, or the
// logs that match if m is not nil. Close the subscription when it is not needed any more.
func (t *Tracker) Subscribe(ctx context.Context, chainID string, m *LogMatcher) (*Subscription, error) {
	c := t.chains[chainID]
	now, err := c.pool.Probe(ctx)
	if errors.Is(err, pool.ErrBehind) {
		now, err = c.pool.LastHead(), nil
	}
	if err != nil {
		return nil, err
	}
	s := c.broadcast.subscribe(now, m)
	t.Touch(chainID)
	return s, nil
}

// Run polls until ctx ends, and closes the pools.
func (t *Tracker) Run(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	for _, c := range t.chains {
		g.Go(func() error {
			defer c.pool.Close()
			return t.track(ctx, c)
		})
	}
	return g.Wait()
}

func (t *Tracker) track(ctx context.Context, c *tracked) error {
	pause := shortestPoll
	for {
		if !t.inUse(c) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-c.wake:
			}
		}
		err := t.poll(ctx, c)
		if err != nil {
			t.log.DebugContext(ctx, "could not read the newest block", "chain", c.chain.ID, "error", err)
		}
		pause = t.pause(c, pause, errors.Is(err, pool.ErrNoNode))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// pause returns how long to wait before the next poll: until the next block is due and then in short steps, so that it is seen soon after it
// exists; and twice the last pause while no node responds.
func (t *Tracker) pause(c *tracked, last time.Duration, failed bool) time.Duration {
	if failed {
		return min(longestPoll, 2*last)
	}
	shortest := publicPoll
	switch {
	case c.chain.Dev:
		shortest = shortestPoll
	case c.chain.IsSolana():
		shortest = slotPoll
	}
	step := min(longestStep, max(shortest, c.chain.BlockTime/2))
	c.mu.Lock()
	due := time.Unix(c.last.Timestamp, 0).Add(c.chain.BlockTime)
	c.mu.Unlock()
	return max(step, min(c.chain.BlockTime, due.Sub(t.clock.Now())))
}

func (t *Tracker) inUse(c *tracked) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.chain.Dev || c.broadcast.hasSubscribers() || t.clock.Now().Sub(c.lastUsed) < usedFor
}

func (t *Tracker) poll(ctx context.Context, c *tracked) error {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	h, err := c.pool.Probe(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	same := c.last.Hash == h.Hash
	c.mu.Unlock()
	if same {
		return c.broadcast.advance(ctx, h)
	}
	if err := t.publish(ctx, c.chain.ID, h); err != nil {
		return err
	}
	c.mu.Lock()
	c.last = h
	c.mu.Unlock()
	return c.broadcast.advance(ctx, h)
}

// Ready returns an error while a development chain, which is always tracked, has no head.
func (t *Tracker) Ready() error {
	var missing []error
	for id, c := range t.chains {
		c.mu.Lock()
		seen := c.last.Hash != ""
		c.mu.Unlock()
		if c.chain.Dev && !seen {
			missing = append(missing, fmt.Errorf("no head of %s yet", id))
		}
	}
	return errors.Join(missing...)
}
