// Package hub delivers stored messages to the sessions of this process that have subscribed to their topics.
package hub

import (
	"cmp"
	"context"
	"hash/maphash"
	"net/netip"
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/session"
)

const (
	// shards is how many parts the topics have; the messages of each part are delivered by one goroutine.
	shards = 8
	// shardQueue is how many messages wait for a part.
	shardQueue = 4
	// TopicSessions bounds the sessions of this process that receive the messages of a topic: a topic has two parties, and each of them may have several
	// tabs.
	TopicSessions = 32
)

// Hub holds the sessions of this process by topic. Its zero value is not usable: see [New]. It is safe for concurrent use.
type Hub struct {
	seed   maphash.Seed
	shards [shards]shard
}

// shard is the part of a hub that has every topic with the same hash. Callers cannot choose topics of one shard, because
// the seed of the hash is random.
type shard struct {
	queue chan mailbox.Message

	mu     sync.RWMutex
	topics map[mailbox.Topic][]*session.Session
}

// New returns a hub without sessions.
func New() *Hub {
	h := &Hub{seed: maphash.MakeSeed()}
	for i := range h.shards {
		h.shards[i] = shard{queue: make(chan mailbox.Message, shardQueue), topics: map[mailbox.Topic][]*session.Session{}}
	}
	return h
}

func (h *Hub) shard(topic mailbox.Topic) *shard {
	return &h.shards[maphash.Comparable(h.seed, topic)%shards]
}

// Attach adds a session to a topic, or does nothing if it is attached already. Beyond [TopicSessions], it detaches the session that [surplus] selects: of
// the site that has most, so that one who knows a topic cannot take it from the others, and there of the client that has most, so that the tabs of a
// page do not take it from a wallet behind the same address. That session is not disconnected, because clients that are disconnected connect again and
// take the next one's place; it is attached again when it publishes.
func (h *Hub) Attach(topic mailbox.Topic, s *session.Session) {
	p := h.shard(topic)
	p.mu.Lock()
	defer p.mu.Unlock()
	// The list is replaced, because Of returns it without a copy.
	old := p.topics[topic]
	if slices.Contains(old, s) {
		return
	}
	sessions := slices.Concat(old, []*session.Session{s})
	if len(sessions) > TopicSessions {
		i := surplus(sessions)
		sessions = slices.Delete(sessions, i, i+1)
	}
	p.topics[topic] = sessions
}

// surplus returns the index of the oldest session of the client that has most in the site that has most.
func surplus(sessions []*session.Session) int {
	type client struct {
		network   netip.Prefix
		publisher mailbox.Publisher
	}
	of := func(s *session.Session) client { return client{s.Caller.Site(), s.Publisher} }
	networks, clients := map[netip.Prefix]int{}, map[client]int{}
	for _, s := range sessions {
		networks[s.Caller.Site()]++
	}
	network := slices.MaxFunc(sessions, func(a, b *session.Session) int {
		return cmp.Compare(networks[a.Caller.Site()], networks[b.Caller.Site()])
	}).Caller.Site()
	for _, s := range sessions {
		if s.Caller.Site() == network {
			clients[of(s)]++
		}
	}
	// MaxFunc returns the first of several, the oldest.
	return slices.Index(sessions, slices.MaxFunc(sessions, func(a, b *session.Session) int { return cmp.Compare(clients[of(a)], clients[of(b)]) }))
}

// Detach removes a session from a topic.
func (h *Hub) Detach(topic mailbox.Topic, s *session.Session) {
	p := h.shard(topic)
	p.mu.Lock()
	defer p.mu.Unlock()
	var rest []*session.Session
	for _, other := range p.topics[topic] {
		if other != s {
			rest = append(rest, other)
		}
	}
	if rest == nil {
		delete(p.topics, topic)
		return
	}
	p.topics[topic] = rest
}

// Of returns the sessions of a topic. The list must not be changed.
func (h *Hub) Of(topic mailbox.Topic) []*session.Session {
	p := h.shard(topic)
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.topics[topic]
}

// Dispatch passes a message on to the shard of its topic. It waits while the shard has many, until ctx ends.
func (h *Hub) Dispatch(ctx context.Context, m mailbox.Message) {
	select {
	case h.shard(m.Topic).queue <- m:
	case <-ctx.Done():
	}
}

// Run delivers the messages of all shards until ctx ends.
func (h *Hub) Run(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	for i := range h.shards {
		g.Go(func() error { h.deliverAll(ctx, &h.shards[i]); return nil })
	}
	return g.Wait()
}

// deliverAll delivers the messages of a shard until ctx ends.
func (h *Hub) deliverAll(ctx context.Context, p *shard) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-p.queue:
			h.deliver(m)
		}
	}
}

// deliver sends a stored message to every session of its topic in this process.
func (h *Hub) deliver(m mailbox.Message) {
	sessions := h.Of(m.Topic)
	if len(sessions) == 0 {
		return
	}
	d := session.NewDelivery(m)
	for _, to := range sessions {
		to.Deliver(d)
	}
}
