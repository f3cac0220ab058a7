package socket

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/coder/websocket"
	"google.golang.org/grpc/codes"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// subscriptionsPerSocket is how many subscriptions one connection may hold.
	subscriptionsPerSocket = 64
	// logTopics is how many topics a log has at most, and logAlternatives how many addresses, and values of each topic, a filter may name;
	// as for eth_getLogs.
	logTopics       = 4
	logAlternatives = 1000
)

// subscribe handles eth_subscribe: it answers with the subscription's id, and notifications follow.
func (c *socket) subscribe(q socketRequest) (reply []byte, around func(send func())) {
	req, problem := subscriptionOf(c.chain, q.Params)
	if problem != "" {
		return q.failure(jsonrpc.CodeInvalidParams, problem), nil
	}
	id := newSubscriptionID()
	var holds []hold
	if n := entries(req.GetLogs()); n > 0 {
		holds = []hold{{c.guard.Limits.FilterEntryShare(), n}, {logSubscriptions, 1}}
	}
	return c.follow(q, req, holds, subscriber{
		id: id, answer: id, event: func(result []byte) { c.notify(id, result) },
		// Events may be lost: close the connection, so that the caller subscribes again.
		end: func(error) { c.end(websocket.StatusServiceRestart, "the subscription ended") },
	})
}

// subscriber receives the notifications of a subscription.
type subscriber struct {
	// id identifies the subscription on its connection, and answer is the id in the form that the caller gets.
	id     string
	answer any
	// event and end are the functions of its feedListener.
	event func(result []byte)
	end   func(error)
}

// hold is how much of a share a subscription holds.
type hold struct {
	share limit.Share
	n     int
}

// hold acquires what a subscription holds, or returns what is exceeded.
func (c *socket) hold(holds []hold) (release func(), exceeded *limit.Share) {
	var releases []func()
	release = sync.OnceFunc(func() {
		for _, r := range releases {
			r()
		}
	})
	for _, h := range holds {
		r, ok := c.guard.Limiter.Hold(c.ctx, c.caller, h.share, h.n)
		if !ok {
			release()
			return nil, &h.share
		}
		releases = append(releases, r)
	}
	return release, nil
}

// follow starts a subscription that holds parts of shares, and answers the request for it.
func (c *socket) follow(q socketRequest, req *chainsv1.SubscribeRequest, holds []hold, s subscriber) (reply []byte, around func(send func())) {
	release, exceeded := c.hold(holds)
	if exceeded != nil {
		return q.failure(jsonrpc.CodeLimitExceeded, fmt.Sprintf("too many %s: a caller has at most %d", exceeded.Name, exceeded.Each)), nil
	}
	if c.bytes.Grow(subscriptionBytes) != nil {
		release()
		return q.failure(jsonrpc.CodeLimitExceeded, "too many bytes are held for this caller"), nil
	}
	releaseShares := release
	release = sync.OnceFunc(func() { c.bytes.Shrink(subscriptionBytes); releaseShares() })
	id := s.id
	if !c.keep(id, release) {
		release()
		return q.failure(jsonrpc.CodeLimitExceeded, fmt.Sprintf("a connection holds at most %d subscriptions", subscriptionsPerSocket)), nil
	}
	feed, leave, err := c.feeds.join(c.ctx, req)
	if err != nil {
		c.drop(id)
		f := fault.From(err)
		if f.Code == codes.InvalidArgument {
			return q.failure(jsonrpc.CodeInvalidParams, f.Public), nil
		}
		return q.failure(jsonrpc.CodeInternal, f.Public), nil
	}
	l := &feedListener{event: s.event, end: s.end}
	return q.result(s.answer), func(send func()) {
		// Notifications start after the id was sent, and none after it is lost.
		feed.listen(l, send)
		if !c.replace(id, func() { feed.unlisten(l); leave(); release() }) {
			feed.unlisten(l)
			leave()
			release()
		}
	}
}

// notify sends an eth_subscription notification.
func (c *socket) notify(id string, result []byte) {
	c.push(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":%q,"result":%s}}`, id, result))
}

// unsubscribe handles eth_unsubscribe.
func (c *socket) unsubscribe(q socketRequest) (reply []byte) {
	var id string
	if len(q.Params) != 1 || json.Unmarshal(q.Params[0], &id) != nil {
		return q.failure(jsonrpc.CodeInvalidParams, "params hold the subscription's id")
	}
	return q.result(c.drop(id))
}

// keep registers the function that ends a subscription, unless the connection has too many.
func (c *socket) keep(id string, end func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.subscribed == nil || len(c.subscribed) >= subscriptionsPerSocket {
		return false
	}
	c.subscribed[id] = end
	return true
}

// replace replaces that function; it reports false when the subscription has ended.
func (c *socket) replace(id string, end func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.subscribed[id]; !ok {
		return false
	}
	c.subscribed[id] = end
	return true
}

// drop ends a subscription and reports whether it existed.
func (c *socket) drop(id string) bool {
	c.mu.Lock()
	end, ok := c.subscribed[id]
	delete(c.subscribed, id)
	c.mu.Unlock()
	if ok {
		end()
	}
	return ok
}

// dropAll ends every subscription of a closed connection.
func (c *socket) dropAll() {
	c.mu.Lock()
	all := c.subscribed
	c.subscribed = nil
	c.mu.Unlock()
	for _, end := range all {
		end()
	}
}

func newSubscriptionID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return "0x" + hex.EncodeToString(b[:])
}

// subscriptionOf reads the parameters of eth_subscribe, or says what is wrong with them. Equal subscriptions become equal requests.
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
	if len(filter.Topics) > logTopics {
		return nil, fmt.Sprintf("a filter has at most %d topics", logTopics)
	}
	addresses, problem := filter.Address.hex(20, "an address")
	if problem != "" {
		return nil, problem
	}
	logs := &chainsv1.SubscribeRequest_Logs{Addresses: addresses}
	for _, alternatives := range filter.Topics {
		topics, problem := alternatives.hex(32, "a topic")
		if problem != "" {
			return nil, problem
		}
		logs.Topics = append(logs.Topics, &chainsv1.SubscribeRequest_Topic{AnyOf: topics})
	}
	return logs, ""
}

// entries returns the number of addresses and topics of a filter.
func entries(logs *chainsv1.SubscribeRequest_Logs) int {
	n := len(logs.GetAddresses())
	for _, topic := range logs.GetTopics() {
		n += len(topic.GetAnyOf())
	}
	return n
}

// oneOrMany is a value, a list of alternatives, or null for anything.
type oneOrMany []string

// UnmarshalJSON decodes any of the three forms.
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

// hex returns the values, each of size bytes, in lower case, sorted and without duplicates, or what is wrong with them.
func (o oneOrMany) hex(size int, what string) (values []string, problem string) {
	if len(o) > logAlternatives {
		return nil, fmt.Sprintf("a filter names at most %d alternatives in one place", logAlternatives)
	}
	for _, value := range o {
		digits, ok := strings.CutPrefix(value, "0x")
		if _, err := hex.DecodeString(digits); !ok || err != nil || len(digits) != 2*size {
			return nil, fmt.Sprintf("%s is 0x and %d hex digits", what, 2*size)
		}
		values = append(values, "0x"+strings.ToLower(digits))
	}
	slices.Sort(values)
	return slices.Compact(values), ""
}
