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
	if state.newest != 0 || s.shared.Store.MayHave(topic) {
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

// readMailbox sends the messages in the mailbox of a topic, in the order in which they were stored, followed by
// messages that are stored meanwhile. Each read but the first, which the request paid for, waits for the client's rate.
func (s *Session) readMailbox(ctx context.Context, topic mailbox.Topic) {
	for from, paid := uint64(1), true; ; paid = false {
		if !paid && s.shared.Quota.AwaitRequest(ctx, s.Caller) != nil {
			return
		}
		next, progress, err := s.readNext(ctx, topic, from)
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
		case readBlocked:
			pause(ctx, settleTime)
		}
		from = next
	}
}

// progress is what came of a read.
type progress int

const (
	// readOn: the next read follows.
	readOn progress = iota
	// readBlocked: too many messages wait for an answer, so that the read is repeated.
	readBlocked
	// readDone: the mailbox was read, or the topic has no subscription any more.
	readDone
)

// readNext reads the first message of a topic whose sequence number is at least from, and sends it. It returns from where to read on.
func (s *Session) readNext(ctx context.Context, topic mailbox.Topic, from uint64) (uint64, progress, error) {
	leave, err := s.shared.Quota.AwaitRead(ctx, s.Caller)
	if err != nil {
		return from, readBlocked, nil
	}
	// Not before the message was taken from the memory or given up.
	defer leave()
	m, found, err := s.shared.Store.Next(ctx, topic, from)
	if err != nil || ctx.Err() != nil {
		return from, readDone, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	state, subscribed := s.topics[topic]
	switch {
	case !subscribed || state == nil:
		return from, readDone, nil
	case found:
		if !s.sendRead(state, m) {
			return from, readBlocked, nil
		}
		return m.Sequence + 1, readOn, nil
	case state.newest >= from:
		// The message was stored after the last read. The next read finds it, unless it has been deleted.
		state.newest = 0
		return from, readOn, nil
	case !s.sendArrived(state, math.MaxUint64):
		return from, readBlocked, nil
	}
	if !state.queued {
		s.topics[topic] = nil
	}
	return from, readDone, nil
}

// sendRead sends a message that was read from its mailbox, after those that arrived meanwhile and are older. It reports false if too many wait for an
// answer. The caller holds mu.
func (s *Session) sendRead(state *reading, m mailbox.Message) bool {
	switch {
	case !s.sendArrived(state, m.Sequence):
		return false
	case m.Publisher == s.Publisher:
		return true
	case !s.sendOrHold(NewDelivery(m), heldLimit/2):
		return false
	}
	s.noteRead(m)
	return true
}

// sendArrived sends the messages before a sequence number that arrived while the mailbox was read, and were not read from it. It reports false if too
// many wait for an answer. The caller holds mu.
func (s *Session) sendArrived(state *reading, before uint64) bool {
	sent := true
	state.arrived = slices.DeleteFunc(state.arrived, func(d *Delivery) bool {
		if d.Sequence >= before || !sent {
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
