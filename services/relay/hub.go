package relay

import (
	"cmp"
	"context"
	"hash/maphash"
	"net/netip"
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

const (
	// hubShards is how many parts the topics have; the messages of each part are delivered by one goroutine.
	hubShards = 8
	// shardQueue is how many messages wait for a part.
	shardQueue = 4
	// topicSessions bounds the sessions of this process that receive the messages of a topic: a topic has two parties, and each of them may have several
	// tabs.
	topicSessions = 32
)

// hub holds the sessions of this process by topic. Its zero value is not usable: see newHub.
type hub struct {
	seed   maphash.Seed
	shards [hubShards]shard
}

// shard is the part of a hub that has every topic with the same hash. Callers cannot choose topics of one shard, because
// the seed of the hash is random.
type shard struct {
	queue chan mailbox.Message

	mu     sync.RWMutex
	topics map[mailbox.Topic][]*session
}

func newHub() *hub {
	h := &hub{seed: maphash.MakeSeed()}
	for i := range h.shards {
		h.shards[i] = shard{queue: make(chan mailbox.Message, shardQueue), topics: map[mailbox.Topic][]*session{}}
	}
	return h
}

func (h *hub) shard(topic mailbox.Topic) *shard {
	return &h.shards[maphash.Comparable(h.seed, topic)%hubShards]
}

// attach adds a session to a topic. If it is attached already, it does nothing. Beyond topicSessions a session of the
// network that has most is detached, so that one who knows a topic cannot take it from the others: the oldest of the client that has most there, so that
// the tabs of a page do not take it from a wallet behind the same address. It is not
// disconnected, because clients that are disconnected connect again and take the next one's place: [call.publish] attaches it again.
func (h *hub) attach(topic mailbox.Topic, s *session) {
	p := h.shard(topic)
	p.mu.Lock()
	defer p.mu.Unlock()
	// The list is replaced, because `of` returns it without a copy.
	old := p.topics[topic]
	if slices.Contains(old, s) {
		return
	}
	sessions := slices.Concat(old, []*session{s})
	if len(sessions) > topicSessions {
		i := surplus(sessions)
		sessions = slices.Delete(sessions, i, i+1)
	}
	p.topics[topic] = sessions
}

// surplus returns the index of the oldest session of the client that has most in the network that has most.
func surplus(sessions []*session) int {
	type client struct {
		network   netip.Prefix
		publisher mailbox.Publisher
	}
	of := func(s *session) client { return client{s.caller.Network, s.publisher} }
	networks, clients := map[netip.Prefix]int{}, map[client]int{}
	for _, s := range sessions {
		networks[s.caller.Network]++
	}
	network := slices.MaxFunc(sessions, func(a, b *session) int { return cmp.Compare(networks[a.caller.Network], networks[b.caller.Network]) }).caller.Network
	for _, s := range sessions {
		if s.caller.Network == network {
			clients[of(s)]++
		}
	}
	// MaxFunc returns the first of several, the oldest.
	return slices.Index(sessions, slices.MaxFunc(sessions, func(a, b *session) int { return cmp.Compare(clients[of(a)], clients[of(b)]) }))
}

// detach removes a session from a topic.
func (h *hub) detach(topic mailbox.Topic, s *session) {
	p := h.shard(topic)
	p.mu.Lock()
	defer p.mu.Unlock()
	var rest []*session
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

// of returns the sessions of a topic. The list must not be changed.
func (h *hub) of(topic mailbox.Topic) []*session {
	p := h.shard(topic)
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.topics[topic]
}

// dispatch passes a message on to the shard of its topic.
func (s *server) dispatch(m mailbox.Message) {
	select {
	case s.hub.shard(m.Topic).queue <- m:
	case <-s.ctx.Done():
	}
}

// deliverAll delivers the messages of a shard until ctx ends.
func (s *server) deliverAll(ctx context.Context, p *shard) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-p.queue:
			s.deliver(m)
		}
	}
}

// deliver sends a stored message to every session of its topic in this process.
func (s *server) deliver(m mailbox.Message) {
	sessions := s.hub.of(m.Topic)
	if len(sessions) == 0 {
		return
	}
	d := newDelivery(m)
	for _, to := range sessions {
		to.deliver(d)
	}
}

// delivery is a message for sessions, which share the bytes of its frame.
type delivery struct {
	mailbox.Message
	// rest returns the frame without its start, encoded by the first call.
	rest func() []byte
}

func newDelivery(m mailbox.Message) *delivery {
	return &delivery{m, sync.OnceValue(func() []byte {
		return wire.DeliveryRest(wire.Delivery{
			Topic: m.Topic.String(), Message: m.Body, PublishedAt: m.PublishedAt.UnixMilli(), Tag: m.Tag, Attestation: m.Attestation,
		})
	})}
}
