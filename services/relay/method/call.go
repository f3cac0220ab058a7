package method

import (
	"context"
	"errors"
	"slices"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/receipt"
	"github.com/hawser-dev/hawser/services/relay/session"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// copies is how many bytes are held for each byte of a message: the message, and the answer while it is encoded.
const copies = 4

// Call is one request of a client.
type Call struct {
	session.Identity
	*Methods
	// session is nil for a request over HTTP, which cannot subscribe.
	session *session.Session
	// topics are those whose mailboxes are read after the answer was sent.
	topics []mailbox.Topic
	// published says that the call has stored a message, and ahead that it has a place for that.
	published, ahead bool
	// fetched are messages of the answer, which are acknowledged once it was written.
	fetched []receipt.Receipt
	// bytes is what the call keeps in memory until it was answered.
	bytes *limit.Bytes
}

// NewCall returns a call of a client; from is nil for a request over HTTP. Release it after it was answered.
func (s *Methods) NewCall(who session.Identity, from *session.Session) *Call {
	return &Call{Identity: who, Methods: s, session: from, bytes: s.deps.Quota.Memory(who.Caller)}
}

// Hold takes the memory for n bytes of a request or an answer until the call is released. It fails if there is not as much.
func (c *Call) Hold(n int64) error { return c.bytes.Grow(copies * n) }

// letGo gives back the memory for n bytes that Hold took.
func (c *Call) letGo(n int64) { c.bytes.Shrink(copies * n) }

// Release gives back the memory of the call.
func (c *Call) Release() { c.bytes.Release() }

// HoldAhead takes a place for the message of a request that is published while others of the connection are being stored. Release it with leave.
func (c *Call) HoldAhead(ctx context.Context) (leave func(), ok bool) {
	leave, c.ahead = c.deps.Quota.HoldAhead(ctx, c.Caller)
	return leave, c.ahead
}

// Answer returns the response to a request; nil for an acknowledgement.
func (c *Call) Answer(ctx context.Context, r Request) []byte {
	if r.Acknowledges {
		if sequence, ok := wire.Sequence(r.ID); ok && r.Acknowledged && c.session != nil {
			c.session.Acknowledge(sequence)
		}
		return nil
	}
	result, failure := c.do(ctx, r)
	if failure != nil {
		c.count(ctx, r.name, failure.Data)
		return wire.AppendError(nil, r.ID, failure)
	}
	c.count(ctx, r.name, "ok")
	return wire.AppendResult(nil, r.ID, result)
}

// do calls the method of a request.
func (c *Call) do(ctx context.Context, r Request) (any, *wire.Error) {
	switch {
	case !c.take(ctx, 1):
		// What is no request, or one of an unknown method, costs as much.
		return nil, wire.Rate()
	case r.failure != nil:
		return nil, r.failure
	case r.publication != nil:
		return true, c.publish(ctx, *r.publication)
	default:
		return r.method(ctx, c, r.Params)
	}
}

// Published reports whether the call has stored a message.
func (c *Call) Published() bool { return c.published }

// ReadMailboxes sends the mailboxes of new subscriptions. It is called after the answer was sent.
func (c *Call) ReadMailboxes() {
	if len(c.topics) > 0 {
		c.session.ReadMailboxes(c.topics)
	}
}

// AcknowledgeFetched acknowledges the messages of the answer. It is called once that was written.
func (c *Call) AcknowledgeFetched() {
	for _, m := range c.fetched {
		c.deps.Receipts.Acknowledge(c.Publisher, m)
	}
}

// take takes n from the client's rate.
func (c *Call) take(ctx context.Context, n int) bool {
	return c.deps.Quota.TakeRequests(ctx, c.Caller, n)
}

// subscribeTo subscribes the client and returns the id of the subscription.
func (c *Call) subscribeTo(text string) (string, *wire.Error) {
	topic, ok := mailbox.ParseTopic(text)
	if !ok {
		return "", wire.Payload(wire.TagInvalidTopic)
	}
	if c.session == nil {
		return "", wire.Payload(wire.TagInvalidMethod)
	}
	if !c.session.Subscribe(topic) {
		return "", wire.Handler(wire.TagSubscriberLimitExceeded)
	}
	c.deps.Hub.Attach(topic, c.session)
	if !slices.Contains(c.topics, topic) {
		c.topics = append(c.topics, topic)
	}
	return wire.SubscriptionID(text, c.Name), nil
}

// unsubscribeFrom removes the client from a topic. The id of the subscription does not matter: SDKs send their own.
func (c *Call) unsubscribeFrom(text string) *wire.Error {
	topic, ok := mailbox.ParseTopic(text)
	if !ok {
		return wire.Payload(wire.TagInvalidTopic)
	}
	if c.session != nil {
		c.session.Unsubscribe(topic)
		c.deps.Hub.Detach(topic, c.session)
	}
	return nil
}

// storeFailure returns the error for a message that was not stored.
func (c *Call) storeFailure(ctx context.Context, err error) *wire.Error {
	switch {
	case errors.Is(err, mailbox.ErrFull), errors.Is(err, mailbox.ErrNoRoom):
		return wire.Handler(wire.TagMailboxLimitExceeded)
	case errors.Is(err, mailbox.ErrTooLarge):
		return wire.Payload(wire.TagPayloadSizeExceeded)
	default:
		c.deps.Log.WarnContext(ctx, "relay: a message is not stored", "error", err)
		return wire.Internal()
	}
}
