package watch

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

// given is an event that NATS delivers, which records how it was answered.
type given struct {
	jetstream.Msg
	data     []byte
	attempts uint64
	answers  []string
}

func (g *given) Data() []byte { return g.data }
func (g *given) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{NumDelivered: g.attempts}, nil
}
func (g *given) Ack() error                       { g.answers = append(g.answers, "ack"); return nil }
func (g *given) Term() error                      { g.answers = append(g.answers, "term"); return nil }
func (g *given) NakWithDelay(time.Duration) error { g.answers = append(g.answers, "later"); return nil }

// poster returns registrations whose events are posted to a webhook, and the store of the messages.
func poster(t *testing.T) (w *Watches, store *mailbox.Store, webhook string, calls chan struct{}) {
	t.Helper()
	conn, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	if store, err = mailbox.Open(t.Context(), conn, mailbox.Config{MaxBytes: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	calls = make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls <- struct{}{} }))
	t.Cleanup(server.Close)
	w, err = Open(t.Context(), conn, Config{
		Mailbox: store, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		Fetch: fetch.New(fetch.Options{Hosts: []string{"push.test"}, AllowPrivate: true}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return w, store, server.URL, calls
}

// TestAnEventWhoseMailboxIsNotReadIsPostedLater works on an event of a message that waits in its mailbox while the process stops, which ends the read
// of the mailbox.
func TestAnEventWhoseMailboxIsNotReadIsPostedLater(t *testing.T) {
	w, store, webhook, calls := poster(t)
	topic := mailbox.Topic{1}
	sequence, err := store.Publish(t.Context(), mailbox.Message{Topic: topic, Body: "m", Tag: 1}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(event{Registration: Registration{URL: webhook}, Status: Queued, Sequence: sequence, Topic: topic.String()})
	if err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	e := &given{data: data, attempts: 2}
	w.work(stopped, e)
	if len(e.answers) != 1 || e.answers[0] != "later" {
		t.Errorf("while the process stops, the event is answered with %q", e.answers)
	}
	e = &given{data: data, attempts: 3}
	w.work(t.Context(), e)
	if len(e.answers) != 1 || e.answers[0] != "ack" || len(calls) != 1 {
		t.Errorf("then the event is answered with %q, and was posted %d times", e.answers, len(calls))
	}
	if err := store.Delete(t.Context(), sequence); err != nil {
		t.Fatal(err)
	}
	e = &given{data: data, attempts: 4}
	w.work(t.Context(), e)
	if len(e.answers) != 1 || e.answers[0] != "ack" || len(calls) != 1 {
		t.Errorf("after its message was acknowledged, the event is answered with %q, and was posted %d times", e.answers, len(calls))
	}
}

func TestEventsAreStoredAndPostedAfterTheirStreamWasLost(t *testing.T) {
	w, _, webhook, calls := poster(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Post(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	r, client := registration(t)
	r.URL, r.Tags, r.Statuses = webhook, []uint32{1}, []Status{Accepted}
	if err := w.Register(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	report := func(sequence uint64) {
		t.Helper()
		w.Report(t.Context(), mailbox.Message{Sequence: sequence, Tag: 1, Publisher: client}, Accepted)
		select {
		case <-calls:
		case <-time.After(20 * time.Second):
			t.Fatalf("the event of message %d is not posted", sequence)
		}
	}
	report(1)
	if err := w.js.DeleteStream(t.Context(), streamName); err != nil {
		t.Fatal(err)
	}
	report(2)
	report(3)
}
