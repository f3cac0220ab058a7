package chains

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// nodesPerCall bounds how many nodes one call may try.
	nodesPerCall = 5
	// firstRest and longestRest bound how long a node that failed is asked last.
	firstRest   = time.Second
	longestRest = time.Minute
)

// errNoNode is returned when every node of a chain failed; it wraps what each said.
var errNoNode = errors.New("every node failed")

// pool is the nodes of one chain, asked in order of preference; one that fails rests, and is asked last until its rest is over.
type pool struct {
	poster Poster
	clock  clock.Clock
	nodes  []*node
}

type node struct {
	url string

	mu        sync.Mutex
	failures  int
	restUntil time.Time
}

func newPool(urls []string, poster Poster, c clock.Clock) *pool {
	p := &pool{poster: poster, clock: c}
	for _, u := range urls {
		p.nodes = append(p.nodes, &node{url: os.ExpandEnv(u)})
	}
	return p
}

// forward returns the first usable answer. The error wraps errNoNode, or is the context's own when the caller gave up.
func (p *pool) forward(ctx context.Context, body []byte) ([]byte, error) {
	var said []error
	for _, n := range p.order() {
		status, answer, err := p.poster.PostJSON(ctx, n.url, body)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			err = unusable(status, answer)
		}
		if err == nil {
			n.succeeded()
			return answer, nil
		}
		n.failed(p.clock.Now())
		said = append(said, err)
	}
	return nil, fmt.Errorf("%w: %w", errNoNode, errors.Join(said...))
}

// order lists the nodes to try: rested ones by preference, then resting ones by when their rest ends.
func (p *pool) order() []*node {
	now := p.clock.Now()
	rest := make(map[*node]time.Duration, len(p.nodes))
	for _, n := range p.nodes {
		rest[n] = n.rest(now)
	}
	order := slices.Clone(p.nodes)
	slices.SortStableFunc(order, func(a, b *node) int { return cmp.Compare(rest[a], rest[b]) })
	return order[:min(len(order), nodesPerCall)]
}

func (n *node) rest(now time.Time) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	return max(0, n.restUntil.Sub(now))
}

func (n *node) succeeded() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.failures, n.restUntil = 0, time.Time{}
}

func (n *node) failed(now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	pause := min(longestRest, firstRest<<min(n.failures, 10))
	n.failures++
	n.restUntil = now.Add(pause)
}
