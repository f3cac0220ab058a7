package relay

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// call is one request of a client.
type call struct {
	identity
	server *server
	// session is nil for a request over HTTP, which cannot subscribe.
	session *session
	// topics are those whose mailboxes are read after the answer was sent.
	topics []mailbox.Topic
	// published says that the call has stored a message.
	published bool
	// fetched are messages of the answer, which are acknowledged once it was written.
	fetched []receipt
	// bytes is what the call keeps in memory until it was answered.
	bytes *limit.Bytes
}

// receipt is the acknowledgement of a message.
type receipt struct {
	sequence uint64
	// expires reports whether the message is kept until its TTL.
	expires bool
}

// newCall returns a call of a client; session is nil for a request over HTTP. Release its bytes after it was answered.
func (s *server) newCall(who identity, session *session) *call {
	return &call{identity: who, server: s, session: session, bytes: s.memory.Hold(who.caller)}
}

// method answers the calls of one method.
type method func(ctx context.Context, c *call, params json.RawMessage) (result any, failure *wire.Error)

// methods are the methods of the protocol.
var methods = map[string]method{
	"irn_publish":                publish,
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

// answer returns the response to a frame, and a function to call after the response was sent. Both are nil for an
// acknowledgement.
func (s *server) answer(ctx context.Context, c *call, frame []byte) (response []byte, after func()) {
	m, failure := wire.Parse(frame)
	if failure == nil && m.Method == "" {
		if sequence, ok := wire.Sequence(m.ID); ok && m.Acknowledged && c.session != nil {
			c.session.acknowledge(sequence)
		}
		return nil, nil
	}
	name := canonical(m.Method)
	do, known := methods[name]
	if !known {
		name = "unknown"
	}
	var result any
	switch {
	case failure != nil:
	case !known:
		failure = wire.Payload(wire.TagInvalidMethod)
	case !c.take(ctx, 1):
		failure = wire.Rate()
	default:
		result, failure = do(ctx, c, m.Params)
	}
	if failure != nil {
		s.metrics.request(ctx, name, failure.Data)
		return wire.AppendError(nil, m.ID, failure), c.readMailboxes()
	}
	s.metrics.request(ctx, name, "ok")
	return wire.AppendResult(nil, m.ID, result), c.readMailboxes()
}

// take takes n from the client's rate.
func (c *call) take(ctx context.Context, n int) bool {
	return c.server.limiter.Take(ctx, c.caller, c.server.cfg.requests(), n) <= 0
}

// readMailboxes returns a function that sends the mailboxes of new subscriptions; nil if there are none.
func (c *call) readMailboxes() func() {
	if len(c.topics) == 0 {
		return nil
	}
	return func() { c.session.readMailboxes(c.topics) }
}

// acknowledgeFetched returns a function that acknowledges the fetched messages; nil if there are none.
func (c *call) acknowledgeFetched() func() {
	if len(c.fetched) == 0 {
		return nil
	}
	return func() {
		for _, m := range c.fetched {
			c.server.acknowledge(c.publisher, m.sequence, m.expires)
		}
	}
}

// subscribeTo subscribes the client and returns the id of the subscription.
func (c *call) subscribeTo(text string) (string, *wire.Error) {
	topic, ok := mailbox.ParseTopic(text)
	if !ok {
		return "", wire.Payload(wire.TagInvalidTopic)
	}
	if c.session == nil {
		return "", wire.Payload(wire.TagInvalidMethod)
	}
	if failure := c.session.subscribe(topic); failure != nil {
		return "", failure
	}
	if !slices.Contains(c.topics, topic) {
		c.topics = append(c.topics, topic)
	}
	return subscriptionID(text, c.name), nil
}

// acknowledge deletes a message that the client has received, unless it is kept for its TTL.
func (s *server) acknowledge(client mailbox.Publisher, sequence uint64, expires bool) {
	if expires {
		s.seen.add(client, sequence)
		return
	}
	select {
	case s.deletes <- sequence:
	case <-s.ctx.Done():
	}
}

// storeFailure returns the error for a message that was not stored.
func (s *server) storeFailure(ctx context.Context, err error) *wire.Error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, mailbox.ErrFull), errors.Is(err, mailbox.ErrNoRoom):
		return wire.Handler(wire.TagMailboxLimitExceeded)
	case errors.Is(err, mailbox.ErrTooLarge):
		return wire.Payload(wire.TagPayloadSizeExceeded)
	default:
		s.log.WarnContext(ctx, "relay: a message is not stored", "error", err)
		return wire.Internal()
	}
}
