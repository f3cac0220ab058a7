package relay

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

const (
	// batchLimit is how many items a batch may have.
	batchLimit = 500
	// attestationBytes bounds an attestation.
	attestationBytes = 8 << 10
	// sessionTTL is how long messages of the session handshake are kept unless the client says otherwise, in seconds.
	sessionTTL = 300
)

// Tags of messages that the relay publishes for a client, or keeps until their TTL.
const (
	tagSessionPropose      = 1100
	tagSessionApprove      = 1101
	tagSessionSettle       = 1102
	tagSessionAuthenticate = 1116
)

// publication is the message of a request. Members that describe the content of the message are ignored.
type publication struct {
	Topic       string `json:"topic"`
	Message     string `json:"message"`
	TTL         int64  `json:"ttl"`
	Tag         uint32 `json:"tag"`
	Attestation string `json:"attestation"`
}

func publish(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p publication
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	return true, c.publish(ctx, p)
}

func batchPublish(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		Messages []publication `json:"messages"`
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
func (c *call) check(p publication) *wire.Error {
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
	case int64(len(p.Message)) > c.server.cfg.MessageBytes, len(p.Attestation) > attestationBytes:
		return wire.Payload(wire.TagPayloadSizeExceeded)
	}
	return nil
}

// publish stores a message. A session that was detached from the topic, because it has many others, receives its messages again.
func (c *call) publish(ctx context.Context, p publication) *wire.Error {
	if failure := c.check(p); failure != nil {
		return failure
	}
	topic, _ := mailbox.ParseTopic(p.Topic)
	c.server.waitForDeletes(ctx)
	release, ok := c.server.local.Hold(ctx, limit.Caller{Network: c.caller.Network}, c.server.cfg.publications(), 1)
	if !ok {
		return wire.Rate()
	}
	defer release()
	m := mailbox.Message{Topic: topic, Body: p.Message, Tag: p.Tag, Publisher: c.publisher, Attestation: p.Attestation, Account: c.server.store.AccountOf(c.caller)}
	if _, err := c.server.store.Publish(ctx, m, time.Duration(p.TTL)*time.Second); err != nil {
		return c.server.storeFailure(ctx, err)
	}
	c.published = true
	if c.session != nil && c.session.subscribed(topic) && !slices.Contains(c.server.hub.of(topic), c.session) {
		_, failure := c.subscribeTo(p.Topic)
		return failure
	}
	return nil
}

// topicParams are the params of requests about one topic or several.
type topicParams struct {
	Topic  string   `json:"topic"`
	Topics []string `json:"topics"`
}

func subscribe(_ context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p topicParams
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	return c.subscribeTo(p.Topic)
}

func batchSubscribe(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	topics, failure := decodeTopics(ctx, c, params)
	if failure != nil {
		return nil, failure
	}
	ids := make([]string, len(topics))
	for i, topic := range topics {
		if ids[i], failure = c.subscribeTo(topic); failure != nil {
			return nil, failure
		}
	}
	return ids, nil
}

// batchSubscribeBlocking reports the failure of each topic separately.
func batchSubscribeBlocking(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	topics, failure := decodeTopics(ctx, c, params)
	if failure != nil {
		return nil, failure
	}
	type outcome struct {
		ID    string      `json:"id,omitempty"`
		Error *wire.Error `json:"error,omitempty"`
	}
	outcomes := make([]outcome, len(topics))
	for i, topic := range topics {
		outcomes[i].ID, outcomes[i].Error = c.subscribeTo(topic)
	}
	return outcomes, nil
}

func unsubscribe(_ context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p topicParams
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	return true, c.unsubscribeFrom(p.Topic)
}

func batchUnsubscribe(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		Subscriptions []topicParams `json:"subscriptions"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	if failure := checkBatch(ctx, c, len(p.Subscriptions)); failure != nil {
		return nil, failure
	}
	for _, one := range p.Subscriptions {
		if failure := c.unsubscribeFrom(one.Topic); failure != nil {
			return nil, failure
		}
	}
	return true, nil
}

// unsubscribeFrom removes the client from a topic. The id of the subscription does not matter: SDKs send their own.
func (c *call) unsubscribeFrom(text string) *wire.Error {
	topic, ok := mailbox.ParseTopic(text)
	if !ok {
		return wire.Payload(wire.TagInvalidTopic)
	}
	if c.session != nil {
		c.session.unsubscribe(topic)
	}
	return nil
}

func createTopic(_ context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p topicParams
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	_, failure := c.subscribeTo(p.Topic)
	return true, failure
}

// proposeSession publishes the proposal of a session for the client, and subscribes it to the answer.
func proposeSession(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		PairingTopic    string `json:"pairingTopic"`
		SessionProposal string `json:"sessionProposal"`
		Attestation     string `json:"attestation"`
		TTL             int64  `json:"ttl"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	proposal := publication{Topic: p.PairingTopic, Message: p.SessionProposal, TTL: orSessionTTL(p.TTL), Tag: tagSessionPropose, Attestation: p.Attestation}
	if failure := c.check(proposal); failure != nil {
		return nil, failure
	}
	if _, failure := c.subscribeTo(p.PairingTopic); failure != nil {
		return nil, failure
	}
	return true, c.publish(ctx, proposal)
}

// approveSession publishes the settlement of a session and then the answer to its proposal for the client, and subscribes it to the session.
func approveSession(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		PairingTopic             string `json:"pairingTopic"`
		SessionTopic             string `json:"sessionTopic"`
		SessionProposalResponse  string `json:"sessionProposalResponse"`
		SessionSettlementRequest string `json:"sessionSettlementRequest"`
		TTL                      int64  `json:"ttl"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	settlement := publication{Topic: p.SessionTopic, Message: p.SessionSettlementRequest, TTL: orSessionTTL(p.TTL), Tag: tagSessionSettle}
	response := publication{Topic: p.PairingTopic, Message: p.SessionProposalResponse, TTL: orSessionTTL(p.TTL), Tag: tagSessionApprove}
	for _, one := range []publication{settlement, response} {
		if failure := c.check(one); failure != nil {
			return nil, failure
		}
	}
	if _, failure := c.subscribeTo(p.SessionTopic); failure != nil {
		return nil, failure
	}
	if failure := c.publish(ctx, settlement); failure != nil {
		return nil, failure
	}
	return true, c.publish(ctx, response)
}

func orSessionTTL(ttl int64) int64 {
	if ttl == 0 {
		return sessionTTL
	}
	return ttl
}

// decode reads the params of a request, which are an object.
func decode(params json.RawMessage, into any) *wire.Error {
	if len(params) == 0 || params[0] != '{' || json.Unmarshal(params, into) != nil {
		return wire.Payload(wire.TagInvalidParams)
	}
	return nil
}

// decodeTopics reads the topics of a batch.
func decodeTopics(ctx context.Context, c *call, params json.RawMessage) ([]string, *wire.Error) {
	var p topicParams
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
func checkBatch(ctx context.Context, c *call, n int) *wire.Error {
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
