package relay

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
	"github.com/hawser-dev/hawser/services/relay/watch"
)

// A relay that no longer delivers must end, so that it is started again, and not keep its connections.
func TestARelayWhoseDeliveryFailsEnds(t *testing.T) {
	b := bustest.Embedded(t)
	conn, err := b.Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := mailbox.Open(t.Context(), conn, mailbox.Config{MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	follower, err := store.Follow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	deps := Deps{Bus: b, Projects: projects{}, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}
	watches, err := watch.Open(t.Context(), conn, watch.Config{Mailbox: store, Clock: deps.Clock, Log: deps.Log})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(Config{}, deps, store, watches)
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

// Under load a message may arrive from NATS after it was read from its mailbox, delivered and acknowledged.
func TestAMessageThatWasReadFromItsMailboxIsNotDeliveredAgain(t *testing.T) {
	b := bustest.Embedded(t)
	conn, err := b.Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := mailbox.Open(t.Context(), conn, mailbox.Config{MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	deps := Deps{Bus: b, Projects: projects{}, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}
	watches, err := watch.Open(t.Context(), conn, watch.Config{Mailbox: store, Clock: deps.Clock, Log: deps.Log})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(DefaultConfig(), deps, store, watches)
	web := httptest.NewServer(s.handler())
	t.Cleanup(func() { s.stop(); web.Close() })
	wallet := relaytest.Dial(t, strings.Replace(web.URL, "http://", "ws://", 1), relaytest.Options{})
	t.Cleanup(wallet.Close)
	text := relaytest.Topic()
	topic, _ := mailbox.ParseTopic(text)
	publish := func(body string) mailbox.Message {
		t.Helper()
		sequence, err := store.Publish(t.Context(), mailbox.Message{Topic: topic, Body: body, Tag: 1}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		m, found, err := store.Next(t.Context(), topic, sequence)
		if err != nil || !found {
			t.Fatalf("%t, %v", found, err)
		}
		return m
	}
	first := publish("first")
	wallet.Subscribe(t, text)
	if d := wallet.Next(t); d.Data.Message != "first" {
		t.Fatalf("the wallet got %+v", d)
	}
	for deadline := time.Now().Add(20 * time.Second); len(s.deletes) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the message is not acknowledged")
		}
	}
	s.deliver(first)
	s.deliver(publish("second"))
	if d := wallet.Next(t); d.Data.Message != "second" {
		t.Errorf("the wallet got %q again", d.Data.Message)
	}
}
