package chains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// lookHolds is how long a look at the nodes holds for requests; a chain in use is looked at far more often.
	lookHolds = 30 * time.Second
	// lookAgain is how soon the nodes are looked at again when none was well.
	lookAgain = time.Second
	// probeTimeout bounds one look at one node.
	probeTimeout = 3 * time.Second
	// shortestStandby and longestStandby bound how seldom the nodes are looked at that are not first in line; between them, it is
	// every standbyBlocks blocks.
	shortestStandby = 2 * time.Second
	longestStandby  = 15 * time.Second
	standbyBlocks   = 4
	// shortestGrace is how long a look waits for the other nodes, at least, once one has answered.
	shortestGrace = 50 * time.Millisecond
)

var (
	askChainID = []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`)
	askHead    = []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}`)
)

// errBehind says that the nodes show less than the chain's height.
var errBehind = errors.New("no node is at the chain's height")

// looks is when a pool's nodes were last looked at, and the probes under way.
type looks struct {
	// lifetime ends with close; probes outlive the request that began them.
	lifetime context.Context
	close    context.CancelFunc
	probes   routine.WaitGroup

	mu   sync.Mutex
	at   time.Time
	well bool
	head head
}

func (l *looks) open() { l.lifetime, l.close = context.WithCancel(context.Background()) }

// end cancels the probes under way and waits for them. No probe starts after it.
func (l *looks) end() {
	l.mu.Lock()
	l.close()
	l.mu.Unlock()
	l.probes.Wait()
}

// start runs a probe in the background, unless the pool ended. The lock keeps a probe from being added while end waits.
func (l *looks) start(probe func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lifetime.Err() != nil {
		return false
	}
	l.probes.Go(l.lifetime, probe)
	return true
}

// due reports whether the nodes must be looked at before one of them is asked.
func (l *looks) due(now time.Time) bool { return l.isOlder(now, lookHolds) }

// dueInDoubt reports the same for a pool none of whose nodes seems well.
func (l *looks) dueInDoubt(now time.Time) bool { return l.isOlder(now, lookAgain) }

func (l *looks) isOlder(now time.Time, holds time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.well {
		holds = lookAgain
	}
	return l.at.IsZero() || now.Sub(l.at) >= holds
}

func (l *looks) done(well bool, h head, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at, l.well = now, well
	if well {
		l.head = h
	}
}

func (l *looks) last() head {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head
}

// acquaint makes the nodes known before one is asked: no node is, before it has told its chain and its head.
func (p *pool) acquaint(ctx context.Context) {
	if p.knowsHeads() && p.looks.due(p.clock.Now()) {
		_, _ = p.look(ctx)
	}
}

// look asks the two nodes that are first in line for their heads, the others now and then, and more of them when those two do not agree; it
// returns the chain's head. Callers of the same moment share one look.
func (p *pool) look(ctx context.Context) (head, error) {
	return p.joinLook(ctx, "look", false)
}

// lookAtAll asks every node.
func (p *pool) lookAtAll(ctx context.Context) {
	_, _ = p.joinLook(ctx, "look at all", true)
}

func (p *pool) joinLook(ctx context.Context, name string, all bool) (head, error) {
	flight := p.flights.DoChan(ctx, name, func() (any, error) { return p.lookAt(all) })
	select {
	case <-ctx.Done():
		return head{}, ctx.Err()
	case r := <-flight:
		h, _ := r.Val.(head)
		return h, r.Err
	}
}

func (p *pool) lookAt(all bool) (head, error) {
	first, patience := p.leaders()
	standby := p.standbyPause()
	if all {
		patience, standby = probeTimeout, 0
	}
	answers, err := p.probeThose(patience, func(n *node) (pause time.Duration) {
		if slices.Contains(first, n) {
			return 0
		}
		return standby
	})
	best, agreed := p.decide(answers)
	if !agreed && len(p.nodes) > 1 && p.looks.lifetime.Err() == nil {
		// The others may know better.
		patience, pause := probeTimeout, time.Duration(0)
		if len(answers) > 0 {
			patience, pause = hedgeUnknown, shortestStandby
		}
		more, moreErr := p.probeThose(patience, func(n *node) time.Duration {
			if slices.ContainsFunc(answers, func(a probed) bool { return a.node == n }) {
				return longestStandby
			}
			return pause
		})
		answers, err = append(answers, more...), errors.Join(err, moreErr)
		best, agreed = p.decide(answers)
	}
	now := p.clock.Now()
	if best == nil {
		p.looks.done(len(answers) > 0, p.looks.last(), now)
		if len(answers) > 0 {
			return head{}, errBehind
		}
		return head{}, fmt.Errorf("%w: %w", errNoNode, err)
	}
	if !p.height.settle(best.head.number, agreed, p.network.Dev, now) {
		p.looks.done(true, p.looks.last(), now)
		return head{}, errBehind
	}
	p.looks.done(true, best.head, now)
	return best.head, nil
}

// probeThose looks at each node that was not looked at within its pause, and waits that long for them.
func (p *pool) probeThose(patience time.Duration, pause func(*node) time.Duration) ([]probed, error) {
	found := make(chan probed, len(p.nodes))
	asked := 0
	for _, n := range p.nodes {
		if !n.startProbe(p.clock.Now(), pause(n)) {
			continue
		}
		started := p.looks.start(func() {
			h, err := p.probe(p.looks.lifetime, n)
			n.endProbe()
			found <- probed{n, h, err}
		})
		if !started {
			n.endProbe()
			break
		}
		asked++
	}
	return gather(p.looks.lifetime, found, asked, patience)
}

// leaders are the two nodes that are first in line, and how long a look waits for them alone.
func (p *pool) leaders() ([]*node, time.Duration) {
	nodes, well := p.order(call{fresh: true})
	if !well {
		return nil, probeTimeout
	}
	usual, _ := nodes[0].patience(false)
	return nodes[:min(2, len(nodes))], min(probeTimeout, 4*max(usual, shortestGrace))
}

func (p *pool) standbyPause() time.Duration {
	return min(longestStandby, max(shortestStandby, standbyBlocks*p.network.BlockTime))
}

// probed is what one node showed.
type probed struct {
	node *node
	head head
	err  error
}

// gather waits for the probes; once one node has answered, the others have four times as long as it took.
func gather(ctx context.Context, found <-chan probed, asked int, wait time.Duration) (answers []probed, err error) {
	started := time.Now()
	patience := time.NewTimer(wait)
	defer patience.Stop()
	var said []error
	for range asked {
		select {
		case <-ctx.Done():
			return answers, ctx.Err()
		case <-patience.C:
			return answers, errors.Join(said...)
		case a := <-found:
			if a.err != nil {
				said = append(said, a.err)
				continue
			}
			if len(answers) == 0 {
				patience.Reset(max(shortestGrace, 4*time.Since(started)))
			}
			answers = append(answers, a)
		}
	}
	return answers, errors.Join(said...)
}

// probe asks a node for its chain, where that is due, and its head.
func (p *pool) probe(ctx context.Context, n *node) (head, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	h, err := p.examine(ctx, n)
	switch {
	case err == nil:
		n.showed(h.number)
	case !errors.Is(err, errForeign) && p.looks.lifetime.Err() == nil:
		p.tally.rests(ctx, n, n.failed(p.clock.Now()), err)
	}
	return h, err
}

// errForeign says that a node is of another chain. It is never asked for anything.
var errForeign = errors.New("node is of another chain")

func (p *pool) examine(ctx context.Context, n *node) (head, error) {
	if !n.isVerified(p.clock.Now()) {
		if err := p.identify(ctx, n); err != nil {
			return head{}, err
		}
	}
	started := time.Now()
	o := p.post(ctx, n, call{body: askHead})
	if o.err != nil {
		return head{}, o.err
	}
	h, err := parseHead(o.answer)
	if err == nil {
		n.probed(time.Since(started), p.clock.Now())
	}
	return h, err
}

func (p *pool) identify(ctx context.Context, n *node) error {
	o := p.post(ctx, n, call{body: askChainID})
	if o.err != nil {
		return o.err
	}
	var said string
	if json.Unmarshal(o.response.Result, &said) != nil {
		return errors.New("node does not tell its chain")
	}
	if number, ok := parseQuantity(said); !ok || fmt.Sprint(number) != p.network.Reference() {
		n.identified(identityForeign, p.clock.Now())
		p.tally.foreign(ctx, n, said)
		return errForeign
	}
	n.identified(identityRight, p.clock.Now())
	return nil
}
