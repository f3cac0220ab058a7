package relay

import (
	"sync"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

// hub holds the sessions of this process by topic.
type hub struct {
	mu     sync.RWMutex
	topics map[mailbox.Topic][]*session
}

// attach adds a session to a topic. If it is attached already, it does nothing.
func (h *hub) attach(topic mailbox.Topic, s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.topics == nil {
		h.topics = map[mailbox.Topic][]*session{}
	}
	for _, other := range h.topics[topic] {
		if other == s {
			return
		}
	}
	// The list is replaced, because `of` returns it without a copy.
	old := h.topics[topic]
	h.topics[topic] = append(old[:len(old):len(old)], s)
}

// detach removes a session from a topic.
func (h *hub) detach(topic mailbox.Topic, s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var rest []*session
	for _, other := range h.topics[topic] {
		if other != s {
			rest = append(rest, other)
		}
	}
	if rest == nil {
		delete(h.topics, topic)
		return
	}
	h.topics[topic] = rest
}

// of returns the sessions of a topic. The list must not be changed.
func (h *hub) of(topic mailbox.Topic) []*session {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.topics[topic]
}

// deliver sends a stored message to every session of its topic in this process.
func (s *server) deliver(m mailbox.Message) {
	for _, to := range s.hub.of(m.Topic) {
		to.deliver(m)
	}
}
