package chains

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
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
	flights routine.Flights
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
	// asked are the requests in it; a look at a node has none.
	asked []request
	batch bool
	// agreed says that only what two nodes say counts.
	agreed bool
	// avoid are nodes that are asked after the others that are well; without are nodes that are not asked.
	avoid, without []*node
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
	node   *node
	answer []byte
	// response is the answer to a single request, or to a batch as a whole; parts are the answers to the requests of a batch.
	response response
	parts    []response
	verdict  verdict
	err      error
}

// ask returns the nodes' answer; where the call wants agreement, that is one that two of them gave.
func (p *pool) ask(ctx context.Context, c call) (outcome, error) {
	if c.agreed {
		return p.askTwo(ctx, c)
	}
	return p.askOne(ctx, c)
}

// askTwo asks one node after another until two have said the same, and fails with errNoNode where they do not. A chain with a single node
// answers by itself.
func (p *pool) askTwo(ctx context.Context, c call) (outcome, error) {
	p.acquaint(ctx)
	others := slices.DeleteFunc(slices.Clone(p.nodes), (*node).isForeign)
	if len(others) < 2 {
		return p.askOne(ctx, c)
	}
	var said []outcome
	for range others {
		o, err := p.askOne(ctx, c)
		if err != nil {
			return outcome{}, err
		}
		if slices.ContainsFunc(said, func(before outcome) bool { return before.response.agrees(o.response) }) {
			return o, nil
		}
		said = append(said, o)
		c.without = append(c.without, o.node)
	}
	return outcome{}, fmt.Errorf("%w: no two nodes said the same", errNoNode)
}

// agrees reports whether two nodes said the same: one result, or refusals of one kind.
func (r response) agrees(other response) bool {
	if r.Error == nil || other.Error == nil {
		return r.Error == nil && other.Error == nil && sameResult(r.Result, other.Result)
	}
	reverted := []string{"revert"}
	return r.Error.Code == other.Error.Code || mentions(*r.Error, reverted) && mentions(*other.Error, reverted)
}

// askOne returns the first answer that is settled. Every node is tried before the caller is refused, down ones as far as the budget goes. A node that is silent for longer than it usually takes is joined by the next one, and the
// first answer wins. When no node settles it, the best of the doubtful answers is returned; when there is none either, the error wraps
// errNoNode, or is the context's own when the caller gave up.
func (p *pool) askOne(ctx context.Context, c call) (outcome, error) {
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
		routine.Send(ctx, outcomes, func() outcome { return p.try(racing, n, c) }, func(err error) outcome { return outcome{node: n, err: err} })
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
			// Where nothing was answered yet, a further try is free as long as the node is not down: it is what the caller came for.
			if flying == 0 && len(nodes) > 0 && !c.once && (fallback == nil && !nodes[0].isDown() || p.budget.spend()) {
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
	if c.tip && o.verdict == settled {
		o.verdict = p.measure(ctx, n, o.response)
	}
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
	status, o.answer, o.err = p.poster.PostJSON(ctx, n.url, c.body)
	if refusal := c.callersFault(status, o.err); refusal != nil {
		o.response, o.verdict, o.err = response{Error: refusal}, settled, nil
		return o
	}
	if o.err != nil {
		return o
	}
	if c.batch {
		o.parts, o.response, o.verdict, o.err = judgeBatch(c.asked, status, o.answer)
		return o
	}
	var q request
	if len(c.asked) > 0 {
		q = c.asked[0]
	}
	o.response, o.verdict, o.err = judge(q, status, o.answer)
	if c.logs && o.response.Error != nil && o.response.Error.Code == jsonrpc.CodeLimitExceeded {
		o.verdict, o.err = doubtful, nil
	}
	return o
}

// measure notes the newest block that a node just told of. One that is above the chain's height is looked into: other nodes must show it too.
func (p *pool) measure(ctx context.Context, n *node, r response) verdict {
	number, ok := shownBlock(r.Result)
	if !ok {
		return settled
	}
	n.showed(number)
	p.hear(ctx, number)
	if top := p.height.get(); number < top || number-top > p.lagAllowed() {
		return doubtful
	}
	return settled
}

// hear looks at the nodes when one of them told of a block above the chain's height. A chain's only node is believed.
func (p *pool) hear(ctx context.Context, number uint64) {
	switch {
	case !p.knowsHeads() || number <= p.height.get():
	case len(p.nodes) == 1:
		p.height.raise(number, p.clock.Now())
	default:
		_, _ = p.look(ctx)
	}
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
	top, lag := p.height.get(), p.lagAllowed()
	rank := func(s standing) int {
		switch {
		case s.resting > 0:
			return rankResting
		case slices.Contains(c.avoid, s.node):
			return rankAvoided
		case s.head < top || len(p.nodes) > 1 && s.head-top > lag:
			return rankElsewhere
		case s.cost > slowFactor*quickest+slowMargin:
			return rankSlow
		default:
			return rankWell
		}
	}
	standings = slices.DeleteFunc(standings, func(s standing) bool {
		return s.head < c.atLeast || c.fresh && s.head < top && top-s.head > lag || slices.Contains(c.without, s.node)
	})
	slices.SortStableFunc(standings, func(a, b standing) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.resting, b.resting), cmp.Compare(a.node.place, b.node.place))
	})
	nodes = make([]*node, len(standings))
	for i, s := range standings {
		nodes[i] = s.node
	}
	return nodes, len(standings) > 0 && rank(standings[0]) <= rankSlow
}

// Ranks of the nodes at one moment, the best first.
const (
	rankWell = iota
	rankSlow
	// rankElsewhere is a node that is not at the chain's height: behind it, or so far above it that it stands alone.
	rankElsewhere
	rankAvoided
	rankResting
)

// knowsHeads reports whether the chain's nodes can be asked for their chain and height in a way we know.
func (p *pool) knowsHeads() bool { return p.network.isEVM() }

// lagAllowed is how many blocks a node may be behind and still be asked for the newest.
func (p *pool) lagAllowed() uint64 {
	if p.network.BlockTime <= 0 {
		return lagBlocks
	}
	return max(1, min(lagBlocks, uint64(lagSpan/p.network.BlockTime)))
}
