package relay

import (
	"context"
	"encoding/json"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// fetchLimit is how many messages one request fetches.
const fetchLimit = 500

// fetched is the result of a fetch.
type fetched struct {
	Messages []wire.Delivery `json:"messages"`
	HasMore  bool            `json:"hasMore"`
}

func fetchMessages(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p topicParams
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	if _, ok := mailbox.ParseTopic(p.Topic); !ok {
		return nil, wire.Payload(wire.TagInvalidTopic)
	}
	return c.fetch(ctx, []string{p.Topic})
}

func batchFetchMessages(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	topics, failure := decodeTopics(ctx, c, params)
	if failure != nil {
		return nil, failure
	}
	return c.fetch(ctx, topics)
}

// fetch returns the messages in the mailboxes for the client. They count as acknowledged.
func (c *call) fetch(ctx context.Context, topics []string) (any, *wire.Error) {
	all := fetched{Messages: []wire.Delivery{}}
	size := int64(0)
	var taken []mailbox.Message
	for _, text := range topics {
		topic, _ := mailbox.ParseTopic(text)
		for from := uint64(1); ; {
			m, found, err := c.server.store.Next(ctx, topic, from)
			if err != nil {
				c.server.log.WarnContext(ctx, "relay: a mailbox is not read", "error", err)
				return nil, wire.Internal()
			}
			if !found {
				break
			}
			from = m.Sequence + 1
			if m.Publisher == c.publisher || keepsUntilTTL(m.Tag) && c.server.seen.has(c.publisher, m.Sequence) {
				continue
			}
			if size += int64(len(m.Body)); len(taken) == fetchLimit || size > c.server.frameBytes() && len(taken) > 0 {
				all.HasMore = true
				break
			}
			taken = append(taken, m)
			all.Messages = append(all.Messages, wire.Delivery{
				Topic: text, Message: m.Body, PublishedAt: m.PublishedAt.UnixMilli(), Tag: m.Tag, Attestation: m.Attestation,
			})
		}
	}
	for _, m := range taken {
		c.server.acknowledge(c.publisher, m.Sequence, keepsUntilTTL(m.Tag))
	}
	return all, nil
}

// batchReceive acknowledges messages that the client received other than over a connection, by the id of their
// delivery.
func batchReceive(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		Receipts []struct {
			Topic string `json:"topic"`
			// MessageID has two spellings.
			MessageID      json.RawMessage `json:"message_id"`
			MessageIDCamel json.RawMessage `json:"messageId"`
		} `json:"receipts"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	if failure := checkBatch(ctx, c, len(p.Receipts)); failure != nil {
		return nil, failure
	}
	for _, receipt := range p.Receipts {
		topic, ok := mailbox.ParseTopic(receipt.Topic)
		if !ok {
			return nil, wire.Payload(wire.TagInvalidTopic)
		}
		id := receipt.MessageID
		if id == nil {
			id = receipt.MessageIDCamel
		}
		sequence, ok := wire.Sequence(id)
		if !ok {
			continue
		}
		m, found, err := c.server.store.Next(ctx, topic, sequence)
		if err != nil {
			return nil, wire.Internal()
		}
		if found && m.Sequence == sequence && m.Publisher != c.publisher {
			c.server.acknowledge(c.publisher, sequence, keepsUntilTTL(m.Tag))
		}
	}
	return true, nil
}
