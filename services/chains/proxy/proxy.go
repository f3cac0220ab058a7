// Package proxy answers JSON-RPC bodies for one chain.
//
// Results that are fixed by the configuration or final are answered here, the rest by the chain's nodes. A node
// receives requests that were encoded from the parsed ones, never the caller's bytes, and no notifications. Concurrent
// equal reads share one call.
package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
)

const (
	// sharedTimeout bounds a read that several callers wait for, because no single caller may cancel it.
	sharedTimeout = 30 * time.Second
	// answerBudget bounds what is read from nodes for one read, and what is returned for one body, in bytes: more could not be sent.
	answerBudget = run.AnswerLimit - answerFrame
	// answerFrame is what may enclose the answers of one body.
	answerFrame = 64 << 10
)

// Proxy answers JSON-RPC for one chain.
type Proxy struct {
	chain   pool.Chain
	pool    *pool.Pool
	clock   clock.Clock
	results *Results
	// kept is the database of final results; nil for none.
	kept    *finalcache.Cache
	memory  *limit.Memory
	flights *flights
	tracing tracing
	// writes counts the writes that were sent through this proxy: a read after a write does not join a read from before it.
	writes atomic.Uint64
}

// New returns a proxy to the nodes of a pool. Several proxies may share results, and kept, which is nil without a database of final results. memory bounds
// the bytes that are held for callers; nil is no limit.
func New(p *pool.Pool, c clock.Clock, results *Results, kept *finalcache.Cache, memory *limit.Memory) *Proxy {
	return &Proxy{chain: p.Chain(), pool: p, clock: c, results: results, kept: kept, memory: memory, flights: newFlights(memory)}
}

// Answer returns the JSON-RPC response to body, or a batch of responses in the order of the requests; nil if body holds only notifications. The
// error wraps pool.ErrNoNode, or is that of ctx.
func (p *Proxy) Answer(ctx context.Context, body []byte) ([]byte, error) {
	return p.answer(ctx, body, false)
}

// AnswerAgreed is Answer for responses on which two nodes agree.
func (p *Proxy) AnswerAgreed(ctx context.Context, body []byte) ([]byte, error) {
	return p.answer(ctx, body, true)
}

func (p *Proxy) answer(ctx context.Context, body []byte, agreed bool) ([]byte, error) {
	who, _ := limit.From(ctx)
	read, replies := p.memory.HoldAtMost(who, answerBudget), p.memory.HoldAtMost(who, answerBudget)
	defer read.Close()
	defer replies.Close()
	ctx = limit.WithBytes(ctx, read)
	m := jsonrpc.Parse(body)
	if m.Batch {
		return p.answerBatch(ctx, m.Items, agreed, replies)
	}
	q, refusal := p.read(m.Items[0])
	switch {
	case refusal != nil:
		return refuse(q, refusal), nil
	case q.IsNotification():
		return nil, nil
	}
	response, ok := p.answerLocally(ctx, q)
	if !ok {
		var err error
		if response, err = p.answerOne(ctx, q, agreed, waitsEnd(ctx)); limit.IsSpent(err) {
			return refuse(q, tooMuch(err)), nil
		} else if err != nil {
			return nil, err
		}
	}
	reply, err := replyWith(replies, q, response)
	if err != nil {
		return refuse(q, tooMuch(err)), nil
	}
	return reply, nil
}

// replyWith returns the response under the caller's id, once its bytes were taken.
func replyWith(replies *limit.Bytes, q rpc.Request, r rpc.Response) ([]byte, error) {
	if err := replies.Grow(int64(len(r.Result) + len(q.ID))); err != nil {
		return nil, err
	}
	return q.Reply(r), nil
}

// tooMuch returns the error for a caller that was refused bytes, with the bound.
func tooMuch(err error) *jsonrpc.Error {
	if errors.Is(err, limit.ErrTooMuch) {
		return jsonrpc.TooLarge(fmt.Sprintf("the answer is over %d bytes: ask for less at once", answerBudget))
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeLimitExceeded, Message: err.Error() + ": try again later"}
}

func (p *Proxy) read(item jsonrpc.Item) (rpc.Request, *jsonrpc.Error) {
	return rpc.Read(item, p.chain.ID, p.chain.Dev, p.pool.Height())
}

// refuse returns the response to a request that is not forwarded; nil for a notification.
func refuse(q rpc.Request, refusal *jsonrpc.Error) []byte {
	if q.IsNotification() {
		return nil
	}
	return jsonrpc.AppendError(nil, q.ID, *refusal)
}

func (p *Proxy) answerOne(ctx context.Context, q rpc.Request, agreed bool, until time.Time) (rpc.Response, error) {
	switch {
	case q.Method == rpc.MethodSend:
		o, err := p.submit(ctx, q)
		return o.Response, err
	case q.Method == rpc.MethodSendSync:
		return p.sendSync(ctx, q, until)
	case !q.IsRead():
		p.countWrite()
		defer p.countWrite()
		o, err := p.pool.Do(ctx, pool.NewCall(q))
		return o.Response, err
	default:
		return p.share(ctx, q, agreed)
	}
}

// countWrite is called before and after each write, so that a later read does not share the result of an earlier one.
func (p *Proxy) countWrite() { p.writes.Add(1) }

// answerLocally answers requests whose result is the same on every node of the chain and never changes.
func (p *Proxy) answerLocally(ctx context.Context, q rpc.Request) (r rpc.Response, ok bool) {
	if !p.chain.IsEVM() {
		return r, false
	}
	key := p.key(q)
	result, ok := p.results.get(key, p.clock.Now())
	if ok && p.kept != nil && q.Spec.Kept {
		read := p.keptRead(q)
		p.kept.CountSaved(ctx, read)
		p.keepAgain(ctx, key, read, result)
	}
	switch q.Method {
	case "eth_chainId":
		var number *big.Int
		if number, ok = new(big.Int).SetString(p.chain.Reference(), 10); ok {
			result = rpc.Encode("0x" + number.Text(16))
		}
	case "net_version":
		result, ok = rpc.Encode(p.chain.Reference()), true
	case "net_listening":
		result, ok = json.RawMessage("true"), true
	}
	return rpc.Response{Result: result}, ok
}

// key identifies q on this chain.
func (p *Proxy) key(q rpc.Request) string { return p.chain.ID + q.Key() }

// share sends one call for all callers that make the same request at the same height at the same time.
func (p *Proxy) share(ctx context.Context, q rpc.Request, agreed bool) (rpc.Response, error) {
	p.pool.EnsureProbed(ctx)
	key := strings.Join([]string{
		strconv.FormatUint(p.pool.Height(), 10), strconv.FormatUint(p.writes.Load(), 10), strconv.FormatBool(agreed), q.Key(),
	}, " ")
	o, err := p.flights.join(ctx, key, func(ctx context.Context) (pool.Outcome, error) { return p.fetch(ctx, q, agreed) })
	return o.Response, err
}

// fetch reads from the database of final results, or from the nodes, and records a result that is final.
func (p *Proxy) fetch(ctx context.Context, q rpc.Request, agreed bool) (pool.Outcome, error) {
	final := p.finalNow()
	if found, err := p.find(ctx, []rpc.Request{q}, final); err != nil || found[0] != nil {
		return pool.Outcome{Response: rpc.Response{Result: found[0]}}, err
	}
	c := pool.NewCall(q)
	c.Agreed = agreed
	c.Avoid = p.results.claimants(p.key(q), p.clock.Now())
	do := p.pool.Do
	if q.Method == rpc.MethodGetLogs {
		do = func(ctx context.Context, c pool.Call) (pool.Outcome, error) { return p.logs(ctx, q, c) }
	}
	o, err := do(ctx, c)
	if err != nil {
		return pool.Outcome{}, err
	}
	if q.Method == rpc.MethodBlockNumber {
		return p.withHeight(o), nil
	}
	if o.Response.Error == nil {
		p.record(ctx, q, o.Node, o.Response.Result, final)
	}
	// The result is a copy of its part of the body.
	o.Body = nil
	return o, nil
}

// withHeight replaces the result of eth_blockNumber by the chain's height, because the node may be behind or ahead of
// other nodes.
func (p *Proxy) withHeight(o pool.Outcome) pool.Outcome {
	number, ok := rpc.BlockNumber(o.Response.Result)
	if top := p.pool.Height(); ok && number != top && top > 0 {
		o.Response.Result = rpc.Encode(rpc.Quantity(top))
	}
	return o
}

// record caches a result that is final, in memory and, if its block was final when the nodes were asked, in the database. It passes the block of a mined
// transaction to the pool.
func (p *Proxy) record(ctx context.Context, q rpc.Request, n *pool.Node, result json.RawMessage, final finalUntil) {
	if number, ok := rpc.BlockNumber(result); ok && q.Spec.Mined && n != nil {
		p.pool.Saw(ctx, n, number)
	}
	single := p.pool.HasOneNode()
	if n == nil && !single {
		return
	}
	number, ok := p.finalAt(q, result, p.pool.Height())
	if !ok && !single && p.keeps(q, final) && q.HasNoLogs(result) {
		// Two nodes that have the blocks return no logs. Memory does not serve that, unless the database does.
		number, _, _ = q.FixedAt()
		ok = final.includes(number)
	}
	if !ok {
		return
	}
	is, hash := p.results.add(p.key(q), result, n, single, p.clock.Now())
	if p.keeps(q, final) && final.includes(number) {
		p.keep(ctx, p.keptRead(q), n, result, is, hash)
	}
}

// finalAt returns the block that fixes the result of a read, and whether it is so old that it counts as final on a chain of that height. On a development
// chain nothing is final, because its owner may rewrite it.
func (p *Proxy) finalAt(q rpc.Request, result json.RawMessage, height uint64) (number uint64, ok bool) {
	if p.chain.Dev || !p.chain.IsEVM() {
		return 0, false
	}
	number, ok = q.DependsOn(result)
	depth := p.chain.Confirmations()
	return number, ok && height >= depth && number <= height-depth
}
