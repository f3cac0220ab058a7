// Package pubsub shares subscriptions to nodes of Solana.
//
// While a chain has subscriptions, it has one WebSocket to one of its nodes. Equal subscriptions share one subscription
// at the node. When the connection is lost, the next node is used: subscriptions to slots and signatures continue, and
// accounts are read again and sent. Logs and accounts of programs may have been missed, so those subscriptions end. A
// subscriber that reads too slowly is dropped.
package pubsub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// queueLength is how many messages may wait for one subscriber, and queueBytes how many bytes if they are several. hubBytes bounds those of all subscribers to
	// a chain: of more, the subscribers with most are dropped.
	queueLength = 1024
	queueBytes  = 32 << 20
	hubBytes    = 48 << 20
	// maxTopics is how many different subscriptions a chain has at its node. reservedTopics of them are for slots and signatures, which pages need to
	// send a transaction.
	maxTopics      = 4096
	reservedTopics = 1024
	// firstPause and longestPause are between attempts to connect; the pause doubles.
	firstPause   = 250 * time.Millisecond
	longestPause = 30 * time.Second
	// readTime bounds the read of an account after a lost connection.
	readTime = 10 * time.Second
)

var (
	// ErrSlow is the reason of a subscription whose messages are not read in time.
	ErrSlow = errors.New("the subscriber reads too slowly")
	// ErrLost is the reason of a subscription whose messages may have been missed because the connection to the node
	// was lost.
	ErrLost = errors.New("the connection to the node was lost")
	// ErrFull is returned if a chain already has maxTopics different subscriptions.
	ErrFull = errors.New("the chain has too many subscriptions")
	// ErrDone is the reason of a subscription to a signature that ended after its message.
	ErrDone = errors.New("the transaction was carried out")
)

// Read sends one JSON-RPC request to the chain's nodes over HTTP.
type Read func(ctx context.Context, body []byte) ([]byte, error)

// Hub is the subscriptions to one chain. It is safe for concurrent use.
type Hub struct {
	urls []string
	read Read
	log  *slog.Logger

	mu    sync.Mutex
	feeds map[Topic]*feed
	// lasting counts the feeds whose topics are not brief.
	lasting int
	// queued is at least how many bytes wait for subscribers: what was read since the last message of a subscriber still counts.
	queued int
	// changed receives a value when feeds changed.
	changed chan struct{}
}

// feed is one subscription at the node, and its subscribers.
type feed struct {
	topic       Topic
	subscribers map[*Subscription]struct{}
	// begun is closed when a node has accepted the subscription for the first time.
	begun    chan struct{}
	accepted bool
	// slot is the slot of the newest message about an account.
	slot uint64
}

// New returns the hub of a chain. nodes are the HTTP URLs of its nodes, the preferred first; their WebSockets are at
// the same addresses. [Hub.Run] connects.
func New(nodes []string, read Read, log *slog.Logger) *Hub {
	h := &Hub{read: read, log: log, feeds: map[Topic]*feed{}, changed: make(chan struct{}, 1)}
	for _, url := range nodes {
		// http becomes ws, and https wss.
		h.urls = append(h.urls, "ws"+strings.TrimPrefix(url, "http"))
	}
	return h
}

// Subscription delivers the results of notifications.
type Subscription struct {
	hub      *Hub
	feed     *feed
	messages chan []byte
	// sizes are the sizes of the messages that were queued last, of which those in messages are the newest.
	sizes []int
	// queued is their sum.
	queued int
	// ended is closed when no more messages come. reason is then set.
	ended  chan struct{}
	reason error
}

// Messages delivers the results of notifications as JSON.
func (s *Subscription) Messages() <-chan []byte { return s.messages }

// Ended is closed when no more messages come before Close. Messages that were queued before are still delivered.
func (s *Subscription) Ended() <-chan struct{} { return s.ended }

// Reason returns why the subscription ended, after Ended is closed.
func (s *Subscription) Reason() error { return s.reason }

// Subscribe returns a subscription once a node has accepted it. Close it when it is not needed any more. The error is [ErrFull], the refusal of the
// node, or that of the context.
func (h *Hub) Subscribe(ctx context.Context, t Topic) (*Subscription, error) {
	s, err := h.enter(t)
	if err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// begin waits until a node has accepted the subscription.
func (s *Subscription) begin(ctx context.Context) error {
	select {
	case <-s.feed.begun:
	case <-s.ended:
	case <-ctx.Done():
		s.Close()
		return ctx.Err()
	}
	// An accepted subscription may have ended already, as one to a signature does after its message.
	select {
	case <-s.feed.begun:
		return nil
	default:
		return s.reason
	}
}

func (h *Hub) enter(t Topic) (*Subscription, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.feeds[t]
	if f == nil {
		if len(h.feeds) >= maxTopics || !t.isBrief() && h.lasting >= maxTopics-reservedTopics {
			return nil, ErrFull
		}
		if !t.isBrief() {
			h.lasting++
		}
		f = &feed{topic: t, subscribers: map[*Subscription]struct{}{}, begun: make(chan struct{})}
		h.feeds[t] = f
		h.wake()
	}
	s := &Subscription{hub: h, feed: f, messages: make(chan []byte, queueLength), ended: make(chan struct{})}
	f.subscribers[s] = struct{}{}
	return s, nil
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	s.hub.leave(s)
}

// leave removes a subscriber, and its feed with the last one. The lock is held.
func (h *Hub) leave(s *Subscription) {
	delete(s.feed.subscribers, s)
	h.queued -= s.queued
	s.queued = 0
	if len(s.feed.subscribers) == 0 && h.feeds[s.feed.topic] == s.feed {
		delete(h.feeds, s.feed.topic)
		if !s.feed.topic.isBrief() {
			h.lasting--
		}
		h.wake()
	}
}

// wake makes the connection check the feeds.
func (h *Hub) wake() {
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// end ends every subscriber of a feed. The lock is held.
func (h *Hub) end(f *feed, reason error) {
	for s := range f.subscribers {
		s.reason = reason
		close(s.ended)
		h.leave(s)
	}
}

// accept records that a node has the subscription.
func (h *Hub) accept(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !f.accepted {
		f.accepted = true
		close(f.begun)
	}
}

// fail ends a feed.
func (h *Hub) fail(f *feed, reason error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(f, reason)
}

// deliver queues a message for each subscriber of a feed, and drops subscribers that read too slowly. A message about an
// account that is older than an earlier one is dropped, because another node may be behind.
func (h *Hub) deliver(f *feed, result json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.topic.method == methodAccount {
		var read struct{ Context struct{ Slot uint64 } }
		if json.Unmarshal(result, &read) != nil || read.Context.Slot < f.slot {
			return
		}
		f.slot = read.Context.Slot
	}
	for s := range f.subscribers {
		if !s.queue(result) {
			h.drop(s)
		}
	}
	h.shed(f)
	if f.topic.method == methodSignature {
		h.end(f, ErrDone)
	}
}

// drop ends a subscription that is read too slowly. The lock is held.
func (h *Hub) drop(s *Subscription) {
	s.reason = ErrSlow
	close(s.ended)
	h.leave(s)
}

// shed drops the subscribers with most bytes until there are no more than hubBytes, after a message of a feed. Those for which only that one waits share it.
// The lock is held.
func (h *Hub) shed(latest *feed) {
	if h.queued <= hubBytes {
		return
	}
	var slow []*Subscription
	for _, f := range h.feeds {
		for s := range f.subscribers {
			if s.count(); len(s.sizes) > 1 || len(s.sizes) == 1 && f != latest {
				slow = append(slow, s)
			}
		}
	}
	slices.SortFunc(slow, func(a, b *Subscription) int { return cmp.Compare(b.queued, a.queued) })
	for _, s := range slow {
		if h.queued <= hubBytes {
			return
		}
		h.drop(s)
	}
}

// count counts what is queued: readers take the oldest. The hub's lock is held.
func (s *Subscription) count() {
	s.sizes = s.sizes[max(0, len(s.sizes)-len(s.messages)):]
	queued := 0
	for _, size := range s.sizes {
		queued += size
	}
	s.hub.queued += queued - s.queued
	s.queued = queued
}

// queue queues a message, and reports false if too much is queued already. The hub's lock is held.
func (s *Subscription) queue(message []byte) bool {
	s.count()
	if len(s.sizes) > 0 && s.queued+len(message) > queueBytes {
		return false
	}
	select {
	case s.messages <- message:
		s.sizes = append(s.sizes, len(message))
		s.queued += len(message)
		s.hub.queued += len(message)
		return true
	default:
		return false
	}
}

// wanted returns the current feeds.
func (h *Hub) wanted() map[Topic]*feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make(map[Topic]*feed, len(h.feeds))
	for t, f := range h.feeds {
		all[t] = f
	}
	return all
}

// endMissed ends the feeds of which messages may have been missed while there was no connection.
func (h *Hub) endMissed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.feeds {
		if f.accepted && (f.topic.method == methodLogs || f.topic.method == methodProgram) {
			h.end(f, ErrLost)
		}
	}
}

// Run connects while something is subscribed, until ctx ends.
func (h *Hub) Run(ctx context.Context) error {
	pause := firstPause
	for next := 0; ; {
		if len(h.wanted()) == 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-h.changed:
			}
			continue
		}
		connected, err := h.connect(ctx, h.urls[next%len(h.urls)])
		h.endMissed()
		if connected {
			pause = firstPause
		}
		if err == nil {
			continue
		}
		// The URL may contain a key, so it is not logged.
		h.log.DebugContext(ctx, "the connection for subscriptions was lost", "node", next%len(h.urls), "connected", connected)
		next++
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		if !connected {
			pause = min(longestPause, 2*pause)
		}
	}
}

// connect subscribes at one node until there are no more subscriptions, which is not an error, or the connection ends.
// It reports whether the connection was established.
func (h *Hub) connect(ctx context.Context, url string) (connected bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, err := dial(ctx, url)
	if err != nil {
		return false, err
	}
	defer c.close()
	var readers routine.WaitGroup
	defer readers.Wait()
	defer cancel()
	s := &session{hub: h, conn: c, pending: map[uint64]request{}, feeds: map[uint64]*feed{}, requested: map[Topic]*feed{}, readers: &readers}
	return true, s.run(ctx)
}
