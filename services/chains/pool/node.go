package pool

import (
	"os"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// firstBackoff and longestBackoff bound how long a node is not used after a failure.
	firstBackoff   = time.Second
	longestBackoff = 10 * time.Second
	// overtakenAllowed is how often in a row a node may be overtaken before that counts as a failure.
	overtakenAllowed = 3
	// shortestHedge and longestHedge bound the wait before a second node is tried; unknownHedge is the wait for a node of unknown latency.
	shortestHedge = 25 * time.Millisecond
	longestHedge  = 2 * time.Second
	unknownHedge  = 250 * time.Millisecond
	// downAfter is how often in a row a node fails before it counts as down. Trying it again then costs retry budget, and it is not probed while
	// it backs off.
	downAfter = 3
	// shortestTimeout and NodeTimeout bound one try at one node.
	shortestTimeout = 2 * time.Second
	// NodeTimeout is the time limit of one call of a node.
	NodeTimeout = 10 * time.Second
	// verifiedFor is how long the chain id of a node is trusted, and wrongChainFor how long a node of another chain is
	// not used.
	verifiedFor   = time.Hour
	wrongChainFor = time.Minute
)

// Node is one JSON-RPC server of a chain and its state.
type Node struct {
	url string
	// host is the part of the URL that may be shown.
	host string
	// index is the node's position in the operator's order.
	index int

	mu sync.Mutex
	// The circuit breaker: failures in a row, and until when the node backs off. After that it is half open: one call at a time tries it,
	// until a call or a probe succeeds.
	failures     int
	halfOpen     bool
	overtakes    int
	backoffUntil time.Time
	// lastError is the kind of the latest failure, empty before the first.
	lastError   upstream.Outcome
	lastErrorAt time.Time
	// identity is the result of eth_chainId, read at verified.
	identity identity
	verified time.Time
	// head is the newest block that the node has returned.
	head uint64
	// probing are the channels that receive the result of the probe in progress; empty if there is none.
	probing  []chan<- probeResult
	probedAt time.Time
	// probedHead is the head that the last probe found.
	probedHead uint64
	// light and heavy are its latencies for either kind of method.
	light, heavy latencies
	// errors is how many of its latest calls failed.
	errors errorRate
	// forked is set while it has another block than most nodes at a height that is final.
	forked bool
}

// identity says whether a node is of its pool's chain.
type identity int

const (
	identityUnknown identity = iota
	identityRight
	identityWrong
)

func newNode(url string, index int) *Node {
	url = os.ExpandEnv(url)
	return &Node{url: url, host: upstream.Host(url), index: index}
}

// Host returns the part of the node's URL that may be shown.
func (n *Node) Host() string { return n.host }

// nodeState is a copy of the state by which nodes are ordered.
type nodeState struct {
	node     *Node
	identity identity
	backoff  time.Duration
	head     uint64
	latency  time.Duration
	// errors is the part of its latest calls that failed.
	errors float64
	forked bool
	// known is set once the node was called.
	known bool
}

// isOther reports whether the node is not of the chain, or not of the fork that most nodes are of. It is not used then.
func (s nodeState) isOther() bool { return s.forked || s.identity == identityWrong }

func (n *Node) state(now time.Time) nodeState {
	n.mu.Lock()
	defer n.mu.Unlock()
	return nodeState{
		node: n, identity: n.identity, backoff: max(0, n.backoffUntil.Sub(now)), head: n.head, latency: n.light.mean,
		errors: n.errors.get(now), forked: n.forked, known: n.light.count+n.heavy.count > 0 || !n.lastErrorAt.IsZero(),
	}
}

// isDown reports whether the node failed several times in a row.
func (n *Node) isDown() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failures >= downAfter
}

// isWrongChain reports whether the node is on another chain, or on another fork of it.
func (n *Node) isWrongChain() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.identity == identityWrong || n.forked
}

// setForked records whether the node has another block than most nodes, and reports whether that changed.
func (n *Node) setForked(forked bool, now time.Time) (changed bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	changed = n.forked != forked
	n.forked = forked
	if forked {
		n.lastError, n.lastErrorAt = upstream.WrongChain, now
	}
	return changed
}

// startProbe reports whether the caller must probe the node now, and whether the result will be sent to found. The node is not probed while it is down
// and backs off, nor if it was probed within pause. If it must be probed while another probe is under way, the result of that one is sent.
func (n *Node) startProbe(now time.Time, pause time.Duration, found chan<- probeResult) (starts, sends bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.failures >= downAfter && now.Before(n.backoffUntil),
		n.identity == identityWrong && now.Sub(n.verified) < wrongChainFor,
		n.identity == identityRight && pause > 0 && (len(n.probing) > 0 || now.Sub(n.probedAt) < pause):
		return false, false
	}
	n.probing = append(n.probing, found)
	if len(n.probing) > 1 {
		return false, true
	}
	n.probedAt = now
	return true, true
}

// endProbe sends the result of the probe to the callers that wait for it. Their channels have room for it.
func (n *Node) endProbe(r probeResult) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, found := range n.probing {
		found <- r
	}
	n.probing = nil
}

func (n *Node) isVerified(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.identity == identityRight && now.Sub(n.verified) < verifiedFor
}

func (n *Node) setIdentity(to identity, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.identity, n.verified = to, now
	if to == identityWrong {
		n.lastError, n.lastErrorAt = upstream.WrongChain, now
	}
}

// setHead records the node's newest block, and reports whether it is above that of the last probe.
func (n *Node) setHead(number uint64) (moved bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	moved = n.probedHead > 0 && number > n.probedHead
	n.head, n.probedHead = number, number
	return moved
}

// raiseHead records that the node has a block, which may not be its newest.
func (n *Node) raiseHead(number uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.head = max(n.head, number)
}

// begin records that a call is sent to the node. A half-open node gets no second call until the first one has ended.
func (n *Node) begin(now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.halfOpen {
		n.backoffUntil = now.Add(firstBackoff)
	}
}

// succeeded records a response, and reports whether the node had failed before.
func (n *Node) succeeded(heavy bool, took time.Duration, now time.Time) (recovered bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.errors.add(false, now)
	recovered = n.failures > 0
	n.failures, n.halfOpen, n.overtakes, n.backoffUntil = 0, false, 0, time.Time{}
	n.latencies(heavy).add(took)
	return recovered
}

// failed records a failure, and reports whether it is the first in a row.
func (n *Node) failed(now time.Time, kind upstream.Outcome) (first bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail(now, kind)
	return n.failures == 1
}

// overtaken records that another node responded first, after this one had been silent for took.
func (n *Node) overtaken(heavy bool, took time.Duration, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.latencies(heavy).add(took)
	n.overtakes++
	if n.overtakes >= overtakenAllowed || n.failures > 0 {
		n.fail(now, upstream.Timeout)
	}
}

func (n *Node) fail(now time.Time, kind upstream.Outcome) {
	n.lastError, n.lastErrorAt = kind, now
	n.errors.add(true, now)
	backoff := min(longestBackoff, firstBackoff<<min(n.failures, 10))
	n.failures++
	n.halfOpen = true
	n.overtakes = 0
	n.backoffUntil = now.Add(backoff)
}

// probeSucceeded records how long a probe took. It closes a half-open circuit but does not shorten a backoff: a node
// that answers probes may fail at other calls, and its next backoff is then longer than the last.
func (n *Node) probeSucceeded(took time.Duration, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.light.add(took)
	if !now.Before(n.backoffUntil) {
		n.halfOpen = false
	}
}

func (n *Node) latencies(heavy bool) *latencies {
	if heavy {
		return &n.heavy
	}
	return &n.light
}

// timeouts returns how long to wait for the node before the call is hedged, and before the call to the node is
// cancelled.
func (n *Node) timeouts(heavy bool) (hedge, timeout time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	timeout = NodeTimeout
	if n.halfOpen && !heavy {
		timeout = shortestTimeout
	}
	known := n.latencies(heavy)
	if known.count == 0 {
		return max(unknownHedge, min(longestHedge, 4*n.light.p95)), timeout
	}
	if !heavy {
		timeout = min(timeout, max(shortestTimeout, 8*known.p95))
	}
	return min(longestHedge, max(shortestHedge, known.p95)), timeout
}

// latencyWindow is how many responses the percentile is taken over.
const latencyWindow = 64

// latencies is how long the last responses of a node took.
type latencies struct {
	ring  [latencyWindow]time.Duration
	count int
	mean  time.Duration
	p95   time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.ring[l.count%latencyWindow] = d
	l.count++
	if l.count == 1 {
		l.mean = d
	}
	// An exponential mean over about eight responses.
	l.mean += (d - l.mean) / 8
	if l.count < 8 || l.count%8 == 0 {
		sorted := slices.Clone(l.ring[:min(l.count, latencyWindow)])
		slices.Sort(sorted)
		l.p95 = sorted[(len(sorted)*95-1)/100]
	}
}

const (
	// retryShare is how many additional tries one call adds to the budget. It bounds how much an outage multiplies the
	// calls to nodes.
	retryShare = 0.1
	// retriesPerSecond is added to the budget each second, so that a chain with few calls can fail over too.
	retriesPerSecond = 2
	// retriesSaved is the maximum of the budget.
	retriesSaved = 40
)

// retryBudget bounds the tries after the first one of each call, hedges included.
type retryBudget struct {
	mu     sync.Mutex
	spent  float64
	earned time.Time
}

// earn records one call.
func (b *retryBudget) earn(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.earned.IsZero() {
		b.spent -= max(0, now.Sub(b.earned).Seconds()) * retriesPerSecond
	}
	b.earned = now
	b.spent = max(0, b.spent-retryShare)
}

// spend takes one try from the budget, and reports whether there was one.
func (b *retryBudget) spend() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent+1 > retriesSaved {
		return false
	}
	b.spent++
	return true
}
