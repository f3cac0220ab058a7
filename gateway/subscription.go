package gateway

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/coder/websocket"
	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// subscriptionsPerSocket is how many subscriptions one connection may hold.
	subscriptionsPerSocket = 64
	// subscribeTime bounds the start of one.
	subscribeTime = 10 * time.Second
)

// subscribe is eth_subscribe: its answer is the subscription's id, and what it tells follows.
func (c *socket) subscribe(q socketRequest) {
	req, problem := subscriptionOf(c.chain, q.Params)
	if problem != "" {
		c.say(q.failure(codeInvalidParams, problem))
		return
	}
	ctx, cancel := context.WithCancel(c.ctx)
	id := newSubscriptionID()
	if !c.keep(id, cancel) {
		cancel()
		c.say(q.failure(codeLimitExceeded, fmt.Sprintf("a connection holds at most %d subscriptions", subscriptionsPerSocket)))
		return
	}
	stream, err := c.listen(ctx, cancel, req)
	if err != nil {
		c.drop(id)
		c.say(q.failure(codeDoorFailed, fault.From(err).Public))
		return
	}
	c.say(q.result(id))
	c.running.Go(func() { c.relay(ctx, id, stream) })
}

// unsubscribe is eth_unsubscribe.
func (c *socket) unsubscribe(q socketRequest) {
	var id string
	if len(q.Params) != 1 || json.Unmarshal(q.Params[0], &id) != nil {
		c.say(q.failure(codeInvalidParams, "params hold the subscription's id"))
		return
	}
	c.say(q.result(c.drop(id)))
}

// keep notes a subscription, if there is room for it.
func (c *socket) keep(id string, cancel context.CancelFunc) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.subscribed) >= subscriptionsPerSocket {
		return false
	}
	c.subscribed[id] = cancel
	return true
}

// drop ends a subscription, and reports whether there was one.
func (c *socket) drop(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	cancel, ok := c.subscribed[id]
	if ok {
		cancel()
		delete(c.subscribed, id)
	}
	return ok
}

// listen returns once nothing can be missed any more.
func (c *socket) listen(ctx context.Context, cancel context.CancelFunc, req *chainsv1.SubscribeRequest) (grpc.ServerStreamingClient[chainsv1.SubscribeResponse], error) {
	late := time.AfterFunc(subscribeTime, cancel)
	defer late.Stop()
	stream, err := c.subscriptions.Subscribe(ctx, req)
	if err != nil {
		return nil, err
	}
	header, err := stream.Header()
	if err == nil && header == nil {
		// It ended before it began, and says why.
		_, err = stream.Recv()
	}
	return stream, err
}

// relay passes on what a subscription tells. One that ends by itself ends the connection: the caller must know that something may be
// missing, and begin anew.
func (c *socket) relay(ctx context.Context, id string, stream grpc.ServerStreamingClient[chainsv1.SubscribeResponse]) {
	for {
		told, err := stream.Recv()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && fault.From(err).Reason == faultv1.Reason_REASON_READER_SLOW:
			c.end(websocket.StatusTryAgainLater, "messages are not read")
			return
		case err != nil:
			c.end(websocket.StatusServiceRestart, "the subscription ended")
			return
		}
		c.say(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":%q,"result":%s}}`, id, told.GetResult()))
	}
}

func newSubscriptionID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return "0x" + hex.EncodeToString(b[:])
}

// subscriptionOf reads the parameters of eth_subscribe, or says what is wrong with them.
func subscriptionOf(chain string, params []json.RawMessage) (req *chainsv1.SubscribeRequest, problem string) {
	var topic string
	if len(params) == 0 || json.Unmarshal(params[0], &topic) != nil {
		return nil, "params begin with what to subscribe to"
	}
	req = &chainsv1.SubscribeRequest{ChainId: chain}
	switch topic {
	case "newHeads":
		req.Topic = &chainsv1.SubscribeRequest_NewHeads_{NewHeads: &chainsv1.SubscribeRequest_NewHeads{}}
		return req, ""
	case "logs":
		filter := json.RawMessage("{}")
		if len(params) > 1 {
			filter = params[1]
		}
		logs, problem := logsOf(filter)
		req.Topic = &chainsv1.SubscribeRequest_Logs_{Logs: logs}
		return req, problem
	default:
		return nil, "newHeads and logs can be subscribed to"
	}
}

func logsOf(raw json.RawMessage) (*chainsv1.SubscribeRequest_Logs, string) {
	var filter struct {
		Address oneOrMany   `json:"address"`
		Topics  []oneOrMany `json:"topics"`
	}
	if json.Unmarshal(raw, &filter) != nil {
		return nil, "the filter is not one of logs"
	}
	logs := &chainsv1.SubscribeRequest_Logs{Addresses: filter.Address}
	for _, alternatives := range filter.Topics {
		logs.Topics = append(logs.Topics, &chainsv1.SubscribeRequest_Topic{AnyOf: alternatives})
	}
	return logs, ""
}

// oneOrMany is a value, a list of alternatives, or null for anything.
type oneOrMany []string

// UnmarshalJSON reads any of the three.
func (o *oneOrMany) UnmarshalJSON(b []byte) error {
	var one *string
	if json.Unmarshal(b, &one) == nil {
		if one != nil {
			*o = oneOrMany{*one}
		}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(o))
}
