package chains

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// nodesPerCall bounds how many nodes one call may try.
	nodesPerCall = 5
	// lagSpan is how far behind the newest block a node may be and still be asked for it, in time; lagBlocks the same in blocks, at most.
	lagSpan   = 30 * time.Second
	lagBlocks = 8
	// slowFactor and slowMargin are what a node may cost over the quickest one before it loses its place in the operator's order.
	slowFactor = 2
	slowMargin = 20 * time.Millisecond
)

// errNoNode is returned when every node of a chain failed; it wraps what each said.
var errNoNode = errors.New("every node failed")

// errOvertaken is why a try ends when another node has answered.
var errOvertaken = errors.New("another node answered")

// pool is the nodes of one chain. The operator's order holds among those that are well: of this chain, at its height, not resting
// after a failure, and not much slower than the quickest.
type pool struct {
	network Network
	poster  Poster
	clock   clock.Clock
	nodes   []*node
	height  height
	budget  retryBudget
	looks   looks
	tally   *tally
	flights singleflight.Group
}

func newPool(n Network, poster Poster, c clock.Clock) *pool {
	p := &pool{network: n, poster: poster, clock: c, tally: newTally(n)}
	for i, u := range n.RPC {
		p.nodes = append(p.nodes, newNode(u, i))
	}
	p.looks.open()
	return p
}

// call is one body for a node, and what its answer is good for.
type call struct {
	body []byte
	// id is the request's; a batch has none, but a number of requests that want an answer.
	id     json.RawMessage
	batch  bool
	wanted int
	// fresh says that the answer speaks of the newest block, which a node that is behind does not know.
	fresh bool
	// atLeast is the block that a node must know of to be asked at all.
	atLeast uint64
	// tip says that the answer is the newest block, or its number: one below the chain's height is in doubt.
	tip bool
	// heavy says that a node takes its time for it.
	heavy bool
	// lookup says that null from one node is not the last word.
	lookup bool
	// logs says that "limit exceeded" is about the answer's size.
	logs bool
	// once says that a second node must not get it while the first may have taken it.
	once bool
}

// outcome is what one try brought.
type outcome struct {
	node     *node
	answer   []byte
	response response
	verdict  verdict
	err      error
}

// ask returns the first answer that is settled. A node that is silent for longer than it usually takes is joined by the next one, and the
// first answer wins. When no node settles it, the best of the doubtful answers is returned; when there is none either, the error wraps
// errNoNode, or is the context's own when the caller gave up.
func (p *pool) ask(ctx context.Context, c call) (outcome, error) {
	p.acquaint(ctx)
	nodes, well := p.order(c)
	if !well && p.knowsHeads() && p.looks.dueInDoubt(p.clock.Now()) {
		p.lookAtAll(ctx)
		nodes, _ = p.order(c)
	}
	p.budget.earn(p.clock.Now())
	if len(nodes) == 0 {
		return outcome{}, errors.Join(ctx.Err(), fmt.Errorf("%w: none is of this chain and at its height", errNoNode))
	}
	racing, cancel := context.WithCancelCause(ctx)
	defer cancel(errOvertaken)
	outcomes := make(chan outcome, len(nodes))
	hedge := time.NewTimer(0)
	defer hedge.Stop()
	flying := 0
	start := func() {
		n := nodes[0]
		nodes = nodes[1:]
		flying++
		wait, _ := n.patience(c.heavy)
		hedge.Reset(wait)
		go func() { outcomes <- p.try(racing, n, c) }()
	}
	start()
	var fallback *outcome
	var said []error
	for flying > 0 {
		select {
		case <-ctx.Done():
			return outcome{}, ctx.Err()
		case <-hedge.C:
			if !c.once && len(nodes) > 0 && p.budget.spend() {
				start()
			}
			continue
		case o := <-outcomes:
			flying--
			if ctx.Err() != nil {
				return outcome{}, ctx.Err()
			}
			switch {
			case o.verdict == failure:
				said = append(said, o.err)
			case o.verdict == settled && (!c.lookup || !o.response.isNull()):
				return o, nil
			default:
				fallback = better(fallback, o)
			}
			if flying == 0 && len(nodes) > 0 && !c.once && p.budget.spend() {
				start()
			}
		}
	}
	if fallback != nil {
		return *fallback, nil
	}
	return outcome{}, fmt.Errorf("%w: %w", errNoNode, errors.Join(said...))
}

// better prefers a null that is meant over an answer in doubt.
func better(known *outcome, o outcome) *outcome {
	if known != nil && known.verdict <= o.verdict {
		return known
	}
	return &o
}

// try asks one node, and notes how it did.
func (p *pool) try(ctx context.Context, n *node, c call) outcome {
	n.begin(p.clock.Now())
	hedge, timeout := n.patience(c.heavy)
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	started := time.Now()
	o := p.post(bounded, n, c)
	took := time.Since(started)
	switch {
	case o.verdict != failure:
		p.tally.count(ctx, n, map[verdict]string{settled: outcomeAnswered, doubtful: outcomeDoubtful}[o.verdict])
		if n.succeeded(c.heavy, took) {
			p.tally.back(ctx, n)
		}
	case ctx.Err() == nil:
		p.tally.count(ctx, n, outcomeFailed)
		p.tally.rests(ctx, n, n.failed(p.clock.Now()), o.err)
	case errors.Is(context.Cause(ctx), errOvertaken) && took >= hedge:
		p.tally.count(ctx, n, outcomeOvertaken)
		n.overtaken(c.heavy, took, p.clock.Now())
	default:
		p.tally.count(ctx, n, outcomeLeft)
	}
	return o
}

func (p *pool) post(ctx context.Context, n *node, c call) outcome {
	o := outcome{node: n, verdict: failure}
	var status int
	if status, o.answer, o.err = p.poster.PostJSON(ctx, n.url, c.body); o.err != nil {
		return o
	}
	if c.batch {
		o.verdict, o.err = judgeBatch(c.wanted, status, o.answer)
		return o
	}
	o.response, o.verdict, o.err = judge(c.id, status, o.answer)
	if c.logs && o.response.Error != nil && o.response.Error.Code == codeLimitExceeded {
		o.verdict, o.err = doubtful, nil
	}
	if c.tip && o.verdict == settled {
		o.verdict = p.measure(n, o.response)
	}
	return o
}

// measure notes the newest block that a node just told of.
func (p *pool) measure(n *node, r response) verdict {
	number, ok := shownBlock(r.Result)
	if !ok {
		return settled
	}
	n.showed(number)
	if number < p.height.get() {
		return doubtful
	}
	p.height.raise(number, p.clock.Now())
	return settled
}

// shownBlock reads the block that a result is of: a number by itself, a block, or what lies in one.
func shownBlock(result json.RawMessage) (uint64, bool) {
	var number string
	if json.Unmarshal(result, &number) == nil {
		return parseQuantity(number)
	}
	var block struct {
		Number      string `json:"number"`
		BlockNumber string `json:"blockNumber"`
	}
	if json.Unmarshal(result, &block) != nil {
		return 0, false
	}
	return parseQuantity(cmp.Or(block.Number, block.BlockNumber))
}

// order lists the nodes to try: the well ones in the operator's order, then those a little behind, then those that rest. It also reports
// whether the first is well.
func (p *pool) order(c call) (nodes []*node, well bool) {
	now := p.clock.Now()
	standings := make([]standing, 0, len(p.nodes))
	quickest := time.Duration(-1)
	for _, n := range p.nodes {
		s := n.standing(now)
		if p.knowsHeads() && s.identity != identityRight {
			continue
		}
		if s.resting == 0 && (quickest < 0 || s.cost < quickest) {
			quickest = s.cost
		}
		standings = append(standings, s)
	}
	top := p.height.get()
	rank := func(s standing) int {
		switch {
		case s.resting > 0:
			return 3
		case s.head < top:
			return 2
		case s.cost > slowFactor*quickest+slowMargin:
			return 1
		default:
			return 0
		}
	}
	standings = slices.DeleteFunc(standings, func(s standing) bool {
		return s.head < c.atLeast || c.fresh && s.head+p.lagAllowed() < top
	})
	slices.SortStableFunc(standings, func(a, b standing) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.resting, b.resting), cmp.Compare(a.node.place, b.node.place))
	})
	nodes = make([]*node, 0, nodesPerCall)
	for _, s := range standings[:min(len(standings), nodesPerCall)] {
		nodes = append(nodes, s.node)
	}
	return nodes, len(standings) > 0 && rank(standings[0]) <= 1
}

// knowsHeads reports whether the chain's nodes can be asked for their chain and height in a way we know.
func (p *pool) knowsHeads() bool { return p.network.isEVM() }

// lagAllowed is how many blocks a node may be behind and still be asked for the newest.
func (p *pool) lagAllowed() uint64 {
	if p.network.BlockTime <= 0 {
		return lagBlocks
	}
	return max(1, min(lagBlocks, uint64(lagSpan/p.network.BlockTime)))
}
