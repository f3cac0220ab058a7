package chains

import (
	"bytes"
	"context"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// sharedFor bounds a read that several callers wait for: none of them alone may end it.
const sharedFor = 30 * time.Second

// door answers JSON-RPC for one network: what the network table already says, and what is known for good, is answered here, the rest
// by the network's nodes.
type door struct {
	network Network
	pool    *pool
	finals  *finals
	// flights joins equal reads of one moment; changes counts what was sent through this door, after which a read is another read.
	flights singleflight.Group
	changes atomic.Uint64
}

func newDoor(n Network, poster Poster, c clock.Clock, kept *finals) *door {
	return &door{network: n, pool: newPool(n, poster, c), finals: kept}
}

// answer returns a JSON-RPC response, or a batch of them, for body. The error is that of pool.ask.
func (d *door) answer(ctx context.Context, body []byte) ([]byte, error) {
	body = bytes.TrimSpace(body)
	if !json.Valid(body) {
		return invalidRequest(nil, "the body is not JSON"), nil
	}
	switch body[0] {
	case '{':
		q, refusal := d.read(body)
		if refusal != nil {
			return refusal, nil
		}
		return d.answerOne(ctx, q)
	case '[':
		return d.answerBatch(ctx, body)
	default:
		return invalidRequest(nil, "the body is neither a request nor a batch"), nil
	}
}

func (d *door) answerOne(ctx context.Context, q request) ([]byte, error) {
	if answer, ok := d.atHand(q); ok {
		return answer, nil
	}
	switch {
	case len(q.ID) == 0:
		// A notification: nobody waits for what it brings.
		o, err := d.pool.ask(ctx, q.call())
		return o.answer, err
	case q.Method == methodSend:
		return d.send(ctx, q)
	case !q.isRead():
		d.changed()
		defer d.changed()
		o, err := d.pool.ask(ctx, q.call())
		return o.answer, err
	default:
		return d.share(ctx, q)
	}
}

// isRead reports whether q changes nothing, so that equal ones may share an answer.
func (q request) isRead() bool {
	return q.known != (method{}) && !hasAnyPrefix(q.Method, devNamespaces)
}

// changed notes that something was sent through this door: what is read from here on is not what was read before.
func (d *door) changed() { d.changes.Add(1) }

// atHand answers what every node of the chain would say alike, now and for ever.
func (d *door) atHand(q request) ([]byte, bool) {
	if len(q.ID) == 0 || !d.network.isEVM() {
		return nil, false
	}
	switch q.Method {
	case "eth_chainId":
		number, ok := new(big.Int).SetString(d.network.Reference(), 10)
		if !ok {
			return nil, false
		}
		return encode(rpcResponse{ID: q.ID, Result: "0x" + number.Text(16)}), true
	case "net_version":
		return encode(rpcResponse{ID: q.ID, Result: d.network.Reference()}), true
	case "net_listening":
		return encode(rpcResponse{ID: q.ID, Result: true}), true
	}
	result, ok := d.finals.find(d.network.ChainID + q.key())
	if !ok {
		return nil, false
	}
	return encode(rpcResponse{ID: q.ID, Result: result}), true
}

// share asks the nodes once for callers who ask the same at the same height at the same time.
func (d *door) share(ctx context.Context, q request) ([]byte, error) {
	d.pool.acquaint(ctx)
	key := strings.Join([]string{
		strconv.FormatUint(d.pool.height.get(), 10), strconv.FormatUint(d.changes.Load(), 10), q.key(),
	}, " ")
	flight := d.flights.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedFor)
		defer cancel()
		o, err := d.fetch(ctx, q)
		return shared{id: q.ID, outcome: o}, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-flight:
		if r.Err != nil {
			return nil, r.Err
		}
		s, _ := r.Val.(shared)
		if bytes.Equal(s.id, q.ID) {
			return s.outcome.answer, nil
		}
		return reply(q.ID, s.outcome.response), nil
	}
}

// shared is an outcome, and the id of the request that it answers.
type shared struct {
	id      json.RawMessage
	outcome outcome
}

// fetch asks the nodes, and notes what their answer says for good.
func (d *door) fetch(ctx context.Context, q request) (outcome, error) {
	o, err := d.ask(ctx, q)
	if err != nil {
		return outcome{}, err
	}
	if q.Method == methodBlockNumber {
		return d.neverBack(q, o), nil
	}
	if o.response.Error == nil {
		d.learn(q, o.node, o.response.Result)
	}
	return o, nil
}

func (d *door) ask(ctx context.Context, q request) (outcome, error) {
	if q.Method == methodGetLogs {
		return d.logs(ctx, q)
	}
	return d.pool.ask(ctx, q.call())
}

// neverBack answers eth_blockNumber with the chain's height when the nodes that are left are not there yet.
func (d *door) neverBack(q request, o outcome) outcome {
	number, ok := shownBlock(o.response.Result)
	top := d.pool.height.get()
	if !ok || number >= top {
		return o
	}
	o.response.Result = encode(quantity(top))
	o.answer = reply(q.ID, o.response)
	return o
}

// learn keeps a result that cannot change any more, and the height that a mined transaction shows.
func (d *door) learn(q request, n *node, result json.RawMessage) {
	if number, ok := shownBlock(result); ok && q.known.mined {
		n.reached(number)
		d.pool.height.raise(number, d.pool.clock.Now())
	}
	if d.isFinal(q, result, d.pool.height.get()) {
		d.finals.keep(d.network.ChainID+q.key(), result)
	}
}
