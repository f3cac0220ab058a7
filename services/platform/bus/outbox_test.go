package bus_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestOutbox(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Run("publishes in the order of the commits, with any number of writers and relays", func(t *testing.T) {
			db, b := storetest.Open(t, dsn), bustest.Embedded(t)
			got := make(chan string, 1000)
			subscribeIDs(t, b, "", got)
			relay(t, newOutbox(t, db), b)
			if db.Dialect() == store.PostgreSQL {
				relay(t, newOutbox(t, storetest.Open(t, dsn)), b)
			}
			// The command line is such a writer: it has its own connection, and no bus.
			other := storetest.Open(t, dsn)
			theirs := newOutbox(t, other)
			var sent []string
			for i := range 150 {
				id := "event-" + strconv.Itoa(i)
				add(t, other, theirs, id)
				sent = append(sent, id)
			}
			var received []string
			for range sent {
				received = append(received, receive(t, got))
			}
			if !slices.Equal(received, sent) {
				t.Errorf("received %v", received)
			}
			waitUntilEmpty(t, db)
		})

		t.Run("an event whose transaction failed is not published", func(t *testing.T) {
			db, b := storetest.Open(t, dsn), bustest.Embedded(t)
			o := newOutbox(t, db)
			got := make(chan string, 10)
			subscribeIDs(t, b, "", got)
			relay(t, o, b)
			refused := errors.New("refused")
			err := db.InTx(t.Context(), func(tx *store.Tx) error {
				return errors.Join(o.Add(t.Context(), tx, &projectsv1.ProjectChanged{Id: "undone"}), refused)
			})
			if !errors.Is(err, refused) {
				t.Fatal(err)
			}
			add(t, db, o, "done")
			if id := receive(t, got); id != "done" {
				t.Errorf("received %q", id)
			}
			waitUntilEmpty(t, db)
		})

		t.Run("publishes events once that were published and not removed", func(t *testing.T) {
			db, b := storetest.Open(t, dsn), bustest.Embedded(t)
			o := newOutbox(t, db)
			got := make(chan string, 10_000)
			subscribeIDs(t, b, "", got)
			const published, all = 1500, 2500
			inTx := func(work func(tx *store.Tx) error) {
				t.Helper()
				if err := db.InTx(t.Context(), work); err != nil {
					t.Fatal(err)
				}
			}
			inTx(func(tx *store.Tx) error {
				_, created := tx.ExecContext(t.Context(), "CREATE TABLE removed AS SELECT * FROM outbox")
				if err := errors.Join(created, addAll(t.Context(), tx, o, 0, published)); err != nil {
					return err
				}
				_, err := tx.ExecContext(t.Context(), "INSERT INTO removed SELECT * FROM outbox")
				return err
			})
			relay(t, o, b)
			waitUntilEmpty(t, db)
			inTx(func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), `INSERT INTO outbox (id, type, occurred_at, data, trace_parent)
					SELECT id, type, occurred_at, data, trace_parent FROM removed ORDER BY seq`)
				return errors.Join(err, addAll(t.Context(), tx, o, published, all))
			})
			waitUntilEmpty(t, db)
			for i := range all {
				if id := receive(t, got); id != strconv.Itoa(i) {
					t.Fatalf("received %q, want %d", id, i)
				}
			}
			if len(got) > 0 {
				t.Errorf("%d events were received twice", len(got))
			}
		})

		t.Run("a batch has a bound in bytes", func(t *testing.T) {
			db, b := storetest.Open(t, dsn), bustest.Embedded(t)
			o := newOutbox(t, db)
			got := make(chan string, 100)
			subscribeIDs(t, b, "", got)
			large := strings.Repeat("x", 300_000)
			for i := range 40 {
				add(t, db, o, strconv.Itoa(i)+large)
			}
			relay(t, o, b)
			for i := range 40 {
				if id := receive(t, got); id != strconv.Itoa(i)+large {
					t.Fatalf("event %d is %q…", i, id[:10])
				}
			}
			waitUntilEmpty(t, db)
		})

		t.Run("keeps events that were written while the bus was down", func(t *testing.T) {
			db := storetest.Open(t, dsn)
			o := newOutbox(t, db)
			away := bustest.Embedded(t)
			if err := away.Close(); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer stop()
			add(t, db, o, "patient")
			if err := o.Run(ctx, away); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			b := bustest.Embedded(t)
			got := make(chan string, 10)
			subscribeIDs(t, b, "", got)
			relay(t, o, b)
			if id := receive(t, got); id != "patient" {
				t.Errorf("received %q", id)
			}
		})
	})
}

func TestServerThatWasAwayLosesNothing(t *testing.T) {
	t.Parallel()
	url, restart := bustest.RestartableServer(t)
	b := bustest.Open(t, bus.Config{URL: url})
	db := storetest.Open(t, storetest.SQLite(t))
	o := newOutbox(t, db)
	everyone, group := make(chan string, 10), make(chan string, 10)
	subscribeIDs(t, b, "", everyone)
	subscribeIDs(t, b, "group", group)
	relay(t, o, b)
	want := func(id string) {
		t.Helper()
		for _, received := range []<-chan string{everyone, group} {
			if got := receive(t, received); got != id {
				t.Errorf("received %q, want %q", got, id)
			}
		}
	}

	add(t, db, o, "before")
	want("before")
	restart(func() {
		if err := b.Ready(t.Context()); err == nil {
			t.Error("the bus is ready without a server")
		}
		add(t, db, o, "while it was away")
	})
	want("while it was away")
	add(t, db, o, "after")
	want("after")
	if err := b.Ready(t.Context()); err != nil {
		t.Errorf("not ready again: %v", err)
	}
}

func TestConcurrentWritersLoseNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		b := bustest.Embedded(t)
		o := newOutbox(t, db)
		got := make(chan string, 1000)
		subscribeIDs(t, b, "", got)
		relay(t, o, b)
		const writers, each = 4, 25
		var g errgroup.Group
		for w := range writers {
			g.Go(func() error {
				for i := range each {
					if err := tryAdd(t.Context(), db, o, strconv.Itoa(w)+"-"+strconv.Itoa(i)); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for range writers * each {
			seen[receive(t, got)]++
		}
		if len(seen) != writers*each {
			t.Errorf("%d different events, want %d", len(seen), writers*each)
		}
	})
}

func newOutbox(t testing.TB, db *store.DB) *bus.Outbox {
	t.Helper()
	o, err := bus.NewOutbox(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// relay runs o until the test ends.
func relay(t testing.TB, o *bus.Outbox, b *bus.Bus) {
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- o.Run(ctx, b) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func add(t testing.TB, db *store.DB, o *bus.Outbox, id string) {
	t.Helper()
	if err := tryAdd(t.Context(), db, o, id); err != nil {
		t.Fatal(err)
	}
}

func tryAdd(ctx context.Context, db *store.DB, o *bus.Outbox, id string) error {
	return db.InTx(ctx, func(tx *store.Tx) error { return o.Add(ctx, tx, &projectsv1.ProjectChanged{Id: id}) })
}

func subscribeIDs(t testing.TB, b *bus.Bus, durable string, ids chan<- string) {
	t.Helper()
	err := bus.Subscribe(t.Context(), b, bus.SubscribeOptions{Durable: durable}, func(ctx context.Context, e *projectsv1.ProjectChanged) error {
		select {
		case ids <- e.GetId():
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func receive(t testing.TB, ids <-chan string) string {
	t.Helper()
	select {
	case id := <-ids:
		return id
	case <-time.After(20 * time.Second):
		t.Fatal("no event arrived")
		return ""
	}
}

func waitUntilEmpty(t testing.TB, db *store.DB) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		var n int
		if err := db.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM outbox").Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d events still in the outbox", n)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
