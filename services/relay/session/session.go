// Package session is what one connection of a client receives: the messages that are stored for its topics from now on, and those in their mailboxes, in
// order and not before the answer to a request.
package session

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/quota"
	"github.com/hawser-dev/hawser/services/relay/receipt"
	"github.com/hawser-dev/hawser/services/relay/socket"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

const (
	// topicLimit bounds the topics to which one connection may subscribe. It takes them from those of the process [quota.TopicBlock] at a time.
	topicLimit = 5000
	// heldLimit bounds the messages that wait for the answer to a request.
	heldLimit = 2048
	// unacknowledgedLimit bounds the stored deliveries that a client has not acknowledged; the messages stay in their
	// mailboxes.
	unacknowledgedLimit = 16_384
	// sentBytes is the size of the record of a delivery that is not acknowledged.
	sentBytes = 64
	// settleTime is how long messages wait after the answer to a publish. SDKs lose a reply that arrives before they
	// have handled the answer, as from a peer on the same machine.
	settleTime = 20 * time.Millisecond
	// lateAfter is how long after its publication a message may still arrive from the follower, and lateLimit how many of them a session remembers.
	lateAfter = time.Minute
	lateLimit = 1024
	// arrivedLimit bounds the messages that wait until a mailbox is read; those beyond are read from it.
	arrivedLimit = 64
)

// Session is one connection of a client. Its methods are safe for concurrent use.
type Session struct {
	Identity
	shared *Sessions
	conn   *socket.Conn

	mu sync.Mutex
	// topics are the subscribed topics. The value is not nil while the mailbox of the topic is being read.
	topics map[mailbox.Topic]*reading
	// unread are those whose mailboxes are read next, each of them once; stopReading ends the goroutine that reads them, and is nil if there is none.
	unread      []mailbox.Topic
	stopReading context.CancelFunc
	// shares release the session's part of the topics of this process.
	shares []func()
	// sent holds the messages that the client has not acknowledged, and whether they are kept until their TTL even if they are.
	sent map[uint64]bool
	// read holds the times of new messages that were read from a mailbox, and may still arrive from the follower.
	read map[uint64]time.Time
	// begun is the number of the newest request, and answering those that are being answered, the oldest first. held are the messages that wait for that.
	begun     uint64
	answering []uint64
	held      []heldDelivery
	// bytes is what the session keeps in memory: messages that wait, and numbers of those that are not acknowledged.
	bytes *limit.Bytes
	// settled is the time until which messages wait; waiting says that sending held messages is scheduled.
	settled time.Time
	waiting bool
}

// heldDelivery is a message that waits until the requests up to a number were answered.
type heldDelivery struct {
	*Delivery
	after uint64
}

// reading is the state of a topic whose mailbox is being read.
type reading struct {
	// queued says that the topic is one of the session's unread.
	queued bool
	// missed is the position of the first message that was stored since reading began, and is not one of arrived; 0 if there is none.
	missed uint64
	// arrived are such messages, at most arrivedLimit. Another connection of the client may acknowledge them, which deletes them, before they are read.
	arrived []*Delivery
}

// Answering returns the number of a request. Messages that arrive from now on wait until [Session.Answered] is called with it.
func (s *Session) Answering() (request uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun++
	s.answering = append(s.answering, s.begun)
	return s.begun
}

// Answered sends the messages that waited for the answer to a request and not for another one, after settleTime if the client has published.
func (s *Session) Answered(request uint64, published bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answering = slices.DeleteFunc(s.answering, func(n uint64) bool { return n == request })
	if published {
		s.settled = time.Now().Add(settleTime)
	}
	switch {
	case len(s.held) == 0:
	case time.Now().Before(s.settled):
		s.sendLater()
	case !s.waiting:
		s.sendHeld()
	}
}

// sendLater schedules sending held messages, so that the client has time to handle an answer. The caller holds mu.
func (s *Session) sendLater() {
	if s.waiting {
		return
	}
	s.waiting = true
	time.AfterFunc(settleTime, func() {
		_ = routine.Call(s.shared.ctx, func() error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.waiting = false
			s.sendHeld()
			return nil
		})
	})
}

// sendHeld sends the held messages that do not wait for an answer any more. The caller holds mu.
func (s *Session) sendHeld() {
	n := 0
	for ; n < len(s.held) && (len(s.answering) == 0 || s.held[n].after < s.answering[0]); n++ {
		s.bytes.Shrink(int64(len(s.held[n].Body)))
		s.send(s.held[n].Delivery)
	}
	s.held = slices.Delete(s.held, 0, n)
	if len(s.held) == 0 {
		s.held = nil
	}
}

// Close ends the session and returns the topics to which it had subscribed.
func (s *Session) Close() []mailbox.Topic {
	s.mu.Lock()
	topics, shares := slices.Collect(maps.Keys(s.topics)), s.shares
	s.topics, s.shares, s.sent, s.held, s.read, s.unread = nil, nil, nil, nil, nil, nil
	if s.stopReading != nil {
		s.stopReading()
	}
	s.bytes.Release()
	s.mu.Unlock()
	for _, release := range shares {
		release()
	}
	return topics
}

// Deliver sends a newly stored message. While a request of the client is being answered the message waits, because a
// peer's reply must not arrive before the answer to the publication that it replies to.
func (s *Session) Deliver(d *Delivery) {
	m := d.Message
	if m.Publisher == s.Publisher {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	state, subscribed := s.topics[m.Topic]
	wasRead := s.takeRead(m)
	switch {
	case !subscribed, wasRead:
	case state != nil:
		if len(state.arrived) < arrivedLimit && s.bytes.Grow(int64(len(m.Body))) == nil {
			state.arrived = append(state.arrived, d)
		} else if state.missed == 0 {
			state.missed = s.shared.Store.Position(m.Sequence)
		}
	case !s.sendOrHold(d, heldLimit):
		s.conn.Close(socket.StatusBehind, "too many messages wait for an answer")
	}
}

// sendOrHold sends a message, or holds it while a request is being answered. It reports false if most are held already, or there is no memory for it.
// The caller holds mu.
func (s *Session) sendOrHold(d *Delivery, most int) bool {
	switch {
	case len(s.answering) == 0 && !s.waiting && !time.Now().Before(s.settled):
		s.send(d)
		return true
	case len(s.held) < most && s.bytes.Grow(int64(len(d.Body))) == nil:
		s.held = append(s.held, heldDelivery{d, s.begun})
		if len(s.answering) == 0 {
			s.sendLater()
		}
		return true
	default:
		return false
	}
}

// noteRead records that a message was read from its mailbox. The client may acknowledge it before the follower delivers it too. The caller holds mu.
func (s *Session) noteRead(m mailbox.Message) {
	now := s.shared.Clock.Now()
	if now.Sub(m.PublishedAt) > lateAfter {
		return
	}
	if len(s.read) >= lateLimit {
		maps.DeleteFunc(s.read, func(_ uint64, at time.Time) bool { return now.Sub(at) > lateAfter })
	}
	if len(s.read) >= lateLimit {
		return
	}
	if s.read == nil {
		s.read = map[uint64]time.Time{}
	}
	s.read[m.Sequence] = m.PublishedAt
}

// takeRead reports whether noteRead recorded a message, and removes the record. A server that lost its stream may number another message alike, at
// another time. The caller holds mu.
func (s *Session) takeRead(m mailbox.Message) bool {
	at, known := s.read[m.Sequence]
	delete(s.read, m.Sequence)
	return known && at.Equal(m.PublishedAt)
}

// send sends a message, unless it was sent on this connection or the client acknowledged it before. The caller holds mu.
func (s *Session) send(d *Delivery) {
	m := d.Message
	if _, sent := s.sent[m.Sequence]; sent {
		return
	}
	if _, subscribed := s.topics[m.Topic]; !subscribed {
		return
	}
	if s.shared.Receipts.Has(s.Publisher, m) {
		return
	}
	if len(s.sent) < unacknowledgedLimit && s.bytes.Grow(sentBytes) == nil {
		if s.sent == nil {
			s.sent = map[uint64]bool{}
		}
		s.sent[m.Sequence] = m.StaysUntilTTL()
	}
	s.conn.Send(wire.Subscription(m.Sequence, wire.SubscriptionID(m.Topic.String(), s.Name)), d.rest())
	s.shared.delivery.Record(s.shared.ctx, s.shared.Clock.Now().Sub(m.PublishedAt).Seconds())
}

// Acknowledge deletes a message that was sent on this connection, unless it is kept for its TTL.
func (s *Session) Acknowledge(sequence uint64) {
	s.mu.Lock()
	stays, sent := s.sent[sequence]
	delete(s.sent, sequence)
	s.mu.Unlock()
	if sent {
		s.bytes.Shrink(sentBytes)
		s.shared.Receipts.Acknowledge(s.Publisher, receipt.Receipt{Sequence: sequence, Stays: stays})
	}
}

// Subscribe adds a topic, or reports false if the session may have no more. Call [Session.ReadMailboxes] for the topic afterwards.
func (s *Session) Subscribe(topic mailbox.Topic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.topics[topic]; !again && !s.takeTopic() {
		return false
	}
	if s.topics == nil {
		s.topics = map[mailbox.Topic]*reading{}
	}
	s.dropArrived(topic)
	old := s.topics[topic]
	s.topics[topic] = &reading{queued: old != nil && old.queued}
	return true
}

// takeTopic reports whether the session may have one more topic. The caller holds mu.
func (s *Session) takeTopic() bool {
	if len(s.topics) < quota.TopicBlock*len(s.shares) {
		return true
	}
	if len(s.topics) >= topicLimit {
		return false
	}
	release, ok := s.shared.Quota.HoldTopics(s.shared.ctx, s.Caller)
	if ok {
		s.shares = append(s.shares, release)
	}
	return ok
}

// dropArrived gives up the messages that arrived while the mailbox of a topic was read. The caller holds mu.
func (s *Session) dropArrived(topic mailbox.Topic) {
	if state := s.topics[topic]; state != nil {
		for _, d := range state.arrived {
			s.bytes.Shrink(int64(len(d.Body)))
		}
		state.arrived = nil
	}
}

// Subscribed reports whether the session has subscribed to a topic.
func (s *Session) Subscribed(topic mailbox.Topic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.topics[topic]
	return ok
}

// Unsubscribe removes a topic.
func (s *Session) Unsubscribe(topic mailbox.Topic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropArrived(topic)
	if state := s.topics[topic]; state != nil && state.queued {
		s.unread = slices.DeleteFunc(s.unread, func(t mailbox.Topic) bool { return t == topic })
	}
	delete(s.topics, topic)
}
