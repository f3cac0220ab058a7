// Package method answers the requests of clients: the JSON-RPC methods of the protocol.
package method

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/hawser-dev/hawser/services/relay/hub"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/quota"
	"github.com/hawser-dev/hawser/services/relay/receipt"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

const (
	// batchLimit is how many items a batch may have.
	batchLimit = 500
	// frameOverhead is the size of a request beyond its two messages of maximum size.
	frameOverhead = 64 << 10

	// publishMethod publishes one message.
	publishMethod = "irn_publish"

	metricRequests = "hawser.relay.requests"
	attrMethod     = "method"
	attrOutcome    = "outcome"
)

// Deps are what methods need.
type Deps struct {
	Hub      *hub.Hub
	Store    *mailbox.Store
	Receipts *receipt.Receipts
	Quota    *quota.Quota
	Log      *slog.Logger
}

// Methods answers requests. It is safe for concurrent use.
type Methods struct {
	deps         Deps
	messageBytes int64
	// requests counts requests. It has no attribute that names a client, a topic or a project.
	requests metric.Int64Counter
}

// New returns the methods. A message has at most messageBytes.
func New(messageBytes int64, deps Deps) *Methods {
	// After an error the instrument counts nothing. That must not stop the service.
	requests, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricRequests, metric.WithDescription("Requests of the relay's clients"))
	if err != nil {
		otel.Handle(err)
	}
	return &Methods{deps: deps, messageBytes: messageBytes, requests: requests}
}

// FrameBytes returns the maximum size of a request: wc_approveSession has two messages.
func (s *Methods) FrameBytes() int64 { return 2*s.messageBytes + frameOverhead }

// count counts a request. outcome is ok, or the tag of an error.
func (s *Methods) count(ctx context.Context, name, outcome string) {
	s.requests.Add(ctx, 1, metric.WithAttributes(attribute.String(attrMethod, name), attribute.String(attrOutcome, outcome)))
}

// method answers the calls of one method.
type method func(ctx context.Context, c *Call, params json.RawMessage) (result any, failure *wire.Error)

// methods are the methods of the protocol.
var methods = map[string]method{
	publishMethod:                publish,
	"irn_batchPublish":           batchPublish,
	"irn_subscribe":              subscribe,
	"irn_subscribeBlocking":      subscribe,
	"irn_batchSubscribe":         batchSubscribe,
	"irn_batchSubscribeBlocking": batchSubscribeBlocking,
	"irn_unsubscribe":            unsubscribe,
	"irn_batchUnsubscribe":       batchUnsubscribe,
	"irn_fetchMessages":          fetchMessages,
	"irn_batchFetchMessages":     batchFetchMessages,
	"irn_batchReceive":           batchReceive,
	"wc_createTopic":             createTopic,
	"wc_proposeSession":          proposeSession,
	"wc_approveSession":          approveSession,
}

// oldPrefixes are the prefixes of methods before irn_.
var oldPrefixes = []string{"iridium_", "waku_"}

// canonical returns the name of a method in [methods].
func canonical(name string) string {
	for _, prefix := range oldPrefixes {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return "irn_" + rest
		}
	}
	return name
}

// decode reads the params of a request, which are an object.
func decode(params json.RawMessage, into any) *wire.Error {
	if len(params) == 0 || params[0] != '{' || json.Unmarshal(params, into) != nil {
		return wire.Payload(wire.TagInvalidParams)
	}
	return nil
}

// batch is a list of items in the params of a request. It has one more than batchLimit at most: an item takes memory even if its text is two bytes.
type batch[T any] []T

// UnmarshalJSON decodes the first items of a list.
func (b *batch[T]) UnmarshalJSON(raw []byte) error {
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	items := json.NewDecoder(bytes.NewReader(raw))
	if start, err := items.Token(); err != nil || start != json.Delim('[') {
		return errors.Join(errNoList, err)
	}
	*b = nil
	for items.More() && len(*b) <= batchLimit {
		var one T
		if err := items.Decode(&one); err != nil {
			return err
		}
		*b = append(*b, one)
	}
	return nil
}

// errNoList means that the items of a batch are no list.
var errNoList = errors.New("the items are no list")

// decodeTopics reads the topics of a batch.
func decodeTopics(ctx context.Context, c *Call, params json.RawMessage) ([]string, *wire.Error) {
	var p struct {
		Topics batch[string] `json:"topics"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	for _, topic := range p.Topics {
		if _, ok := mailbox.ParseTopic(topic); !ok {
			return nil, wire.Payload(wire.TagInvalidTopic)
		}
	}
	if failure := checkBatch(ctx, c, len(p.Topics)); failure != nil {
		return nil, failure
	}
	return p.Topics, nil
}

// checkBatch checks the length of a batch, and takes its items from the client's rate before they are worked on.
func checkBatch(ctx context.Context, c *Call, n int) *wire.Error {
	switch {
	case n == 0:
		return wire.Payload(wire.TagBatchEmpty)
	case n > batchLimit:
		return wire.Payload(wire.TagBatchLimitExceeded)
	}
	if n > 1 && !c.take(ctx, n-1) {
		return wire.Rate()
	}
	return nil
}
