package pool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// probeMaxAge is how old the last probe may be when a call is made. A chain in use is probed far more often.
	probeMaxAge = 30 * time.Second
	// probeRetry is how soon the nodes are probed again if none was healthy.
	probeRetry = time.Second
	// probeTimeout bounds one probe of one node.
	probeTimeout = 3 * time.Second
	// Nodes that are not preferred are probed every standbyBlocks blocks, within these bounds.
	shortestStandby = 2 * time.Second
	longestStandby  = 15 * time.Second
	standbyBlocks   = 4
	// shortestGrace is the shortest time that a probe waits for the other nodes after one has responded.
	shortestGrace = 50 * time.Millisecond
)

var (
	// errWrongChain is returned for a node of another chain. Such a node is not used.
	errWrongChain = errors.New("node is on another chain")
	// errNotDue is returned by a probe if every node backs off or is on another chain.
	errNotDue = errors.New("no node is due for a probe")
	// errSlow is returned by a probe if a node has not responded in time.
	errSlow = errors.New("a node has not responded in time")
)

// probes is the last result of probing a pool's nodes, and the probes in progress.
type probes struct {
	// lifetime ends with close; a probe outlives the call that started it.
	lifetime context.Context
	cancel   context.CancelFunc
	running  routine.WaitGroup

	mu      sync.Mutex
	at      time.Time
	healthy bool
	head    rpc.Head
	// refreshedAt is when every node was last probed.
	refreshedAt time.Time
}

func (s *probes) open() { s.lifetime, s.cancel = context.WithCancel(context.Background()) }

// close cancels the probes in progress and waits until they have ended. No probe starts after it.
func (s *probes) close() {
	s.mu.Lock()
	s.cancel()
	s.mu.Unlock()
	s.running.Wait()
}

// start runs a probe in the background, unless the pool is closed. The lock keeps a probe from being added while close waits.
func (s *probes) start(probe func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lifetime.Err() != nil {
		return false
	}
	s.running.Go(s.lifetime, probe)
	return true
}

// isStale reports whether the last probe is older than maxAge, or than probeRetry if it found no healthy node.
func (s *probes) isStale(now time.Time, maxAge time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.healthy {
		maxAge = probeRetry
	}
	return s.at.IsZero() || now.Sub(s.at) >= maxAge
}

// refreshIsDue reports whether the last probe of every node is old enough to probe them again.
func (s *probes) refreshIsDue(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refreshedAt.IsZero() || now.Sub(s.refreshedAt) >= upstream.RefreshPause
}

func (s *probes) refreshed(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refreshedAt = now
}

func (s *probes) done(healthy bool, h rpc.Head, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at, s.healthy = now, healthy
	if healthy {
		s.head = h
	}
}

func (s *probes) lastHead() rpc.Head {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.head
}

// EnsureProbed probes the nodes if that is due. A node is not used before its chain id and head are known.
func (p *Pool) EnsureProbed(ctx context.Context) {
	if p.canProbe() && p.probes.isStale(p.clock.Now(), probeMaxAge) {
		_, _ = p.Probe(ctx)
	}
}

// LastHead returns the head of the last successful probe.
func (p *Pool) LastHead() rpc.Head { return p.probes.lastHead() }

// Probe reads the heads of the two preferred nodes, those of the other nodes less often, and of more nodes if the first
// two do not agree; it returns the chain's head. Concurrent callers share one probe. The error is ErrBehind, or wraps
// ErrNoNode, or is that of ctx.
func (p *Pool) Probe(ctx context.Context) (rpc.Head, error) {
	return p.sharedProbe(ctx, "probe", false)
}

// probeAll probes every node.
func (p *Pool) probeAll(ctx context.Context) {
	_, _ = p.sharedProbe(ctx, "probe all", true)
}

func (p *Pool) sharedProbe(ctx context.Context, name string, all bool) (rpc.Head, error) {
	flight := p.flights.DoChan(ctx, name, func() (any, error) { return p.probe(all) })
	select {
	case <-ctx.Done():
		return rpc.Head{}, ctx.Err()
	case r := <-flight:
		h, _ := r.Val.(rpc.Head)
		return h, r.Err
	}
}

func (p *Pool) probe(all bool) (rpc.Head, error) {
	preferred, wait := p.preferred()
	standby := p.standbyPause()
	if p.HasOneNode() {
		wait = probeTimeout
	}
	if all {
		wait, standby = probeTimeout, 0
		defer func() { p.probes.refreshed(p.clock.Now()) }()
	}
	results, err := p.probeNodes(wait, func(n *Node) (pause time.Duration) {
		if slices.Contains(preferred, n) {
			return 0
		}
		return standby
	})
	best, agreed := p.chooseHead(results)
	if !agreed && len(p.nodes) > 1 && p.probes.lifetime.Err() == nil {
		// The other nodes may support one of the heads.
		wait, pause := probeTimeout, time.Duration(0)
		if len(results) > 0 {
			wait, pause = unknownHedge, shortestStandby
		}
		more, moreErr := p.probeNodes(wait, func(n *Node) time.Duration {
			if slices.ContainsFunc(results, func(r probeResult) bool { return r.node == n }) {
				return longestStandby
			}
			return pause
		})
		results, err = append(results, more...), errors.Join(err, moreErr)
		best, agreed = p.chooseHead(results)
	}
	now := p.clock.Now()
	if best == nil {
		p.probes.done(len(results) > 0, p.probes.lastHead(), now)
		if len(results) > 0 {
			return rpc.Head{}, ErrBehind
		}
		return rpc.Head{}, fmt.Errorf("%w: %w", ErrNoNode, err)
	}
	if !p.height.set(best.head.Number, agreed, p.chain.Dev, now) {
		p.probes.done(true, p.probes.lastHead(), now)
		return rpc.Head{}, ErrBehind
	}
	p.probes.done(true, best.head, now)
	p.checkForks()
	return best.head, nil
}

// probeNodes probes each node that was not probed within its pause, and waits up to wait for the results. It also waits
// for a probe in progress of a node without a pause.
func (p *Pool) probeNodes(wait time.Duration, pause func(*Node) time.Duration) ([]probeResult, error) {
	found := make(chan probeResult, len(p.nodes))
	count := 0
	for _, n := range p.nodes {
		starts, sends := n.startProbe(p.clock.Now(), pause(n), found)
		if sends {
			count++
		}
		if !starts {
			continue
		}
		if !p.probes.start(func() { n.endProbe(p.probeNode(p.probes.lifetime, n)) }) {
			n.endProbe(probeResult{node: n, err: context.Canceled})
			break
		}
	}
	if count == 0 {
		return nil, errNotDue
	}
	return gather(p.probes.lifetime, found, count, wait)
}

// preferred returns the two nodes that are first in order, and how long a probe waits for them alone.
func (p *Pool) preferred() ([]*Node, time.Duration) {
	nodes, healthy := p.order(Call{NeedsNewest: true})
	if !healthy {
		return nil, probeTimeout
	}
	usual, _ := nodes[0].timeouts(false)
	return nodes[:min(2, len(nodes))], min(probeTimeout, 4*max(usual, shortestGrace))
}

func (p *Pool) standbyPause() time.Duration {
	return min(longestStandby, max(shortestStandby, standbyBlocks*p.chain.BlockTime))
}

// probeResult is the head of one node.
type probeResult struct {
	node *Node
	head rpc.Head
	// moved is set if the head is above that of the node's last probe.
	moved bool
	err   error
}

// gather collects the results of count probes. Once one node has responded, the others have four times as long as it took.
func gather(ctx context.Context, found <-chan probeResult, count int, wait time.Duration) (results []probeResult, err error) {
	started := time.Now()
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	var failures []error
	for range count {
		select {
		case <-ctx.Done():
			return results, ctx.Err()
		case <-timeout.C:
			return results, errors.Join(append(failures, errSlow)...)
		case r := <-found:
			if r.err != nil {
				failures = append(failures, r.err)
				continue
			}
			if len(results) == 0 {
				timeout.Reset(max(shortestGrace, 4*time.Since(started)))
			}
			results = append(results, r)
		}
	}
	return results, errors.Join(failures...)
}

// check probes a node in the background, unless it was probed a moment ago: it counts as failed if it does not respond.
func (p *Pool) check(n *Node) {
	if starts, _ := n.startProbe(p.clock.Now(), probeRetry, make(chan probeResult, 1)); !starts {
		return
	}
	if !p.probes.start(func() { n.endProbe(p.probeNode(p.probes.lifetime, n)) }) {
		n.endProbe(probeResult{node: n, err: context.Canceled})
	}
}

// probeNode reads the head of a node and, if that is due, its chain id.
func (p *Pool) probeNode(ctx context.Context, n *Node) probeResult {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	h, err := p.readHead(ctx, n)
	moved := false
	switch {
	case err == nil:
		moved = n.setHead(h.Number)
	case !errors.Is(err, errWrongChain) && p.probes.lifetime.Err() == nil:
		if n.failed(p.clock.Now(), kindOf(err)) {
			p.metrics.failed(ctx, n, err)
		}
	}
	return probeResult{n, h, moved, err}
}

func (p *Pool) readHead(ctx context.Context, n *Node) (rpc.Head, error) {
	if !n.isVerified(p.clock.Now()) {
		if err := p.verifyChain(ctx, n); err != nil {
			return rpc.Head{}, err
		}
	}
	started := p.clock.Now()
	o := p.post(ctx, n, Call{body: p.protocol.head})
	if o.err != nil {
		return rpc.Head{}, o.err
	}
	h, err := p.protocol.parseHead(o.Body)
	if err != nil {
		return rpc.Head{}, invalid(err.Error())
	}
	n.probeSucceeded(p.clock.Now().Sub(started), p.clock.Now())
	return h, nil
}

// Verify asks each node once for its chain's id, and logs the nodes of another chain, which are not used, and those that do not answer, which are used as
// before.
func (p *Pool) Verify(ctx context.Context) {
	if !p.canProbe() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var asking routine.WaitGroup
	for _, n := range p.nodes {
		asking.Go(ctx, func() {
			if err := p.verifyChain(ctx, n); err != nil && !errors.Is(err, errWrongChain) && !errors.Is(err, context.Canceled) {
				p.metrics.silent(ctx, n, err)
			}
		})
	}
	asking.Wait()
}

func (p *Pool) verifyChain(ctx context.Context, n *Node) error {
	o := p.post(ctx, n, Call{body: p.protocol.chain})
	if o.err != nil {
		return o.err
	}
	reference, err := p.protocol.reference(o.Response.Result)
	if err != nil {
		return err
	}
	if reference != p.chain.Reference() {
		n.setIdentity(identityWrong, p.clock.Now())
		p.metrics.wrongChain(ctx, n, reference)
		return errWrongChain
	}
	n.setIdentity(identityRight, p.clock.Now())
	return nil
}
