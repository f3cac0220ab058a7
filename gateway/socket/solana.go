package socket

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/coder/websocket"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// solanaPrefix begins the CAIP-2 ids of chains of Solana.
const solanaPrefix = "solana:"

// solanaParams bounds the parameters of a subscription, in bytes.
const solanaParams = 8192

// signatureSubscription is the method whose subscription ends with its first notification.
const signatureSubscription = "signatureSubscribe"

// slotSubscription is the method whose subscriptions all are one.
const slotSubscription = "slotSubscribe"

// solanaSubscriptions are the methods of Solana's WebSocket API that are served, with the name of their notifications. Each has a method that ends it.
var solanaSubscriptions = map[string]string{
	"accountSubscribe":    "accountNotification",
	"logsSubscribe":       "logsNotification",
	"programSubscribe":    "programNotification",
	signatureSubscription: "signatureNotification",
	slotSubscription:      "slotNotification",
}

// replySolana answers a request to subscribe or unsubscribe on Solana; ok is false for any other.
func (c *socket) replySolana(q socketRequest) (reply []byte, around func(send func()), ok bool) {
	if notification, isSubscription := solanaSubscriptions[q.Method]; isSubscription {
		if q.IsNotification() {
			return nil, nil, true
		}
		reply, around = c.subscribeSolana(q, notification)
		return reply, around, true
	}
	name, isEnd := strings.CutSuffix(q.Method, "Unsubscribe")
	if _, isSubscription := solanaSubscriptions[name+"Subscribe"]; !isEnd || !isSubscription {
		return nil, nil, false
	}
	var id uint64
	if len(q.Params) != 1 || json.Unmarshal(q.Params[0], &id) != nil {
		return q.failure(jsonrpc.CodeInvalidParams, "params hold the subscription's id"), nil, true
	}
	if !c.drop(strconv.FormatUint(id, 10)) {
		return q.failure(jsonrpc.CodeInvalidParams, "Invalid subscription id."), nil, true
	}
	return q.result(true), nil, true
}

func (c *socket) subscribeSolana(q socketRequest, notification string) (reply []byte, around func(send func())) {
	params, ok := canonical(q.Request.Params)
	if !ok {
		return q.failure(jsonrpc.CodeInvalidParams, fmt.Sprintf("params are a list of at most %d bytes", solanaParams)), nil
	}
	number := c.lastID.Add(1)
	id := strconv.FormatUint(number, 10)
	req := &chainsv1.SubscribeRequest{ChainId: c.chain, Topic: &chainsv1.SubscribeRequest_Solana_{Solana: &chainsv1.SubscribeRequest_Solana{Method: q.Method, Params: params}}}
	// The listener is called in order.
	var isDone atomic.Bool
	return c.follow(q, req, []hold{{solanaShare(c.chain, q.Method), 1}}, subscriber{
		id: id, answer: number,
		event: func(result []byte) {
			if isDone.Load() {
				return
			}
			c.push(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"result":%s,"subscription":%d}}`, notification, result, number))
			if q.Method == signatureSubscription {
				isDone.Store(true)
				// A listener must not call its feed.
				c.running.Go(c.ctx, func() { c.drop(id) }, c.broken)
			}
		},
		end: func(error) {
			if !isDone.Load() {
				c.end(websocket.StatusServiceRestart, "the subscription ended")
			}
		},
	})
}

// canonical writes a list of parameters so that equal ones are equal bytes; no parameters are an empty list.
func canonical(raw json.RawMessage) (text []byte, ok bool) {
	if len(raw) == 0 {
		return []byte("[]"), true
	}
	if len(raw) > solanaParams {
		return nil, false
	}
	var list []any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&list) != nil {
		return nil, false
	}
	if list == nil {
		list = []any{}
	}
	text, err := json.Marshal(list)
	return text, err == nil && len(text) <= solanaParams
}
