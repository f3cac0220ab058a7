// Package pool sends JSON-RPC calls to the nodes of one chain.
//
// Nodes are tried in the operator's order, as long as they are healthy: on the right chain, at its height, not backing
// off after a failure, not much slower than the fastest, and without many failures of late. Nodes of another chain are
// not used, nor is one of three or more that has another block than most of them at a height that is final. A call is hedged: if a node takes longer than usual, the
// next one gets the call too, and the first response wins. Every node is tried before a call fails. An error caused by
// the caller does not count against a node, nor does a heavy call that no node responds to in time, unless the node
// does not respond to a probe either. While nodes are down, additional tries, hedges included, are limited to a tenth of
// the calls of each kind.
//
// The height of the chain is one that two nodes have reported, if the chain has two nodes. It does not decrease when
// nodes become unavailable.
package pool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

var (
	// ErrNoNode is returned when every node of a chain failed. It wraps the error of each.
	ErrNoNode = errors.New("every node failed")
	// ErrBehind is returned when every node is below the chain's height.
	ErrBehind = errors.New("no node is at the chain's height")
	// errOvertaken is the cause of cancelling a try when another node has responded.
	errOvertaken = errors.New("another node responded first")
)

// Chain is the network of a pool.
type Chain struct {
	// ID is the CAIP-2 chain id.
	ID string
	// Nodes are the URLs in the operator's order; ${NAME} is taken from the environment.
	Nodes []string
	// BlockTime is the usual time between two blocks; 0 if unknown.
	BlockTime time.Duration
	// FinalAfter is how long it takes a block to become final; 0 if unknown.
	FinalAfter time.Duration
	// Dev marks a development chain, whose owner may move its clock and its head at will.
	Dev bool
}

// IsEVM reports whether the chain's nodes speak the JSON-RPC of EIP-1474.
func (c Chain) IsEVM() bool { return c.namespace() == "eip155" }

// IsSolana reports whether the chain's nodes speak the JSON-RPC of Solana.
func (c Chain) IsSolana() bool { return c.namespace() == "solana" }

func (c Chain) namespace() string {
	namespace, _, _ := strings.Cut(c.ID, ":")
	return namespace
}

// Reference is the part of the chain id after the colon: the EIP-155 chain number on EVM chains, the start of the genesis hash on others.
func (c Chain) Reference() string {
	_, reference, _ := strings.Cut(c.ID, ":")
	return reference
}

// Pool is the nodes of one chain.
type Pool struct {
	chain    Chain
	protocol protocol
	poster   Poster
	clock    clock.Clock
	nodes    []*Node
	height   height
	finality finality
	forks    forkCheck
	budgets  struct{ light, heavy, lookup retryBudget }
	probes   probes
	metrics  *metrics
	meter    *upstream.Meter
	flights  routine.Flights
	// unobserve ends the metrics of scores.
	unobserve func()
}

// New returns a pool of the chain's nodes. Call [Pool.Close] when it is not needed any more.
func New(c Chain, poster Poster, clk clock.Clock, log *slog.Logger) *Pool {
	p := &Pool{chain: c, protocol: protocols[c.namespace()], poster: poster, clock: clk, metrics: newMetrics(c, log), meter: upstream.NewMeter("node", c.ID)}
	for i, u := range c.Nodes {
		p.nodes = append(p.nodes, newNode(u, i))
	}
	p.probes.open()
	p.unobserve = p.observeScores()
	return p
}

// Close cancels the probes in progress and waits until they have ended.
func (p *Pool) Close() {
	p.probes.close()
	p.unobserve()
}

// Chain returns the chain of the pool.
func (p *Pool) Chain() Chain { return p.chain }

// Height returns the highest block number that callers have received, or 0 before the first probe.
func (p *Pool) Height() uint64 { return p.height.get() }

// HasOneNode reports whether the chain has only one node, which must be trusted.
func (p *Pool) HasOneNode() bool { return len(p.nodes) == 1 }

// NodeAt returns the first node of a host, or nil.
func (p *Pool) NodeAt(host string) *Node {
	for _, n := range p.nodes {
		if n.host == host {
			return n
		}
	}
	return nil
}

// Call is a request or a batch of requests, with the properties on which its response depends.
type Call struct {
	body     []byte
	requests []rpc.Request
	batch    bool
	// Agreed requires a response on which two nodes agree.
	Agreed bool
	// Avoid lists nodes that are tried after the other healthy ones.
	Avoid []*Node
	// Optional is set for a method that nodes need not have. An error is then a reason to try the next node, and what comes of the call says nothing
	// about the health of a node.
	Optional bool
	// exclude lists nodes that are not tried.
	exclude []*Node
	// NeedsNewest is set if the response depends on the newest block, which a lagging node does not have.
	NeedsNewest bool
	// MinHeight is the block that a node must have to be tried.
	MinHeight uint64
	// minSlot is the slot of Solana that the node must have reached. A caller may have seen a newer slot than this
	// process has, so minSlot may be above the slots of all nodes: then every node is tried.
	minSlot uint64
	// returnsHead is set if the result is the newest block or its number. A result below the chain's height is then doubtful.
	returnsHead bool
	// heavy is set if the call takes nodes long.
	heavy bool
	// large is set if the result may be too large for a node's response.
	large bool
	// lookup is set if null from one node is not final.
	lookup bool
	// logs is set if the error "limit exceeded" is about the size of the result.
	logs bool
	// once is set if a second node must not get the call while the first may have accepted it.
	once bool
}

// NewCall returns a call of one request.
func NewCall(q rpc.Request) Call {
	return Call{
		body:        jsonrpc.AppendRequest(nil, rpc.SingleID, q.Method, q.Params),
		requests:    []rpc.Request{q},
		NeedsNewest: q.NeedsNewest(),
		minSlot:     q.MinSlot(),
		returnsHead: q.ReturnsHead(),
		heavy:       q.Spec.Heavy,
		large:       q.Spec.Large || q.Spec.Heavy,
		lookup:      q.Spec.ByHash || q.Spec.Mined || q.Method == rpc.MethodBlock,
		logs:        q.Method == rpc.MethodGetLogs,
		once:        q.Spec.Once,
	}
}

// With returns the call with another request of the same method.
func (c Call) With(q rpc.Request) Call {
	c.requests = []rpc.Request{q}
	c.body = jsonrpc.AppendRequest(nil, rpc.SingleID, q.Method, q.Params)
	return c
}

// Without returns the call for other nodes than n.
func (c Call) Without(n *Node) Call {
	c.exclude = append(slices.Clip(c.exclude), n)
	return c
}

// NewBatch returns a call of several requests, which are numbered by their position.
func NewBatch(requests []rpc.Request) Call {
	c := Call{batch: true, heavy: true, large: true, requests: requests, body: []byte("[")}
	for i, q := range requests {
		if i > 0 {
			c.body = append(c.body, ',')
		}
		c.body = jsonrpc.AppendRequest(c.body, i, q.Method, q.Params)
		c.NeedsNewest = c.NeedsNewest || q.NeedsNewest()
		c.minSlot = max(c.minSlot, q.MinSlot())
	}
	c.body = append(c.body, ']')
	return c
}

// Outcome is the result of trying one node.
type Outcome struct {
	// Node is the node that responded, or nil.
	Node *Node
	// Body is its whole response.
	Body []byte
	// Response is the response to a single request, or the error for a batch as a whole.
	Response rpc.Response
	// Parts are the responses to the requests of a batch, in their order, or nil.
	Parts   []rpc.Response
	verdict verdict
	err     error
	// bytes holds the body until the outcome is returned.
	bytes *limit.Bytes
}

// Do returns the response of a node, or, if the call requires it, one on which two nodes agree. The error wraps
// ErrNoNode, is that of ctx, or a refusal of bytes by the hold of ctx ([limit.WithBytes]).
func (p *Pool) Do(ctx context.Context, c Call) (Outcome, error) {
	if c.Agreed {
		return p.doAgreed(ctx, c)
	}
	return p.do(ctx, c)
}

// doAgreed tries one node after another until two have given the same response. A chain with a single node needs no
// agreement.
func (p *Pool) doAgreed(ctx context.Context, c Call) (Outcome, error) {
	p.EnsureProbed(ctx)
	candidates := slices.DeleteFunc(slices.Clone(p.nodes), (*Node).isWrongChain)
	if len(candidates) < 2 {
		return p.do(ctx, c)
	}
	var digests []rpc.Digest
	for range candidates {
		o, err := p.do(ctx, c)
		if err != nil {
			return Outcome{}, err
		}
		digest := o.Response.Digest()
		if slices.ContainsFunc(digests, digest.Agrees) {
			return o, nil
		}
		digests = append(digests, digest)
		limit.BytesOf(ctx).Shrink(int64(len(o.Body)))
		c.exclude = append(c.exclude, o.Node)
	}
	return Outcome{}, fmt.Errorf("%w: no two nodes gave the same response", ErrNoNode)
}

// do returns the first settled outcome, or the best doubtful one if there is none. A try that is refused bytes ends alone while another is in flight.
func (p *Pool) do(ctx context.Context, c Call) (Outcome, error) {
	p.EnsureProbed(ctx)
	nodes, healthy := p.order(c)
	if !healthy && p.canProbe() && p.probes.isStale(p.clock.Now(), probeRetry) {
		p.probeAll(ctx)
		nodes, _ = p.order(c)
	}
	budget := p.budgetOf(c)
	budget.earn(p.clock.Now())
	if len(nodes) == 0 {
		return Outcome{}, errors.Join(ctx.Err(), fmt.Errorf("%w: none is of this chain and at its height", ErrNoNode))
	}
	racing, cancel := context.WithCancelCause(ctx)
	defer cancel(errOvertaken)
	outcomes := make(chan Outcome, len(nodes))
	hedge := time.NewTimer(0)
	defer hedge.Stop()
	tries := limit.BytesOf(ctx).Attempts()
	defer tries.Close()
	inFlight := 0
	start := func() {
		n := nodes[0]
		nodes = nodes[1:]
		inFlight++
		wait, _ := n.timeouts(c.heavy)
		hedge.Reset(wait)
		bytes := tries.Hold()
		routine.Send(ctx, outcomes, func() Outcome {
			o := p.try(limit.WithBytes(racing, bytes), n, c)
			o.bytes = bytes
			return o
		}, func(err error) Outcome { return Outcome{Node: n, verdict: failure, err: err} })
	}
	start()
	var fallback *Outcome
	var failures []error
	var spent error
	for inFlight > 0 {
		select {
		case <-ctx.Done():
			return Outcome{}, ctx.Err()
		case <-hedge.C:
			if !c.once && len(nodes) > 0 && budget.spend() {
				start()
			}
			continue
		case o := <-outcomes:
			inFlight--
			if ctx.Err() != nil {
				return Outcome{}, ctx.Err()
			}
			switch {
			case limit.IsSpent(o.err):
				spent, nodes = o.err, nil
			case o.verdict == failure:
				failures = append(failures, o.err)
			case o.verdict == settled && (!c.lookup || !o.Response.IsNull()):
				tries.Keep(o.bytes)
				return o, nil
			default:
				fallback = better(fallback, o)
			}
			// Without any response yet, trying a node that is not down costs no budget, because the call would fail
			// otherwise.
			if inFlight == 0 && len(nodes) > 0 && !c.once && (fallback == nil && !nodes[0].isDown() || budget.spend()) {
				start()
			}
		}
	}
	if fallback != nil {
		tries.Keep(fallback.bytes)
		return *fallback, nil
	}
	if spent != nil {
		return Outcome{}, spent
	}
	return Outcome{}, fmt.Errorf("%w: %w", ErrNoNode, errors.Join(failures...))
}

// budgetOf returns the budget for calls of the kind of c. A caller who makes many that need further tries leaves those of the other kinds theirs.
func (p *Pool) budgetOf(c Call) *retryBudget {
	switch {
	case c.lookup:
		return &p.budgets.lookup
	case c.heavy:
		return &p.budgets.heavy
	default:
		return &p.budgets.light
	}
}

// better prefers a settled null over a doubtful response.
func better(known *Outcome, o Outcome) *Outcome {
	if known != nil && known.verdict <= o.verdict {
		return known
	}
	return &o
}

// try sends the call to one node, and records the outcome for the node.
func (p *Pool) try(ctx context.Context, n *Node, c Call) Outcome {
	if !c.Optional {
		n.begin(p.clock.Now())
	}
	hedge, timeout := n.timeouts(c.heavy)
	bounded, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	started := time.Now()
	o := p.post(bounded, n, c)
	took := time.Since(started)
	if c.returnsHead && o.verdict == settled {
		o.verdict = p.compareHead(ctx, n, o.Response)
	}
	p.meter.Record(ctx, n.host, took, outcomeOf(ctx, o))
	if o.verdict == failure {
		limit.BytesOf(ctx).Shrink(int64(len(o.Body)))
		o.Body = nil
	}
	switch {
	case limit.IsSpent(o.err):
		p.metrics.count(ctx, n, outcomeLeft)
	case c.Optional:
		if o.verdict == settled && o.Response.Error != nil {
			o.verdict = doubtful
		}
		p.metrics.count(ctx, n, outcomes[o.verdict])
	case o.verdict != failure:
		p.metrics.count(ctx, n, outcomes[o.verdict])
		if n.succeeded(c.heavy, took, p.clock.Now()) {
			p.metrics.recovered(ctx, n)
		}
	case ctx.Err() == nil && c.heavy && p.canProbe() && kindOf(o.err) == upstream.Timeout:
		p.metrics.count(ctx, n, outcomeFailed)
		p.check(n)
	case ctx.Err() == nil:
		p.metrics.count(ctx, n, outcomeFailed)
		if n.failed(p.clock.Now(), kindOf(o.err)) {
			p.metrics.failed(ctx, n, o.err)
		}
	case errors.Is(context.Cause(ctx), errOvertaken) && took >= hedge:
		p.metrics.count(ctx, n, outcomeOvertaken)
		n.overtaken(c.heavy, took, p.clock.Now())
	default:
		p.metrics.count(ctx, n, outcomeLeft)
	}
	return o
}

// compareHead records the newest block that a node returned, and reports whether the result is settled. A block above the chain's height must
// be confirmed by other nodes.
func (p *Pool) compareHead(ctx context.Context, n *Node, r rpc.Response) verdict {
	number, ok := rpc.BlockNumber(r.Result)
	if !ok {
		return settled
	}
	n.setHead(number)
	p.confirm(ctx, number)
	if top := p.height.get(); number < top || number-top > p.maxLag() {
		return doubtful
	}
	return settled
}

// Saw records that a node has the block with that number, which may not be its newest. If it is above the chain's
// height, the nodes are probed.
func (p *Pool) Saw(ctx context.Context, n *Node, number uint64) {
	n.raiseHead(number)
	p.confirm(ctx, number)
}

// confirm probes the nodes after one of them returned a block above the chain's height. A chain's only node is trusted.
func (p *Pool) confirm(ctx context.Context, number uint64) {
	switch {
	case !p.canProbe() || number <= p.height.get():
	case len(p.nodes) == 1:
		p.height.raise(number, p.clock.Now())
	default:
		_, _ = p.Probe(ctx)
	}
}
