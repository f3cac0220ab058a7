package mailbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// BatchMessages is the largest number of messages of a batch.
	BatchMessages = 64
	// batchBytes is the size from which a batch takes no further message. A batch is in memory several times while it is decoded.
	batchBytes = 256 << 10

	// The headers and states of an answer to a request for several messages.
	headerStatus   = "Status"
	headerPending  = "Nats-Num-Pending"
	statusEnd      = "204"
	statusNone     = "404"
	statusNoServer = "503"
	directGet      = "$JS.API.DIRECT.GET."
)

// Batch is a part of a mailbox.
type Batch struct {
	// Messages are in the order in which they were stored.
	Messages []Message
	// Next is the position from which to read on. More is false if there were no messages from there on.
	Next uint64
	More bool
}

// Read returns the messages of a topic from a position on, 0 for all: at most a number of them, which is [BatchMessages] at most, and not many more bytes
// than fit into a batch. It is one request to the server if the stream has one copy; else a batch has one message, because only the leader of the
// stream certainly has all messages, and it answers with one.
func (s *Store) Read(ctx context.Context, topic Topic, from uint64, most int) (Batch, error) {
	streams := s.streamsOf(topic)
	for i, at := range streams {
		base := s.Position(numberOf(at.slot, 0))
		if from > base+sequenceMask {
			continue
		}
		isLast := i == len(streams)-1
		b, err := s.readStream(ctx, at, topic, max(from, base+1), min(most, BatchMessages))
		switch {
		case err != nil && !at.isGone(err):
			return Batch{}, err
		case err != nil || len(b.Messages) == 0 && !b.More && !isLast:
			continue
		case !b.More && !isLast:
			b.Next, b.More = base+sequenceMask+1, true
		}
		return b, nil
	}
	return Batch{Next: from}, nil
}

// readStream is [Store.Read] of one stream.
func (s *Store) readStream(ctx context.Context, at *stream, topic Topic, from uint64, most int) (Batch, error) {
	base := from &^ sequenceMask
	raws, more, err := at.read(ctx, s.conn, at.mail+topic.String(), from-base, most)
	if err != nil {
		return Batch{}, err
	}
	b := Batch{Next: from, More: more}
	for _, raw := range raws {
		b.Next = base + raw.Sequence + 1
		if m, ok := at.decode(ctx, raw); ok {
			b.Messages = append(b.Messages, m)
		}
	}
	return b, nil
}

// Get returns the message of a number; false if it is not stored.
func (s *Store) Get(ctx context.Context, topic Topic, sequence uint64) (Message, bool, error) {
	b, err := s.Read(ctx, topic, s.Position(sequence), 1)
	if err != nil || len(b.Messages) == 0 || b.Messages[0].Sequence != sequence {
		return Message{}, false, err
	}
	return b.Messages[0], true, nil
}

// decode returns a stored message. Others, which a different client of the broker stored, are skipped.
func (s *stream) decode(ctx context.Context, raw *jetstream.RawStreamMsg) (Message, bool) {
	m, ok := decode(raw.Subject, raw.Header, raw.Data)
	if !ok {
		slog.WarnContext(ctx, "relay: a stored message is not one of the relay", "stream", s.name, "sequence", raw.Sequence)
		return Message{}, false
	}
	m.Sequence, m.PublishedAt = numberOf(s.slot, raw.Sequence), raw.Time
	return m, true
}

// read reads the first messages under a subject whose sequence numbers are at least from. more reports whether there may be others after them.
func (s *stream) read(ctx context.Context, conn *nats.Conn, subject string, from uint64, most int) (raws []*jetstream.RawStreamMsg, more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	opened, err := s.open(ctx)
	if err != nil {
		return nil, false, err
	}
	if opened.CachedInfo().Config.AllowDirect {
		raws, more, err = s.readDirect(ctx, conn, subject, from, most)
		if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, nats.ErrNoResponders) {
			s.reopen()
			if s.config == nil && s.isLost(ctx) {
				err = jetstream.ErrStreamNotFound
			}
		}
		return raws, more, err
	}
	raw, err := s.get(ctx, subject, from)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	return []*jetstream.RawStreamMsg{raw}, true, nil
}

// readDirect reads a batch in one request, which any server with the stream answers.
func (s *stream) readDirect(ctx context.Context, conn *nats.Conn, subject string, from uint64, most int) (raws []*jetstream.RawStreamMsg, more bool, err error) {
	request, err := json.Marshal(map[string]any{"seq": max(from, 1), "next_by_subj": subject, "batch": most, "max_bytes": batchBytes})
	if err != nil {
		return nil, false, err
	}
	// The last answer is not a message.
	answers := make(chan *nats.Msg, most+1)
	inbox := conn.NewInbox()
	receiving, err := conn.ChanSubscribe(inbox, answers)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = receiving.Unsubscribe() }()
	if err := conn.PublishRequest(directGet+s.name, inbox, request); err != nil {
		return nil, false, err
	}
	for {
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case msg := <-answers:
			switch status := msg.Header.Get(headerStatus); status {
			case "":
				raw, err := rawOf(msg)
				if err != nil {
					return nil, false, err
				}
				raws = append(raws, raw)
			case statusEnd:
				return raws, msg.Header.Get(headerPending) != "0", nil
			case statusNone:
				return raws, false, nil
			case statusNoServer:
				return nil, false, nats.ErrNoResponders
			default:
				return nil, false, fmt.Errorf("stream %s answers a request for messages with status %s", s.name, status)
			}
		}
	}
}

// rawOf returns a message of an answer to a request for several.
func rawOf(msg *nats.Msg) (*jetstream.RawStreamMsg, error) {
	sequence, err := strconv.ParseUint(msg.Header.Get(jetstream.SequenceHeader), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("sequence of a message: %w", err)
	}
	at, err := time.Parse(time.RFC3339Nano, msg.Header.Get(headerTime))
	if err != nil {
		return nil, fmt.Errorf("time of a message: %w", err)
	}
	return &jetstream.RawStreamMsg{Subject: msg.Header.Get(jetstream.SubjectHeader), Sequence: sequence, Header: msg.Header, Data: msg.Data, Time: at}, nil
}
