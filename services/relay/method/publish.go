package method

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// attestationBytes bounds an attestation.
const attestationBytes = 8 << 10

// publication is the message of a request. Members that describe the content of the message are ignored.
type publication struct {
	Topic       string `json:"topic"`
	Message     string `json:"message"`
	TTL         int64  `json:"ttl"`
	Tag         uint32 `json:"tag"`
	Attestation string `json:"attestation"`
}

func publish(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p publication
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	return true, c.publish(ctx, p)
}

func batchPublish(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		Messages batch[publication] `json:"messages"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	if failure := checkBatch(ctx, c, len(p.Messages)); failure != nil {
		return nil, failure
	}
	for _, one := range p.Messages {
		if failure := c.check(one); failure != nil {
			return nil, failure
		}
	}
	for _, one := range p.Messages {
		if failure := c.publish(ctx, one); failure != nil {
			return nil, failure
		}
	}
	return true, nil
}

// check returns what is wrong with a publication.
func (c *Call) check(p publication) *wire.Error {
	if _, ok := mailbox.ParseTopic(p.Topic); !ok {
		return wire.Payload(wire.TagInvalidTopic)
	}
	switch {
	case p.TTL < 1:
		return wire.Handler(wire.TagTTLTooShort)
	case p.TTL > int64(mailbox.MaxTTL/time.Second), len(p.Message) > mailbox.LargeBytes && p.TTL > int64(mailbox.LargeTTL/time.Second):
		return wire.Handler(wire.TagTTLTooLong)
	case p.Message == "":
		return wire.Payload(wire.TagInvalidParams)
	case int64(len(p.Message)) > c.messageBytes, len(p.Attestation) > attestationBytes:
		return wire.Payload(wire.TagPayloadSizeExceeded)
	}
	return nil
}

// publish stores a message. A session that was detached from the topic, because it has many others, receives its messages again.
func (c *Call) publish(ctx context.Context, p publication) *wire.Error {
	if failure := c.check(p); failure != nil {
		return failure
	}
	topic, _ := mailbox.ParseTopic(p.Topic)
	c.deps.Receipts.Wait(ctx)
	if !c.ahead {
		release, ok := c.deps.Quota.HoldPublication(ctx, c.Caller)
		if !ok {
			return wire.Rate()
		}
		defer release()
	}
	m := mailbox.Message{Topic: topic, Body: p.Message, Tag: p.Tag, Publisher: c.Publisher, Attestation: p.Attestation, Account: c.deps.Store.AccountOf(c.Caller)}
	if _, err := c.deps.Store.Publish(ctx, m, time.Duration(p.TTL)*time.Second); err != nil {
		return c.storeFailure(ctx, err)
	}
	c.published = true
	if c.session != nil && c.session.Subscribed(topic) && !slices.Contains(c.deps.Hub.Of(topic), c.session) {
		_, failure := c.subscribeTo(p.Topic)
		return failure
	}
	return nil
}
