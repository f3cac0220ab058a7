package bustest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
)

// patience is how long an event may take before it counts as lost.
const patience = 20 * time.Second

// Run runs the conformance suite. Each call of open returns another connection to the same server.
func Run(t *testing.T, open func(t testing.TB) *bus.Bus) {
	t.Run("each reader without a name receives every event, in order", func(t *testing.T) {
		publisher, here, there := open(t), open(t), open(t)
		first, second := listen(t, here, bus.SubscribeOptions{}), listen(t, there, bus.SubscribeOptions{})
		sent := publish(t, publisher, "all", 20)
		first.want(t, sent)
		second.want(t, sent)
	})

	t.Run("a reader without a name does not receive earlier events", func(t *testing.T) {
		b := open(t)
		publish(t, b, "before", 3)
		late := listen(t, b, bus.SubscribeOptions{})
		late.want(t, publish(t, b, "after", 3))
	})

	t.Run("readers of one name share the events", func(t *testing.T) {
		first, second := open(t), open(t)
		shared := &received{}
		for _, b := range []*bus.Bus{first, second} {
			subscribe(t, t.Context(), b, bus.SubscribeOptions{Durable: "shares"}, shared.add)
		}
		sent := publish(t, first, "shared", 40)
		shared.wantAtLeast(t, sent)
		for _, id := range sent {
			if n := shared.times(id); n != 1 {
				t.Errorf("%s handled %d times", id, n)
			}
		}
	})

	t.Run("a reader with a name receives events that were published while it was disconnected", func(t *testing.T) {
		b := open(t)
		ctx, leave := context.WithCancel(t.Context())
		before := &received{}
		subscribe(t, ctx, b, bus.SubscribeOptions{Durable: "away"}, before.add)
		before.wantAtLeast(t, publish(t, b, "present", 2))
		leave()
		missed := publish(t, b, "missed", 5)
		after := &received{}
		subscribe(t, t.Context(), open(t), bus.SubscribeOptions{Durable: "away"}, after.add)
		after.wantAtLeast(t, missed)
	})

	t.Run("a failed event is redelivered, also after a panic", func(t *testing.T) {
		b := open(t)
		h := &received{}
		retries := []time.Duration{time.Millisecond, time.Millisecond}
		subscribe(t, t.Context(), b, bus.SubscribeOptions{Durable: "again", Retries: retries}, func(ctx context.Context, e *projectsv1.ProjectChanged) error {
			_ = h.add(ctx, e)
			switch {
			case e.GetId() == "fails-once-0" && h.times(e.GetId()) == 1:
				return errors.New("not now")
			case e.GetId() == "panics-once-0" && h.times(e.GetId()) == 1:
				panic("not now either")
			}
			return nil
		})
		failing, panicking := publish(t, b, "fails-once", 1), publish(t, b, "panics-once", 1)
		h.wantTimes(t, failing[0], 2)
		h.wantTimes(t, panicking[0], 2)
	})

	t.Run("an event that always fails is dropped, and does not block other events", func(t *testing.T) {
		b := open(t)
		h := &received{}
		retries := []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond}
		subscribe(t, t.Context(), b, bus.SubscribeOptions{Durable: "poison", Retries: retries}, func(ctx context.Context, e *projectsv1.ProjectChanged) error {
			_ = h.add(ctx, e)
			if e.GetId() == "poison-0" {
				return errors.New("never")
			}
			return nil
		})
		poison := publish(t, b, "poison", 1)
		h.wantTimes(t, poison[0], len(retries)+1)
		for round := range 5 {
			h.wantAtLeast(t, publish(t, b, "rest-"+strconv.Itoa(round), 2))
		}
		if n := h.times(poison[0]); n != len(retries)+1 {
			t.Errorf("tried %d times, want %d", n, len(retries)+1)
		}
	})

	t.Run("events of a group that reads in order do not overtake one that failed", func(t *testing.T) {
		first, second := open(t), open(t)
		h := &received{}
		opts := bus.SubscribeOptions{Durable: "ordered", InOrder: true, Retries: []time.Duration{20 * time.Millisecond, 20 * time.Millisecond}}
		for _, b := range []*bus.Bus{first, second} {
			subscribe(t, t.Context(), b, opts, func(ctx context.Context, e *projectsv1.ProjectChanged) error {
				if !strings.HasPrefix(e.GetId(), "ordered-") {
					return nil // It is of another test on the same server.
				}
				if e.GetId() == "ordered-1" && h.times("failed") < 2 {
					_ = h.add(ctx, &projectsv1.ProjectChanged{Id: "failed"})
					return errors.New("not now")
				}
				return h.add(ctx, e)
			})
		}
		publish(t, first, "ordered", 4)
		h.want(t, []string{"ordered-0", "failed", "failed", "ordered-1", "ordered-2", "ordered-3"})
	})

	t.Run("events that two replicas publish with one id are one event", func(t *testing.T) {
		first, second := open(t), open(t)
		h := listen(t, first, bus.SubscribeOptions{})
		for _, b := range []*bus.Bus{first, second} {
			if err := b.PublishID(t.Context(), "eip155:1/0xabc", &projectsv1.ProjectChanged{Id: "found twice"}); err != nil {
				t.Fatal(err)
			}
		}
		h.want(t, append([]string{"found twice"}, publish(t, first, "next", 1)...))
	})

	t.Run("the trace continues in the handler", func(t *testing.T) {
		b := open(t)
		span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled})
		traces := make(chan trace.TraceID, 1)
		subscribe(t, t.Context(), b, bus.SubscribeOptions{}, func(ctx context.Context, _ *projectsv1.ProjectChanged) error {
			traces <- trace.SpanContextFromContext(ctx).TraceID()
			return nil
		})
		if err := b.Publish(trace.ContextWithSpanContext(t.Context(), span), &projectsv1.ProjectChanged{Id: "traced"}); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-traces:
			if got != span.TraceID() {
				t.Errorf("trace %s, want %s", got, span.TraceID())
			}
		case <-time.After(patience):
			t.Fatal("the event did not arrive")
		}
	})

	t.Run("closing waits for a running handler", func(t *testing.T) {
		b := open(t)
		entered, ended := make(chan struct{}), make(chan struct{})
		subscribe(t, t.Context(), b, bus.SubscribeOptions{}, func(ctx context.Context, _ *projectsv1.ProjectChanged) error {
			close(entered)
			<-ctx.Done()
			close(ended)
			return nil
		})
		publish(t, b, "last", 1)
		<-entered
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ended:
		default:
			t.Error("the handler still runs")
		}
	})
}

// publish sends n events whose ids start with prefix, and returns the ids.
func publish(t testing.TB, b *bus.Bus, prefix string, n int) (ids []string) {
	t.Helper()
	for i := range n {
		id := prefix + "-" + strconv.Itoa(i)
		if err := b.Publish(t.Context(), &projectsv1.ProjectChanged{Id: id}); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

func subscribe(t testing.TB, ctx context.Context, b *bus.Bus, opts bus.SubscribeOptions, handle func(context.Context, *projectsv1.ProjectChanged) error) {
	t.Helper()
	if err := bus.Subscribe(ctx, b, opts, handle); err != nil {
		t.Fatal(err)
	}
}

func listen(t testing.TB, b *bus.Bus, opts bus.SubscribeOptions) *received {
	t.Helper()
	h := &received{}
	subscribe(t, t.Context(), b, opts, h.add)
	return h
}

// received holds the events that a reader has received.
type received struct {
	mu  sync.Mutex
	ids []string
}

func (h *received) add(_ context.Context, e *projectsv1.ProjectChanged) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ids = append(h.ids, e.GetId())
	return nil
}

func (h *received) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.ids)
}

func (h *received) times(id string) (n int) {
	for _, got := range h.all() {
		if got == id {
			n++
		}
	}
	return n
}

// want waits until exactly ids were received, in this order.
func (h *received) want(t testing.TB, ids []string) {
	t.Helper()
	if !eventually(func() bool { return len(h.all()) >= len(ids) }) || !slices.Equal(h.all(), ids) {
		t.Errorf("received %v, want %v", h.all(), ids)
	}
}

// wantAtLeast waits until each of ids was received.
func (h *received) wantAtLeast(t testing.TB, ids []string) {
	t.Helper()
	for _, id := range ids {
		h.wantTimes(t, id, 1)
	}
}

// wantTimes waits until id was received n times.
func (h *received) wantTimes(t testing.TB, id string, n int) {
	t.Helper()
	if !eventually(func() bool { return h.times(id) >= n }) {
		t.Fatalf("%s received %d times of %d", id, h.times(id), n)
	}
}

func eventually(done func() bool) bool {
	deadline := time.Now().Add(patience)
	for !done() {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(2 * time.Millisecond)
	}
	return true
}
