package chains

import (
	"os"
	"sync"
	"time"
)

const (
	// firstRest and longestRest bound how long a node that failed is left alone.
	firstRest   = time.Second
	longestRest = 10 * time.Second
	// silencesAllowed is how often in a row a node may be overtaken before it counts as failed.
	silencesAllowed = 3
	// hedgeFloor and hedgeCeiling bound the wait before a second node is asked; hedgeUnknown is the wait at a node of unknown pace.
	hedgeFloor   = 25 * time.Millisecond
	hedgeCeiling = 2 * time.Second
	hedgeUnknown = 250 * time.Millisecond
	// downAfter is how often in a row a node fails before it counts as down: one more try of it is then no longer free, and it is left
	// alone while it rests. One that fails less often is flaky.
	downAfter = 3
	// shortestTry and nodeTimeout bound one try at one node.
	shortestTry = 2 * time.Second
	nodeTimeout = 10 * time.Second
	// verifiedFor is how long a node's word on its chain id holds; foreignFor how long a node of another chain is left alone.
	verifiedFor = time.Hour
	foreignFor  = time.Minute
)

// node is one server that answers for a chain, and what is known of it.
type node struct {
	url string
	// place is the node's place in the operator's order.
	place int

	mu sync.Mutex
	// The circuit breaker: requests that failed in a row, and until when the node is left alone. After that it is on trial: one request
	// at a time tries it, until a request or a look at its head is answered.
	failures  int
	onTrial   bool
	silences  int
	restUntil time.Time
	// identity is what eth_chainId said, at verified.
	identity identity
	verified time.Time
	// head is the newest block the node has shown.
	head     uint64
	probing  bool
	lookedAt time.Time
	// light and heavy are its pace with methods of either kind.
	light, heavy latencies
}

// identity is whether a node is one of its chain.
type identity int

const (
	identityUnknown identity = iota
	identityRight
	identityForeign
)

func newNode(url string, place int) *node { return &node{url: os.ExpandEnv(url), place: place} }

// standing is what the choice among nodes depends on, at one moment.
type standing struct {
	node     *node
	identity identity
	resting  time.Duration
	head     uint64
	cost     time.Duration
}

func (n *node) standing(now time.Time) standing {
	n.mu.Lock()
	defer n.mu.Unlock()
	return standing{node: n, identity: n.identity, resting: max(0, n.restUntil.Sub(now)), head: n.head, cost: n.light.mean}
}

// isDown reports whether the node failed several times in a row.
func (n *node) isDown() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failures >= downAfter
}

// isForeign reports whether the node is of another chain.
func (n *node) isForeign() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.identity == identityForeign
}

// startProbe reports whether the node is to be looked at now; one that is being looked at, or is down and rests, is not, nor is one of
// this chain that was looked at within pause.
func (n *node) startProbe(now time.Time, pause time.Duration) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.probing || n.failures >= downAfter && now.Before(n.restUntil) {
		return false
	}
	if n.identity == identityForeign && now.Sub(n.verified) < foreignFor {
		return false
	}
	if n.identity == identityRight && pause > 0 && now.Sub(n.lookedAt) < pause {
		return false
	}
	n.probing, n.lookedAt = true, now
	return true
}

func (n *node) endProbe() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.probing = false
}

func (n *node) isVerified(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.identity == identityRight && now.Sub(n.verified) < verifiedFor
}

func (n *node) identified(as identity, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.identity, n.verified = as, now
}

// showed notes the node's newest block.
func (n *node) showed(number uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.head = number
}

// begin notes that a request goes to the node. One that is on trial after a rest takes no second request until the first is answered.
func (n *node) begin(now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.onTrial {
		n.restUntil = now.Add(firstRest)
	}
}

// succeeded notes an answer, and reports whether it ends a rest.
func (n *node) succeeded(heavy bool, took time.Duration) (back bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	back = n.failures > 0
	n.failures, n.onTrial, n.silences, n.restUntil = 0, false, 0, time.Time{}
	n.pace(heavy).add(took)
	return back
}

// failed notes a failure, and reports whether it is the first in a row.
func (n *node) failed(now time.Time) (first bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail(now)
	return n.failures == 1
}

// overtaken notes that another node answered while this one was silent for as long as took.
func (n *node) overtaken(heavy bool, took time.Duration, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.pace(heavy).add(took)
	n.silences++
	if n.silences >= silencesAllowed || n.failures > 0 {
		n.fail(now)
	}
}

func (n *node) fail(now time.Time) {
	pause := min(longestRest, firstRest<<min(n.failures, 10))
	n.failures++
	n.onTrial = true
	n.silences = 0
	n.restUntil = now.Add(pause)
}

func (n *node) pace(heavy bool) *latencies {
	if heavy {
		return &n.heavy
	}
	return &n.light
}

// patience is how long to wait for the node before another is asked too, and how long before it is given up.
func (n *node) patience(heavy bool) (hedge, timeout time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	timeout = nodeTimeout
	if n.onTrial && !heavy {
		timeout = shortestTry
	}
	pace := n.pace(heavy)
	if pace.count == 0 {
		return max(hedgeUnknown, min(hedgeCeiling, 4*n.light.p95)), timeout
	}
	if !heavy {
		timeout = min(timeout, max(shortestTry, 8*pace.p95))
	}
	return min(hedgeCeiling, max(hedgeFloor, pace.p95)), timeout
}

// probed notes how long a look at the node took. It ends a trial, but not a rest: a node may fail at more than a look, and then its next
// rest is longer than the last.
func (n *node) probed(took time.Duration, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.light.add(took)
	if !now.Before(n.restUntil) {
		n.onTrial = false
	}
}

// reached notes that the node knows a block, which may not be its newest.
func (n *node) reached(number uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.head = max(n.head, number)
}
