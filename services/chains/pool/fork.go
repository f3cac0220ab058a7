package pool

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// forkInterval is how often the nodes of a chain in use are compared, and forkRetry how often while one differs.
	forkInterval, forkRetry = 10 * time.Minute, time.Minute
	// forkMajority is how many nodes must have the same block before one with another block is wrong, and forkNodes how many nodes a chain must have so
	// that this can be decided.
	forkMajority, forkNodes = 2, 3
)

// forkCheck is when the nodes were last compared.
type forkCheck struct {
	mu  sync.Mutex
	due time.Time
}

// isDue reports whether the nodes are to be compared, and sets the next time.
func (f *forkCheck) isDue(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now.Before(f.due) {
		return false
	}
	f.due = now.Add(forkInterval)
	return true
}

func (f *forkCheck) retryAt(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.due = at
}

// checkForks compares in the background, if that is due, the block that the nodes have at a height that is final. It costs one call of each node. A node
// with another block than most is on a fork, or invents: it is not used until it has the same.
func (p *Pool) checkForks() {
	height, depth := p.height.get(), p.chain.Confirmations()
	if !p.chain.IsEVM() || p.chain.Dev || len(p.nodes) < forkNodes || height <= depth || !p.forks.isDue(p.clock.Now()) {
		return
	}
	p.probes.start(func() { p.compareBlocks(height - depth) })
}

// compareBlocks compares the hashes of a block.
func (p *Pool) compareBlocks(number uint64) {
	ctx, cancel := context.WithTimeout(p.probes.lifetime, probeTimeout)
	defer cancel()
	hashes := routine.Collect(ctx, len(p.nodes), func(i int) (string, error) { return p.readHash(ctx, p.nodes[i], number) })
	counts := map[string]int{}
	most := ""
	for _, h := range hashes {
		if h.Err != nil || h.Value == "" {
			continue
		}
		if counts[h.Value]++; counts[h.Value] > counts[most] {
			most = h.Value
		}
	}
	second := 0
	for hash, count := range counts {
		if hash != most {
			second = max(second, count)
		}
	}
	if counts[most] < forkMajority || counts[most] == second {
		return
	}
	for i, h := range hashes {
		if h.Err != nil || h.Value == "" {
			continue
		}
		differs := h.Value != most
		if differs {
			p.forks.retryAt(p.clock.Now().Add(forkRetry))
		}
		if p.nodes[i].setForked(differs, p.clock.Now()) && differs {
			p.metrics.forked(ctx, p.nodes[i], number)
		}
	}
}

// readHash returns the hash of a node's block in lower case; empty for a node that is not asked, or lacks the block.
func (p *Pool) readHash(ctx context.Context, n *Node, number uint64) (string, error) {
	if s := n.state(p.clock.Now()); s.identity != identityRight || s.backoff > 0 {
		return "", nil
	}
	q := rpc.NewRequest(rpc.MethodBlock, rpc.Quantity(number), false)
	o := p.post(ctx, n, NewCall(q))
	if o.err != nil || o.Response.Error != nil || o.Response.IsNull() {
		return "", o.err
	}
	h, err := rpc.ParseHead(o.Body)
	return strings.ToLower(h.Hash), err
}
