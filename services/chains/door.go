package chains

import (
	"context"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
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
	flights routine.Flights
	changes atomic.Uint64
}

func newDoor(n Network, poster Poster, c clock.Clock, kept *finals) *door {
	return &door{network: n, pool: newPool(n, poster, c), finals: kept}
}

// answer returns the JSON-RPC response to body, or the batch of them in the order of the requests; nil where nothing in it is to be answered. The
// error is that of pool.ask.
func (d *door) answer(ctx context.Context, body []byte) ([]byte, error) {
	return d.respond(ctx, body, false)
}

// respond is answer; agreed says that only what two nodes say counts.
func (d *door) respond(ctx context.Context, body []byte, agreed bool) ([]byte, error) {
	m := jsonrpc.Parse(body)
	if m.Batch {
		return d.answerBatch(ctx, m.Items, agreed)
	}
	q, refusal := d.read(m.Items[0])
	switch {
	case refusal != nil:
		return refuse(q, refusal), nil
	case q.IsNotification():
		return nil, nil
	}
	return d.answerOne(ctx, q, agreed)
}

// refuse is the answer to what is not passed on: none where nobody waits for one.
func refuse(q request, refusal *jsonrpc.Error) []byte {
	if q.IsNotification() {
		return nil
	}
	return jsonrpc.AppendError(nil, q.ID, *refusal)
}

func (d *door) answerOne(ctx context.Context, q request, agreed bool) ([]byte, error) {
	if answer, ok := d.atHand(q); ok {
		return answer, nil
	}
	switch {
	case q.Method == methodSend:
		return d.send(ctx, q)
	case !q.isRead():
		d.changed()
		defer d.changed()
		o, err := d.pool.ask(ctx, q.call())
		return q.reply(o.response), err
	default:
		return d.share(ctx, q, agreed)
	}
}

// changed notes that something was sent through this door: what is read from here on is not what was read before.
func (d *door) changed() { d.changes.Add(1) }

// atHand answers what every node of the chain would say alike, now and for ever.
func (d *door) atHand(q request) ([]byte, bool) {
	if !d.network.isEVM() {
		return nil, false
	}
	result, ok := d.finals.find(d.keyOf(q), d.pool.clock.Now())
	switch q.Method {
	case "eth_chainId":
		var number *big.Int
		if number, ok = new(big.Int).SetString(d.network.Reference(), 10); ok {
			result = encode("0x" + number.Text(16))
		}
	case "net_version":
		result, ok = encode(d.network.Reference()), true
	case "net_listening":
		result, ok = json.RawMessage("true"), true
	}
	if !ok {
		return nil, false
	}
	return q.reply(response{Result: result}), true
}

// keyOf is q on this chain.
func (d *door) keyOf(q request) string { return d.network.ChainID + q.key() }

// share asks the nodes once for callers who ask the same at the same height at the same time.
func (d *door) share(ctx context.Context, q request, agreed bool) ([]byte, error) {
	d.pool.acquaint(ctx)
	key := strings.Join([]string{
		strconv.FormatUint(d.pool.height.get(), 10), strconv.FormatUint(d.changes.Load(), 10), strconv.FormatBool(agreed), q.key(),
	}, " ")
	flight := d.flights.DoChan(ctx, key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedFor)
		defer cancel()
		return d.fetch(ctx, q, agreed)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-flight:
		if r.Err != nil {
			return nil, r.Err
		}
		o, _ := r.Val.(outcome)
		return q.reply(o.response), nil
	}
}

// fetch asks the nodes, and notes what their answer says for good.
func (d *door) fetch(ctx context.Context, q request, agreed bool) (outcome, error) {
	c := q.call()
	c.agreed = agreed
	c.avoid = d.finals.tellers(d.keyOf(q), d.pool.clock.Now())
	ask := d.pool.ask
	if q.Method == methodGetLogs {
		ask = func(ctx context.Context, c call) (outcome, error) { return d.logs(ctx, q, c) }
	}
	o, err := ask(ctx, c)
	if err != nil {
		return outcome{}, err
	}
	if q.Method == methodBlockNumber {
		return d.atHeight(o), nil
	}
	if o.response.Error == nil {
		d.learn(ctx, q, o.node, o.response.Result)
	}
	return o, nil
}

// atHeight answers eth_blockNumber with the chain's height, whether the node that was asked is not there yet or is there alone.
func (d *door) atHeight(o outcome) outcome {
	number, ok := shownBlock(o.response.Result)
	if top := d.pool.height.get(); ok && number != top && top > 0 {
		o.response.Result = encode(quantity(top))
	}
	return o
}

// learn keeps a result that cannot change any more, and looks into a block that a mined transaction shows first.
func (d *door) learn(ctx context.Context, q request, n *node, result json.RawMessage) {
	if number, ok := shownBlock(result); ok && q.known.mined && n != nil {
		n.reached(number)
		d.pool.hear(ctx, number)
	}
	alone := len(d.pool.nodes) == 1
	if (n != nil || alone) && d.isFinal(q, result, d.pool.height.get()) {
		d.finals.learn(d.keyOf(q), result, n, alone, d.pool.clock.Now())
	}
}
