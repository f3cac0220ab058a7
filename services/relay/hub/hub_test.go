package hub

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/session"
)

func TestATopicHasFewSessionsAndNetworksShareThem(t *testing.T) {
	h := New()
	topic := mailbox.Topic{1}
	at := func(network string) *session.Session {
		s := &session.Session{}
		s.Caller = limit.Caller{Network: netip.MustParsePrefix(network)}
		h.Attach(topic, s)
		return s
	}
	page := at("192.0.2.1/32")
	var greedy []*session.Session
	for range 2 * TopicSessions {
		greedy = append(greedy, at("192.0.2.2/32"))
	}
	wallet := at("192.0.2.3/32")
	sessions := h.Of(topic)
	if len(sessions) != TopicSessions {
		t.Errorf("the topic has %d sessions, want %d", len(sessions), TopicSessions)
	}
	if !slices.Contains(sessions, page) || !slices.Contains(sessions, wallet) {
		t.Error("one network took the places of others")
	}
	if !slices.Contains(sessions, greedy[len(greedy)-1]) || slices.Contains(sessions, greedy[0]) {
		t.Error("the newest session of a network has to stay, and the oldest to go")
	}
}

// A server is given a /48, which has 65,536 networks.
func TestTheNetworksOfASiteDoNotDetachOthers(t *testing.T) {
	h := New()
	topic := mailbox.Topic{1}
	attach := func(address string) *session.Session {
		s := &session.Session{}
		s.Caller = limit.CallerOf("p", address)
		h.Attach(topic, s)
		return s
	}
	page, wallet := attach("192.0.2.1"), attach("2001:db8:1::1")
	for i := range 2 * TopicSessions {
		attach(fmt.Sprintf("2001:db8:2:%x::1", i))
	}
	sessions := h.Of(topic)
	if len(sessions) != TopicSessions || !slices.Contains(sessions, page) || !slices.Contains(sessions, wallet) {
		t.Errorf("%d sessions, with the page: %t, with the wallet: %t", len(sessions), slices.Contains(sessions, page), slices.Contains(sessions, wallet))
	}
}

// A page that loses its connections opens many at once. The wallet has one, which is older, and the same address.
func TestTabsOfAPageDoNotDetachTheWalletBesideThem(t *testing.T) {
	h := New()
	topic := mailbox.Topic{1}
	attach := func(client string) *session.Session {
		s := &session.Session{}
		s.Caller, s.Publisher = limit.CallerOf("p", "192.0.2.1"), mailbox.PublisherOf(client)
		h.Attach(topic, s)
		return s
	}
	wallet := attach("wallet")
	var tabs []*session.Session
	for range 2 * TopicSessions {
		tabs = append(tabs, attach("page"))
	}
	sessions := h.Of(topic)
	if len(sessions) != TopicSessions || !slices.Contains(sessions, wallet) {
		t.Errorf("%d sessions, with the wallet: %t", len(sessions), slices.Contains(sessions, wallet))
	}
	if !slices.Contains(sessions, tabs[len(tabs)-1]) || slices.Contains(sessions, tabs[0]) {
		t.Error("the newest tab has to stay, and the oldest to go")
	}
}
