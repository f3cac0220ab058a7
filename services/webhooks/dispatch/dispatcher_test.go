package dispatch_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
	"github.com/hawser-dev/hawser/services/webhooks/dispatch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// backend is a sender whose answers depend on the host of the endpoint.
type backend struct {
	mu sync.Mutex
	// hanging are hosts that do not answer until the attempt is broken off, and down are those that cannot be reached.
	hanging, down map[string]bool
	// sent are the webhooks that hosts accepted, and open is how many attempts are under way at each.
	sent map[string][]string
	open map[string]int
	most map[string]int
	// arrived receives the host of each attempt.
	arrived chan string
}

func newBackend() *backend {
	return &backend{
		hanging: map[string]bool{}, down: map[string]bool{}, sent: map[string][]string{}, open: map[string]int{}, most: map[string]int{}, arrived: make(chan string, 10_000),
	}
}

func (b *backend) Send(ctx context.Context, c *deliveries.Claim) (deliveries.Outcome, error) {
	host := c.Endpoint.Host()
	b.mu.Lock()
	hangs, isDown := b.hanging[host], b.down[host]
	b.open[host]++
	b.most[host] = max(b.most[host], b.open[host])
	if !hangs && !isDown {
		b.sent[host] = append(b.sent[host], c.Delivery.Body)
	}
	b.mu.Unlock()
	b.arrived <- host
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.open[host]--
	}()
	switch {
	case hangs:
		<-ctx.Done()
		return deliveries.Outcome{}, ctx.Err()
	case isDown:
		return deliveries.Outcome{StartedAt: time.Now(), Error: "no connection"}, nil
	}
	return deliveries.Outcome{StartedAt: time.Now(), Status: 204}, nil
}

func (b *backend) accepted(host string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.sent[host])
}

// await returns when condition holds. The test's deadline bounds it.
func (b *backend) await(t *testing.T, condition func() bool) {
	t.Helper()
	for !condition() {
		select {
		case <-b.arrived:
		case <-time.After(5 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("it does not happen")
		}
	}
}

type world struct {
	*deliveries.Registry

	t       *testing.T
	clock   *clocktest.Stopped
	backend *backend
	d       *dispatch.Dispatcher
	stop    func()
}

func newWorld(t *testing.T, db *store.DB, limits dispatch.Limits) *world {
	t.Helper()
	kept, err := deliveries.NewStore(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "key")
	if err := seal.CreateAge(path); err != nil {
		t.Fatal(err)
	}
	key, err := seal.OpenAge(path)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, clock: clocktest.StoppedAt(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)), backend: newBackend()}
	w.Registry = &deliveries.Registry{
		Store: kept, Sealer: seal.New(key), Clock: w.clock, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
		Rules: deliveries.Rules{MaxWaiting: 10_000, RetryFor: 72 * time.Hour, Keep: 168 * time.Hour},
	}
	w.d = dispatch.New(limits, dispatch.Deps{
		Store: kept, Sender: w.backend, Clock: w.clock, Backoff: deliveries.Backoff{Jitter: func() float64 { return 1 }}, Log: slog.New(slog.DiscardHandler),
	})
	w.start()
	return w
}

// start runs the dispatcher until the test ends, or stop is called.
func (w *world) start() {
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := routine.Go(ctx, func() error { return w.d.Run(ctx) })
	w.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	w.t.Cleanup(w.stop)
}

// add adds an endpoint at a host with events of several accounts.
func (w *world) add(project int, host string, events int) deliveries.Endpoint {
	w.t.Helper()
	id := fmt.Sprintf("%032x", project)
	e, _, err := w.Create(w.t.Context(), id, "https://"+host+"/", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.take(project, events, 0)
	return e
}

func (w *world) take(project, events, from int) {
	w.t.Helper()
	for n := range events {
		if _, err := w.Take(w.t.Context(), deliveries.Event{
			Project: fmt.Sprintf("%032x", project), Kind: deliveries.OrderPaid, Key: fmt.Sprint(from + n), Account: fmt.Sprint(from + n), At: w.clock.Now(), Body: fmt.Append(nil, from+n),
		}); err != nil {
			w.t.Fatal(err)
		}
	}
	w.d.Wake()
}

var few = dispatch.Limits{Total: 8, Project: 2, Host: 4, Attempt: time.Minute}

// The receivers hang for as long as the test lasts, and so does each of their attempts.
func TestReceiversThatHangDelayNoOtherProject(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, few)
		for n := range 3 {
			host := fmt.Sprintf("hangs-%d.example", n)
			w.add(n, host, 1)
			w.backend.await(t, func() bool { return len(w.backend.accepted(host)) == 1 })
		}
		w.backend.mu.Lock()
		for n := range 3 {
			w.backend.hanging[fmt.Sprintf("hangs-%d.example", n)] = true
		}
		w.backend.mu.Unlock()
		for n := range 3 {
			w.take(n, 20, 100)
		}
		w.add(9, "works.example", 30)
		w.backend.await(t, func() bool { return len(w.backend.accepted("works.example")) == 30 })
		w.backend.mu.Lock()
		defer w.backend.mu.Unlock()
		for n := range 3 {
			if most := w.backend.most[fmt.Sprintf("hangs-%d.example", n)]; most != 2 {
				t.Errorf("a project that hangs has %d slots", most)
			}
		}
	})
}

// Of an endpoint that never answered, one attempt is enough to see whether it does.
func TestANewEndpointHasOneSlotUntilItAnswers(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), few)
	w.backend.hanging["new.example"] = true
	w.add(1, "new.example", 5)
	w.add(2, "works.example", 20)
	w.backend.await(t, func() bool { return len(w.backend.accepted("works.example")) == 20 })
	w.backend.mu.Lock()
	defer w.backend.mu.Unlock()
	if most := w.backend.most["new.example"]; most != 1 {
		t.Errorf("%d at once", most)
	}
}

// Many projects name one host, which hangs.
func TestAHostHasSlotsOfItsOwn(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), few)
	w.backend.hanging["shared.example"] = true
	for n := range 20 {
		w.add(n, "shared.example", 3)
	}
	w.add(99, "works.example", 20)
	w.backend.await(t, func() bool { return len(w.backend.accepted("works.example")) == 20 })
	w.backend.mu.Lock()
	defer w.backend.mu.Unlock()
	if most := w.backend.most["shared.example"]; most > few.Host {
		t.Errorf("%d at once", most)
	}
}

// They failed before, so that all of them together have half of the slots.
func TestEndpointsThatFailedShareHalfOfTheSlots(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), few)
	for n := range 20 {
		host := fmt.Sprintf("fails-%d.example", n)
		w.backend.mu.Lock()
		w.backend.down[host] = true
		w.backend.mu.Unlock()
		e := w.add(n, host, 1)
		w.backend.await(t, func() bool {
			found, err := w.Store.Find(t.Context(), "", e.ID)
			if err != nil {
				t.Fatal(err)
			}
			return found.Failures > 0
		})
	}
	w.backend.mu.Lock()
	clear(w.backend.down)
	for n := range 20 {
		w.backend.hanging[fmt.Sprintf("fails-%d.example", n)] = true
	}
	w.backend.mu.Unlock()
	w.clock.Pass(time.Minute)
	w.add(99, "works.example", 20)
	w.backend.await(t, func() bool { return len(w.backend.accepted("works.example")) == 20 })
	w.backend.mu.Lock()
	defer w.backend.mu.Unlock()
	open := 0
	for n := range 20 {
		open += w.backend.open[fmt.Sprintf("fails-%d.example", n)]
	}
	if open > few.Total/2 {
		t.Errorf("%d slots are theirs", open)
	}
}

// A project has ten thousand webhooks to send, and another one has five.
func TestProjectsTakeTurns(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), dispatch.Limits{Total: 1, Project: 1, Host: 1, Attempt: time.Minute})
	w.stop()
	w.add(1, "busy.example", 500)
	w.add(2, "idle.example", 5)
	w.start()
	w.backend.await(t, func() bool { return len(w.backend.accepted("idle.example")) == 5 })
	if n := len(w.backend.accepted("busy.example")); n > 10 {
		t.Errorf("%d of the busy project were sent before 5 of the other", n)
	}
}

func TestADispatcherThatStopsGivesBackWhatItSends(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), few)
	w.backend.hanging["shop.example"] = true
	w.add(1, "shop.example", 1)
	<-w.backend.arrived
	w.stop()
	w.backend.mu.Lock()
	clear(w.backend.hanging)
	w.backend.mu.Unlock()
	// The clock has not passed, so the claim has not ended by itself.
	w.start()
	w.backend.await(t, func() bool { return len(w.backend.accepted("shop.example")) == 1 })
}

// panics is a sender that panics at its first attempt.
type panics struct {
	*backend

	once sync.Once
}

func (p *panics) Send(ctx context.Context, c *deliveries.Claim) (deliveries.Outcome, error) {
	p.once.Do(func() { panic("a fault") })
	return p.backend.Send(ctx, c)
}

func TestAnAttemptThatPanicsIsMadeAgain(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), few)
	w.stop()
	w.d = dispatch.New(few, dispatch.Deps{
		Store: w.Store, Sender: &panics{backend: w.backend}, Clock: w.clock, Backoff: deliveries.Backoff{Jitter: func() float64 { return 1 }}, Log: slog.New(slog.DiscardHandler),
	})
	w.start()
	w.add(1, "shop.example", 2)
	w.backend.await(t, func() bool { return len(w.backend.accepted("shop.example")) == 1 })
	w.backend.await(t, func() bool {
		w.clock.Pass(time.Minute)
		w.d.Wake()
		return len(w.backend.accepted("shop.example")) == 2
	})
}
