package mailbox

import (
	"context"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// filterBits is the size of a filter, 1 MiB. With 500,000 topics it takes one of 500 others for one of them.
	filterBits = 1 << 23
	// filterHashes is how many bits a topic sets.
	filterHashes = 4
	// staleAdditions is after how many added topics a filter is made again, because messages are deleted and topics stay in it.
	staleAdditions = 250_000
	// listPause is the pause between two checks whether to make it again.
	listPause = 10 * time.Second
	// listTimeout bounds the reading of all topics.
	listTimeout = 5 * time.Minute
)

// filter is a Bloom filter of topics: it has every topic that was added, and few others.
type filter struct {
	bits  []uint64
	added int
}

func newFilter() *filter { return &filter{bits: make([]uint64, filterBits/64)} }

func (f *filter) add(hash uint64) {
	isNew := false
	for i := range uint64(filterHashes) {
		word, bit := position(hash, i)
		isNew = isNew || f.bits[word]&bit == 0
		f.bits[word] |= bit
	}
	if isNew {
		f.added++
	}
}

func (f *filter) has(hash uint64) bool {
	for i := range uint64(filterHashes) {
		if word, bit := position(hash, i); f.bits[word]&bit == 0 {
			return false
		}
	}
	return true
}

// position returns the bit of the nth hash of a topic.
func position(hash, n uint64) (word int, bit uint64) {
	at := (hash + n*(hash>>32|1)) % filterBits
	return int(at / 64), 1 << (at % 64)
}

// topics knows which topics may have messages, so that an empty mailbox is not read. Most are empty when a client subscribes again. It is safe for
// concurrent use.
type topics struct {
	seed maphash.Seed

	mu sync.RWMutex
	// now is nil until all topics were listed; next is being made from a list, and nil else.
	now, next *filter
}

func newTopics() *topics { return &topics{seed: maphash.MakeSeed()} }

func (t *topics) add(topic Topic) {
	hash := maphash.Comparable(t.seed, topic)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range []*filter{t.now, t.next} {
		if f != nil {
			f.add(hash)
		}
	}
}

// mayHave reports whether a topic was added, or may have been.
func (t *topics) mayHave(topic Topic) bool {
	hash := maphash.Comparable(t.seed, topic)
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.now == nil || t.now.has(hash)
}

// isStale reports whether the topics are to be listed.
func (t *topics) isStale() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.now == nil || t.now.added >= staleAdditions
}

// begin begins a list. Topics that are added from now on are in it.
func (t *topics) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next = newFilter()
}

// end makes the list the known topics, or gives it up.
func (t *topics) end(listed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if listed {
		t.now = t.next
		// Another list is due after as many topics again.
		t.now.added = 0
	}
	t.next = nil
}

// MayHave reports whether the mailbox of a topic may have messages that a [Follower] of this store has received. A message that it receives later is not
// known yet, so the caller has to be among those to whom the follower's messages go.
func (s *Store) MayHave(topic Topic) bool { return s.topics.mayHave(topic) }

// ListTopics lists the topics with messages for [Store.MayHave], and again when many were added, until ctx ends. Until the first list is complete, each topic
// may have messages.
func (s *Store) ListTopics(ctx context.Context) error {
	for ctx.Err() == nil {
		pause := listPause
		if s.topics.isStale() {
			if err := s.listTopics(ctx); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "relay: the topics are not listed", "error", err)
				pause = retryPause
			}
		}
		s.pause(ctx, pause)
	}
	return nil
}

// listTopics reads the headers of all stored messages, which have the topics.
func (s *Store) listTopics(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	s.topics.begin()
	defer func() { s.topics.end(err == nil) }()
	for _, one := range s.all() {
		if err := one.readHeaders(ctx, func(msg jetstream.Msg) {
			if topic, ok := topicOfSubject(msg.Subject()); ok {
				s.topics.add(topic)
			}
		}); err != nil && !one.isGone(err) {
			return err
		}
	}
	return nil
}
