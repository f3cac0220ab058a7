package method

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/receipt"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// fetchLimit is how many messages one request fetches.
const fetchLimit = 500

// fetched is the result of a fetch.
type fetched struct {
	Messages []wire.Delivery `json:"messages"`
	HasMore  bool            `json:"hasMore"`
}

// part returns the answer of a fetch that ended early; an error if it has no messages, because the client would fetch again at once.
func (f fetched) part() (any, *wire.Error) {
	if len(f.Messages) == 0 {
		return nil, wire.Rate()
	}
	f.HasMore = true
	return f, nil
}

func fetchMessages(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p topicParams
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	if _, ok := mailbox.ParseTopic(p.Topic); !ok {
		return nil, wire.Payload(wire.TagInvalidTopic)
	}
	return c.fetch(ctx, []string{p.Topic})
}

func batchFetchMessages(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	topics, failure := decodeTopics(ctx, c, params)
	if failure != nil {
		return nil, failure
	}
	return c.fetch(ctx, topics)
}

// fetch returns the messages in the mailboxes for the client. They are acknowledged once the answer was written.
func (c *Call) fetch(ctx context.Context, topics []string) (any, *wire.Error) {
	all := fetched{Messages: []wire.Delivery{}}
	read := map[mailbox.Topic]bool{}
	size := int64(0)
	for _, text := range topics {
		topic, _ := mailbox.ParseTopic(text)
		if read[topic] {
			continue
		}
		read[topic] = true
		for from := uint64(1); ; {
			// The first read is paid for by the request.
			if from > 1 && !c.take(ctx, 1) {
				return all.part()
			}
			m, found, err := c.readNext(ctx, topic, from)
			if errors.Is(err, errNoPlace) {
				return all.part()
			}
			if err != nil {
				c.deps.Log.WarnContext(ctx, "relay: a mailbox is not read", "error", err)
				return nil, wire.Internal()
			}
			if !found {
				break
			}
			from = m.Sequence + 1
			if m.Publisher == c.Publisher || c.deps.Receipts.Has(c.Publisher, m) {
				c.letGo(int64(len(m.Body)))
				continue
			}
			size += int64(len(m.Body))
			if len(c.fetched) == fetchLimit || size > c.FrameBytes() && len(c.fetched) > 0 {
				return all.part()
			}
			c.fetched = append(c.fetched, receipt.Of(m))
			all.Messages = append(all.Messages, wire.Delivery{
				Topic: text, Message: m.Body, PublishedAt: m.PublishedAt.UnixMilli(), Tag: m.Tag, Attestation: m.Attestation,
			})
		}
	}
	return all, nil
}

// errNoPlace means that too many messages are read at once, or that there is no memory for another one.
var errNoPlace = errors.New("no place for another message")

// readNext reads the first message of a topic whose sequence number is at least from, and takes its memory.
func (c *Call) readNext(ctx context.Context, topic mailbox.Topic, from uint64) (mailbox.Message, bool, error) {
	leave, err := c.deps.Quota.AwaitRead(ctx, c.Caller)
	if err != nil {
		return mailbox.Message{}, false, errNoPlace
	}
	defer leave()
	m, found, err := c.deps.Store.Next(ctx, topic, from)
	if err == nil && c.Hold(int64(len(m.Body))) != nil {
		return mailbox.Message{}, false, errNoPlace
	}
	return m, found, err
}

// batchReceive acknowledges messages that the client received other than over a connection, by the id of their
// delivery.
func batchReceive(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		Receipts batch[struct {
			Topic string `json:"topic"`
			// MessageID has two spellings.
			MessageID      json.RawMessage `json:"message_id"`
			MessageIDCamel json.RawMessage `json:"messageId"`
		}] `json:"receipts"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	if failure := checkBatch(ctx, c, len(p.Receipts)); failure != nil {
		return nil, failure
	}
	for _, one := range p.Receipts {
		topic, ok := mailbox.ParseTopic(one.Topic)
		if !ok {
			return nil, wire.Payload(wire.TagInvalidTopic)
		}
		id := one.MessageID
		if id == nil {
			id = one.MessageIDCamel
		}
		sequence, ok := wire.Sequence(id)
		if !ok {
			continue
		}
		m, found, err := c.readNext(ctx, topic, sequence)
		if errors.Is(err, errNoPlace) {
			return nil, wire.Rate()
		}
		if err != nil {
			return nil, wire.Internal()
		}
		c.letGo(int64(len(m.Body)))
		if found && m.Sequence == sequence && m.Publisher != c.Publisher {
			c.deps.Receipts.Acknowledge(c.Publisher, receipt.Of(m))
		}
	}
	return true, nil
}
