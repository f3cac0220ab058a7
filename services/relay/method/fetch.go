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
	f := fetching{Call: c, all: fetched{Messages: []wire.Delivery{}}}
	read := map[mailbox.Topic]bool{}
	for _, text := range topics {
		topic, _ := mailbox.ParseTopic(text)
		if read[topic] {
			continue
		}
		read[topic] = true
		err := f.readMailbox(ctx, text, topic)
		if errors.Is(err, errNoPlace) {
			return f.all.part()
		}
		if err != nil {
			c.deps.Log.WarnContext(ctx, "relay: a mailbox is not read", "error", err)
			return nil, wire.Internal()
		}
	}
	return f.all, nil
}

// fetching is a fetch that is being answered.
type fetching struct {
	*Call
	all fetched
	// size is that of the messages in the answer, in bytes.
	size int64
}

// errNoPlace means that the answer has no place for another message, that too many messages are read at once, that there is no memory, or that the client is
// over its rate.
var errNoPlace = errors.New("no place for another message")

// readMailbox adds the messages of a topic to the answer. The first of them is paid for by the request.
func (f *fetching) readMailbox(ctx context.Context, text string, topic mailbox.Topic) error {
	for from, paid := uint64(0), true; ; {
		batch, err := f.readBatch(ctx, topic, from)
		if err != nil {
			return err
		}
		for i, m := range batch.Messages {
			if err := f.add(ctx, text, m, paid); err != nil {
				f.drop(batch.Messages[i:])
				return err
			}
			paid = false
		}
		if !batch.More {
			return nil
		}
		from = batch.Next
	}
}

// readBatch reads the next messages of a topic, and takes their memory.
func (f *fetching) readBatch(ctx context.Context, topic mailbox.Topic, from uint64) (mailbox.Batch, error) {
	leave, err := f.deps.Quota.AwaitRead(ctx, f.Caller)
	if err != nil {
		return mailbox.Batch{}, errNoPlace
	}
	defer leave()
	batch, err := f.deps.Store.Read(ctx, topic, from, mailbox.BatchMessages)
	if err != nil {
		return mailbox.Batch{}, err
	}
	for i, m := range batch.Messages {
		if f.Hold(int64(len(m.Body))) != nil {
			f.drop(batch.Messages[:i])
			return mailbox.Batch{}, errNoPlace
		}
	}
	return batch, nil
}

// drop gives back the memory of messages that are not in the answer.
func (f *fetching) drop(messages []mailbox.Message) {
	for _, m := range messages {
		f.letGo(int64(len(m.Body)))
	}
}

// add adds a message to the answer, unless the client published or acknowledged it.
func (f *fetching) add(ctx context.Context, text string, m mailbox.Message, paid bool) error {
	if !paid && !f.take(ctx, 1) {
		return errNoPlace
	}
	if m.Publisher == f.Publisher || f.deps.Receipts.Has(f.Publisher, m) {
		f.drop([]mailbox.Message{m})
		return nil
	}
	size := int64(len(m.Body))
	if len(f.fetched) == fetchLimit || f.size+size > f.FrameBytes() && len(f.fetched) > 0 {
		return errNoPlace
	}
	f.size += size
	f.fetched = append(f.fetched, receipt.Of(m))
	f.all.Messages = append(f.all.Messages, wire.Delivery{
		Topic: text, Message: m.Body, PublishedAt: m.PublishedAt.UnixMilli(), Tag: m.Tag, Attestation: m.Attestation,
	})
	return nil
}

// get reads a message of a topic by its number, and takes its memory.
func (c *Call) get(ctx context.Context, topic mailbox.Topic, sequence uint64) (mailbox.Message, bool, error) {
	leave, err := c.deps.Quota.AwaitRead(ctx, c.Caller)
	if err != nil {
		return mailbox.Message{}, false, errNoPlace
	}
	defer leave()
	m, found, err := c.deps.Store.Get(ctx, topic, sequence)
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
		m, found, err := c.get(ctx, topic, sequence)
		if errors.Is(err, errNoPlace) {
			return nil, wire.Rate()
		}
		if err != nil {
			return nil, wire.Internal()
		}
		c.letGo(int64(len(m.Body)))
		if found && m.Publisher != c.Publisher {
			c.deps.Receipts.Acknowledge(c.Publisher, receipt.Of(m))
		}
	}
	return true, nil
}
