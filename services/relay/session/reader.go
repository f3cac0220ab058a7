package session

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/socket"
)

// ReadMailboxes sends the mailboxes of subscribed topics, one after the other, in a goroutine: they wait for the client's rate, and its requests and
// acknowledgements are received meanwhile. Call it when the session receives new messages of the topics: a mailbox without older ones is not read.
func (s *Session) ReadMailboxes(topics []mailbox.Topic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, topic := range topics {
		if state := s.topics[topic]; state != nil && !state.queued && !s.isEmpty(topic, state) {
			state.queued = true
			s.unread = append(s.unread, topic)
		}
	}
	if len(s.unread) == 0 || s.stopReading != nil {
		return
	}
	ctx, stop := context.WithCancel(s.shared.ctx)
	s.stopReading = stop
	s.shared.readers.Go(ctx, func() { s.readAll(ctx) }, func(error) { s.conn.Close(socket.StatusInternal, "a mailbox cannot be read") })
}

// isEmpty ends the reading of a topic without messages in its mailbox, and reports whether it has none. The caller holds mu.
func (s *Session) isEmpty(topic mailbox.Topic, state *reading) bool {
	if len(state.arrived) > 0 || state.missed != 0 || s.shared.Store.MayHave(topic) {
		return false
	}
	s.topics[topic] = nil
	return true
}

// readAll reads mailboxes until none is left or the session has ended.
func (s *Session) readAll(ctx context.Context) {
	for {
		topic, ok := s.nextUnread()
		if !ok {
			return
		}
		s.readMailbox(ctx, topic)
	}
}

// nextUnread returns the topic whose mailbox is read next. If there is none, it ends reading.
func (s *Session) nextUnread() (mailbox.Topic, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unread) == 0 {
		s.stopReading()
		s.stopReading, s.unread = nil, nil
		return mailbox.Topic{}, false
	}
	topic := s.unread[0]
	s.unread = s.unread[1:]
	s.topics[topic].queued = false
	return topic, true
}

// firstBatch is how many messages the first read of a mailbox returns. Each of them takes one from the client's rate, so that one who is over it has few
// read that are not sent.
const firstBatch = 16

// readMailbox sends the messages in the mailbox of a topic, in the order in which they were stored, followed by messages that are stored meanwhile. Each
// message but the first, which the request paid for, waits for the client's rate.
func (s *Session) readMailbox(ctx context.Context, topic mailbox.Topic) {
	most := firstBatch
	for at := (cursor{topic: topic, paid: true}); ; {
		progress, err := s.readBatch(ctx, &at, most)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.shared.Log.WarnContext(ctx, "relay: a mailbox is not read", "error", err)
			// The client connects and subscribes again.
			s.conn.Close(socket.StatusInternal, "a mailbox cannot be read")
			return
		}
		switch progress {
		case readDone:
			return
		case readOn:
			most = min(2*most, mailbox.BatchMessages)
		case readBlocked:
			most = 1
			pause(ctx, settleTime)
		case readUnpaid:
			most = 1
			if s.shared.Quota.AwaitRequest(ctx, s.Caller) != nil {
				return
			}
			at.paid = true
		}
	}
}

// cursor is where the reading of a mailbox is.
type cursor struct {
	topic mailbox.Topic
	// from is the position of the next message.
	from uint64
	// paid says that the next message was taken from the client's rate.
	paid bool
}

// progress is what came of a read.
type progress int

const (
	// readOn: the next read follows.
	readOn progress = iota
	// readBlocked: too many messages wait for an answer, so that the read is repeated.
	readBlocked
	// readUnpaid: the client is over its rate, so that the read is repeated.
	readUnpaid
	// readDone: the mailbox was read, or the topic has no subscription any more.
	readDone
)

// readBatch reads the next messages of a topic, and sends them.
func (s *Session) readBatch(ctx context.Context, at *cursor, most int) (progress, error) {
	leave, err := s.shared.Quota.AwaitRead(ctx, s.Caller)
	if err != nil {
		return readBlocked, nil
	}
	// Not before the messages were taken from the memory or given up.
	defer leave()
	batch, err := s.shared.Store.Read(ctx, at.topic, at.from, most)
	if err != nil || ctx.Err() != nil {
		return readDone, err
	}
	for _, m := range batch.Messages {
		if !at.paid && !s.shared.Quota.TakeRequests(ctx, s.Caller, 1) {
			return readUnpaid, nil
		}
		at.paid = true
		if progress := s.sendRead(m); progress != readOn {
			return progress, nil
		}
		at.from, at.paid = s.shared.Store.Position(m.Sequence)+1, false
	}
	at.from = batch.Next
	if batch.More {
		return readOn, nil
	}
	return s.endReading(at), nil
}

// sendRead sends a message that was read from its mailbox, after those that arrived meanwhile and are older.
func (s *Session) sendRead(m mailbox.Message) progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.topics[m.Topic]
	switch {
	case state == nil:
		return readDone
	case !s.sendArrived(state, s.shared.Store.Position(m.Sequence)):
		return readBlocked
	case m.Publisher == s.Publisher:
		return readOn
	case !s.sendOrHold(NewDelivery(m), heldLimit/2):
		return readBlocked
	}
	s.noteRead(m)
	return readOn
}

// endReading ends the reading of a mailbox that has no more messages, after it sent those that arrived meanwhile.
func (s *Session) endReading(at *cursor) progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.topics[at.topic]
	switch {
	case state == nil:
		return readDone
	case state.missed != 0:
		// The next read finds the message, unless it has been deleted.
		at.from, state.missed = min(at.from, state.missed), 0
		return readOn
	case !s.sendArrived(state, math.MaxUint64):
		return readBlocked
	}
	if !state.queued {
		s.topics[at.topic] = nil
	}
	return readDone
}

// sendArrived sends the messages before a position that arrived while the mailbox was read, and were not read from it. It reports false if too many wait
// for an answer. The caller holds mu.
func (s *Session) sendArrived(state *reading, before uint64) bool {
	sent := true
	state.arrived = slices.DeleteFunc(state.arrived, func(d *Delivery) bool {
		if s.shared.Store.Position(d.Sequence) >= before || !sent {
			return false
		}
		if !s.takeRead(d.Message) {
			sent = s.sendOrHold(d, heldLimit/2)
		}
		if sent {
			s.bytes.Shrink(int64(len(d.Body)))
		}
		return sent
	})
	return sent
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
