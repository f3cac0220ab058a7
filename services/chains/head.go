package chains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// shortestPoll keeps a fast chain from being asked without pause; on chains that are not for development it is publicPoll, for their nodes
	// count requests.
	shortestPoll = 250 * time.Millisecond
	publicPoll   = 500 * time.Millisecond
	// longestStep is how long a look at the head may be away from the moment a block is due.
	longestStep = time.Second
	// longestPoll is how far the pause grows while a chain's nodes fail.
	longestPoll = 30 * time.Second
	// followFor is how long a chain is followed after it was last asked for.
	followFor = 5 * time.Minute
	// headTimeout bounds one look at a head.
	headTimeout = 10 * time.Second
)

// head is a chain's newest block.
type head struct {
	number     uint64
	hash       string
	parentHash string
	// timestamp is in seconds since 1970.
	timestamp int64
}

// followed is one chain whose head is looked at while somebody uses the chain.
type followed struct {
	network Network
	door    *door
	feed    *feed
	// wake starts a round for a chain that nobody had used for a while.
	wake chan struct{}

	mu       sync.Mutex
	lastUsed time.Time
	last     head
}

// follower looks at the heads of the chains in use, and tells each new one. Public nodes of chains that nobody uses are left in peace.
type follower struct {
	chains map[string]*followed
	tell   func(ctx context.Context, chainID string, h head) error
	log    *slog.Logger
	now    func() time.Time
}

// touch notes that a chain is in use.
func (f *follower) touch(chainID string) {
	c, ok := f.chains[chainID]
	if !ok {
		return
	}
	c.mu.Lock()
	c.lastUsed = f.now()
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// run follows until ctx ends.
func (f *follower) run(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	for _, c := range f.chains {
		if !c.network.isEVM() {
			continue
		}
		g.Go(func() error {
			defer c.door.pool.looks.end()
			return f.follow(ctx, c)
		})
	}
	return g.Wait()
}

func (f *follower) follow(ctx context.Context, c *followed) error {
	pause := shortestPoll
	for {
		if !f.inUse(c) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-c.wake:
			}
		}
		err := f.look(ctx, c)
		if err != nil {
			f.log.DebugContext(ctx, "no head", "chain", c.network.ChainID, "error", err)
		}
		pause = f.pause(c, pause, errors.Is(err, errNoNode))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// pause is how long to wait before the next look: until the next block is due and then in short steps, so that it is seen soon after it
// is there; and ever longer while no node answers.
func (f *follower) pause(c *followed, last time.Duration, failed bool) time.Duration {
	if failed {
		return min(longestPoll, 2*last)
	}
	shortest := publicPoll
	if c.network.Dev {
		shortest = shortestPoll
	}
	step := min(longestStep, max(shortest, c.network.BlockTime/2))
	c.mu.Lock()
	due := time.Unix(c.last.timestamp, 0).Add(c.network.BlockTime)
	c.mu.Unlock()
	return max(step, min(c.network.BlockTime, due.Sub(f.now())))
}

func (f *follower) inUse(c *followed) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.network.Dev || c.feed.isHeard() || f.now().Sub(c.lastUsed) < followFor
}

func (f *follower) look(ctx context.Context, c *followed) error {
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	h, err := c.door.pool.look(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	same := c.last.hash == h.hash
	c.mu.Unlock()
	if same {
		return c.feed.advance(ctx, h)
	}
	if err := f.tell(ctx, c.network.ChainID, h); err != nil {
		return err
	}
	c.mu.Lock()
	c.last = h
	c.mu.Unlock()
	return c.feed.advance(ctx, h)
}

// ready says which of the chains that are always followed has not shown a head yet.
func (f *follower) ready() error {
	var missing []error
	for id, c := range f.chains {
		c.mu.Lock()
		seen := c.last.hash != ""
		c.mu.Unlock()
		if c.network.Dev && !seen {
			missing = append(missing, fmt.Errorf("no head of %s yet", id))
		}
	}
	return errors.Join(missing...)
}

func parseHead(answer []byte) (head, error) {
	var response struct {
		Result *struct {
			Number     string `json:"number"`
			Hash       string `json:"hash"`
			ParentHash string `json:"parentHash"`
			Timestamp  string `json:"timestamp"`
		} `json:"result"`
	}
	if err := json.Unmarshal(answer, &response); err != nil || response.Result == nil {
		return head{}, errors.New("the node answered no block")
	}
	block := response.Result
	number, err := strconv.ParseUint(strings.TrimPrefix(block.Number, "0x"), 16, 64)
	if err != nil {
		return head{}, errors.New("the block has no number")
	}
	timestamp, err := strconv.ParseInt(strings.TrimPrefix(block.Timestamp, "0x"), 16, 64)
	if err != nil {
		return head{}, errors.New("the block has no time")
	}
	if len(block.Hash) != 66 || len(block.ParentHash) != 66 {
		return head{}, errors.New("the block has no hash")
	}
	return head{number: number, hash: block.Hash, parentHash: block.ParentHash, timestamp: timestamp}, nil
}
