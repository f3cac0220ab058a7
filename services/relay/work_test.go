package relay

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

// A relay that no longer delivers must end, so that it is started again, and not keep its connections.
func TestARelayWhoseDeliveryFailsEnds(t *testing.T) {
	b := bustest.Embedded(t)
	conn, err := b.Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := mailbox.Open(t.Context(), conn, mailbox.Config{MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	follower, err := store.Follow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	deps := Deps{Bus: b, Projects: projects{}, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}
	s := newServer(Config{}, deps, store)
	topic := mailbox.Topic{1}
	s.hub.attach(topic, nil) // delivering to it panics
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.work(ctx, follower) }()
	if _, err := store.Publish(t.Context(), mailbox.Message{Topic: topic, Body: "text"}, time.Minute); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it ended without an error")
		}
	case <-time.After(10 * time.Second):
		t.Error("it runs, and delivers nothing")
	}
	cancel()
}

// mailboxRelay is a relay without a follower: the test delivers messages itself.
type mailboxRelay struct {
	*server
	wallet *relaytest.Client
	topic  mailbox.Topic
	text   string
}

func newMailboxRelay(t *testing.T, change ...func(*Config)) mailboxRelay {
	t.Helper()
	cfg := DefaultConfig()
	for _, c := range change {
		c(&cfg)
	}
	b := bustest.Embedded(t)
	conn, err := b.Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := mailbox.Open(t.Context(), conn, mailbox.Config{MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	deps := Deps{Bus: b, Projects: projects{}, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}
	s := newServer(cfg, deps, store)
	web := httptest.NewServer(s.handler())
	t.Cleanup(func() { s.stop(); web.Close() })
	r := mailboxRelay{server: s, wallet: relaytest.Dial(t, strings.Replace(web.URL, "http://", "ws://", 1), relaytest.Options{}), text: relaytest.Topic()}
	t.Cleanup(r.wallet.Close)
	r.topic, _ = mailbox.ParseTopic(r.text)
	return r
}

// publish stores a message and returns it as the follower would.
func (r mailboxRelay) publish(t *testing.T, body string) mailbox.Message {
	t.Helper()
	sequence, err := r.store.Publish(t.Context(), mailbox.Message{Topic: r.topic, Body: body, Tag: 1}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	m, found, err := r.store.Next(t.Context(), r.topic, sequence)
	if err != nil || !found {
		t.Fatalf("%t, %v", found, err)
	}
	return m
}

// Under load a message may arrive from NATS after it was read from its mailbox, delivered and acknowledged.
func TestAMessageThatWasReadFromItsMailboxIsNotDeliveredAgain(t *testing.T) {
	r := newMailboxRelay(t)
	first := r.publish(t, "first")
	r.wallet.Subscribe(t, r.text)
	if d := r.wallet.Next(t); d.Data.Message != "first" {
		t.Fatalf("the wallet got %+v", d)
	}
	for deadline := time.Now().Add(20 * time.Second); len(r.deletes) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the message is not acknowledged")
		}
	}
	r.deliver(first)
	r.deliver(r.publish(t, "second"))
	if d := r.wallet.Next(t); d.Data.Message != "second" {
		t.Errorf("the wallet got %q again", d.Data.Message)
	}
}

// awaitRead returns when the mailbox of a subscribed topic was read.
func (s *session) awaitRead(t *testing.T, topic mailbox.Topic) {
	t.Helper()
	isRead := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.topics[topic] == nil
	}
	for deadline := time.Now().Add(20 * time.Second); !isRead(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the mailbox is not read")
		}
	}
}

// Another tab of the client may acknowledge a message, which deletes it, while this one's mailbox is still being read.
func TestAMessageThatArrivesWhileTheMailboxIsReadIsDelivered(t *testing.T) {
	r := newMailboxRelay(t)
	r.wallet.Subscribe(t, r.text)
	s := r.hub.of(r.topic)[0]
	s.awaitRead(t, r.topic)
	if failure := s.subscribe(r.topic); failure != nil {
		t.Fatal(failure)
	}
	first, second := r.publish(t, "first"), r.publish(t, "second")
	r.deliver(first)
	if err := r.store.Delete(t.Context(), first.Sequence); err != nil {
		t.Fatal(err)
	}
	r.deliver(second)
	s.readMailbox(t.Context(), r.topic)
	r.deliver(r.publish(t, "third"))
	var got []string
	for range 3 {
		got = append(got, r.wallet.Next(t).Data.Message)
	}
	if !slices.Equal(got, []string{"first", "second", "third"}) {
		t.Errorf("the wallet got %q", got)
	}
}

// A client may subscribe to more messages than its rate allows to read at once.
func TestAcknowledgementsAreReceivedWhileAMailboxWaitsForTheRate(t *testing.T) {
	r := newMailboxRelay(t, func(c *Config) { c.RequestsPerSecond, c.Burst = 0.001, 3 })
	for i := range 5 {
		r.publish(t, fmt.Sprint(i))
	}
	// The request takes one of three, and all reads but the first one each.
	const delivered = 3
	r.wallet.Subscribe(t, r.text)
	for range delivered {
		r.wallet.Next(t)
	}
	for deadline := time.Now().Add(20 * time.Second); len(r.deletes) < delivered; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d messages are acknowledged, want %d", len(r.deletes), delivered)
		}
	}
	r.wallet.Close()
	r.readers.Wait()
}

// A client may repeat subscriptions while their mailboxes wait to be read, and end them.
func TestEachMailboxWaitsOnceToBeRead(t *testing.T) {
	r := newMailboxRelay(t, func(c *Config) { c.RequestsPerSecond, c.Burst = 0.001, 1 })
	r.publish(t, "first")
	r.wallet.Subscribe(t, r.text)
	r.wallet.Next(t)
	s := r.hub.of(r.topic)[0]
	topics := []mailbox.Topic{r.topic, {1}, {2}, {3}}
	for range 3 {
		for _, topic := range topics {
			if failure := s.subscribe(topic); failure != nil {
				t.Fatal(failure)
			}
		}
		s.readMailboxes(topics)
	}
	waiting := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.unread)
	}
	if n := waiting(); n != len(topics) {
		t.Errorf("%d mailboxes wait, want %d", n, len(topics))
	}
	for _, topic := range topics {
		s.unsubscribe(topic)
	}
	if n := waiting(); n != 0 {
		t.Errorf("%d mailboxes wait without a subscription", n)
	}
}

// A subscription that is repeated while its mailbox is being read makes it be read again.
func TestAMailboxIsReadAgainForARepeatedSubscription(t *testing.T) {
	r := newMailboxRelay(t)
	r.wallet.Subscribe(t, r.text)
	s := r.hub.of(r.topic)[0]
	s.awaitRead(t, r.topic)
	for range 200 {
		if failure := s.subscribe(r.topic); failure != nil {
			t.Fatal(failure)
		}
		s.readMailboxes([]mailbox.Topic{r.topic})
	}
	r.readers.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if state, subscribed := s.topics[r.topic]; !subscribed || state != nil || s.stopReading != nil {
		t.Errorf("after all was read: subscribed %t, %+v", subscribed, state)
	}
}
