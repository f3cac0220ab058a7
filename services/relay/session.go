package relay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/socket"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

const (
	// topicLimit bounds the topics to which one connection may subscribe. It takes them from those of the process topicBlock at a time.
	topicLimit = 5000
	topicBlock = 8
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

// session is one connection of a client.
type session struct {
	identity
	server *server
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
	// answering is true while a request is being answered; held are the messages that wait for that.
	answering bool
	held      []*delivery
	// bytes is what the session keeps in memory: messages that wait, and numbers of those that are not acknowledged.
	bytes *limit.Bytes
	// leave releases the session's part of the connections of this process.
	leave func()
	// settled is the time until which messages wait; waiting says that sending held messages is scheduled.
	settled time.Time
	waiting bool
}

// reading is the state of a topic whose mailbox is being read.
type reading struct {
	// queued says that the topic is one of the session's unread.
	queued bool
	// newest is the sequence number of the newest message that was stored since reading began.
	newest uint64
	// arrived are such messages, at most arrivedLimit. Another connection of the client may acknowledge them, which deletes them, before they are read.
	arrived []*delivery
}

func (s *server) newSession(c *socket.Conn, who identity, leave func()) *session {
	return &session{identity: who, server: s, conn: c, leave: leave, bytes: s.memory.Hold(who.caller)}
}

// Receive answers a request, or handles an acknowledgement.
func (s *session) Receive(frame []byte) {
	s.mu.Lock()
	s.answering = true
	s.mu.Unlock()
	c := s.server.newCall(s.identity, s)
	defer c.bytes.Release()
	answer, after := s.server.answer(s.server.ctx, c, frame)
	if answer != nil {
		s.conn.SendThen(c.acknowledgeFetched(), answer)
	}
	s.answered(c.published)
	if after != nil {
		after()
	}
}

// ReceiveTooLarge answers a request that is too long.
func (s *session) ReceiveTooLarge(prefix []byte) {
	s.conn.Send(wire.AppendError(nil, wire.PeekID(prefix), wire.Payload(wire.TagPayloadSizeExceeded)))
}

// ReceiveBusy answers a request for which there is no memory.
func (s *session) ReceiveBusy(prefix []byte) {
	s.conn.Send(wire.AppendError(nil, wire.PeekID(prefix), wire.Rate()))
}

// answered sends the messages that waited for an answer, after settleTime if the client has published.
func (s *session) answered(published bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answering = false
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
func (s *session) sendLater() {
	if s.waiting {
		return
	}
	s.waiting = true
	time.AfterFunc(settleTime, func() {
		_ = routine.Call(s.server.ctx, func() error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.waiting = false
			if !s.answering {
				s.sendHeld()
			}
			return nil
		})
	})
}

// sendHeld sends held messages. The caller holds mu.
func (s *session) sendHeld() {
	for _, d := range s.held {
		s.bytes.Shrink(int64(len(d.Body)))
		s.send(d)
	}
	s.held = nil
}

// Closed removes the session from its topics.
func (s *session) Closed() {
	s.mu.Lock()
	topics, shares := s.topics, s.shares
	s.topics, s.shares, s.sent, s.held, s.read, s.unread = nil, nil, nil, nil, nil, nil
	if s.stopReading != nil {
		s.stopReading()
	}
	s.bytes.Release()
	s.mu.Unlock()
	for _, release := range shares {
		release()
	}
	s.leave()
	for topic := range topics {
		s.server.hub.detach(topic, s)
	}
}

// deliver sends a newly stored message. While a request of the client is being answered the message waits, because a
// peer's reply must not arrive before the answer to the publication that it replies to.
func (s *session) deliver(d *delivery) {
	m := d.Message
	if m.Publisher == s.publisher {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	state, subscribed := s.topics[m.Topic]
	wasRead := s.takeRead(m)
	switch {
	case !subscribed, wasRead:
	case state != nil:
		state.newest = max(state.newest, m.Sequence)
		if len(state.arrived) < arrivedLimit && s.bytes.Grow(int64(len(m.Body))) == nil {
			state.arrived = append(state.arrived, d)
		}
	case !s.sendOrHold(d, heldLimit):
		s.conn.Close(socket.StatusBehind, "too many messages wait for an answer")
	}
}

// sendOrHold sends a message, or holds it while a request is being answered. It reports false if most are held already, or there is no memory for it.
// The caller holds mu.
func (s *session) sendOrHold(d *delivery, most int) bool {
	switch {
	case !s.answering && !s.waiting && !time.Now().Before(s.settled):
		s.send(d)
		return true
	case len(s.held) < most && s.bytes.Grow(int64(len(d.Body))) == nil:
		s.held = append(s.held, d)
		if !s.answering {
			s.sendLater()
		}
		return true
	default:
		return false
	}
}

// noteRead records that a message was read from its mailbox. The client may acknowledge it before the follower delivers it too. The caller holds mu.
func (s *session) noteRead(m mailbox.Message) {
	now := s.server.clock.Now()
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
func (s *session) takeRead(m mailbox.Message) bool {
	at, known := s.read[m.Sequence]
	delete(s.read, m.Sequence)
	return known && at.Equal(m.PublishedAt)
}

// send sends a message, unless it was sent on this connection or the client acknowledged it before. The caller holds mu.
func (s *session) send(d *delivery) {
	m := d.Message
	if _, sent := s.sent[m.Sequence]; sent {
		return
	}
	if _, subscribed := s.topics[m.Topic]; !subscribed {
		return
	}
	if keepsUntilTTL(m.Tag) && s.server.seen.has(s.publisher, m.Sequence) {
		return
	}
	if len(s.sent) < unacknowledgedLimit && s.bytes.Grow(sentBytes) == nil {
		if s.sent == nil {
			s.sent = map[uint64]bool{}
		}
		s.sent[m.Sequence] = keepsUntilTTL(m.Tag)
	}
	s.conn.Send(wire.Subscription(m.Sequence, subscriptionID(m.Topic.String(), s.name)), d.rest())
	s.server.metrics.delivered(s.server.ctx, s.server.clock.Now().Sub(m.PublishedAt))
}

// acknowledge deletes a message that was sent on this connection, unless it is kept for its TTL.
func (s *session) acknowledge(sequence uint64) {
	s.mu.Lock()
	expires, sent := s.sent[sequence]
	delete(s.sent, sequence)
	s.mu.Unlock()
	if sent {
		s.bytes.Shrink(sentBytes)
		s.server.acknowledge(s.publisher, sequence, expires)
	}
}

// subscribe adds the session to a topic. Call [session.readMailboxes] for the topic afterwards.
func (s *session) subscribe(topic mailbox.Topic) *wire.Error {
	s.mu.Lock()
	if _, again := s.topics[topic]; !again && !s.takeTopic() {
		s.mu.Unlock()
		return wire.Handler(wire.TagSubscriberLimitExceeded)
	}
	if s.topics == nil {
		s.topics = map[mailbox.Topic]*reading{}
	}
	s.dropArrived(topic)
	old := s.topics[topic]
	s.topics[topic] = &reading{queued: old != nil && old.queued}
	s.mu.Unlock()
	s.server.hub.attach(topic, s)
	return nil
}

// takeTopic reports whether the session may have one more topic. The caller holds mu.
func (s *session) takeTopic() bool {
	if len(s.topics) < topicBlock*len(s.shares) {
		return true
	}
	if len(s.topics) >= topicLimit {
		return false
	}
	release, ok := s.server.local.Hold(s.server.ctx, limit.Caller{Network: s.caller.Network}, s.server.cfg.topics(), topicBlock)
	if ok {
		s.shares = append(s.shares, release)
	}
	return ok
}

// dropArrived gives up the messages that arrived while the mailbox of a topic was read. The caller holds mu.
func (s *session) dropArrived(topic mailbox.Topic) {
	if state := s.topics[topic]; state != nil {
		for _, d := range state.arrived {
			s.bytes.Shrink(int64(len(d.Body)))
		}
		state.arrived = nil
	}
}

// subscribed reports whether the session has subscribed to a topic.
func (s *session) subscribed(topic mailbox.Topic) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.topics[topic]
	return ok
}

func (s *session) unsubscribe(topic mailbox.Topic) {
	s.mu.Lock()
	s.dropArrived(topic)
	if state := s.topics[topic]; state != nil && state.queued {
		s.unread = slices.DeleteFunc(s.unread, func(t mailbox.Topic) bool { return t == topic })
	}
	delete(s.topics, topic)
	s.mu.Unlock()
	s.server.hub.detach(topic, s)
}

// subscriptionID returns the id of a subscription. Clients compute the same id.
func subscriptionID(topic, client string) string {
	sum := sha256.Sum256([]byte(topic + client))
	return hex.EncodeToString(sum[:])
}

// keepsUntilTTL reports whether messages with a tag are kept even if they are acknowledged, because a second wallet may
// scan the same code, and a deep link may be opened again.
func keepsUntilTTL(tag uint32) bool { return tag == tagSessionPropose || tag == tagSessionAuthenticate }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
