package orders_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/ramp"
)

// The variables that make this test binary a process that receives webhooks, which the test kills.
const (
	takerDSN   = "HAWSER_TEST_TAKER_DSN"
	takerDir   = "HAWSER_TEST_TAKER_DIR"
	takerFirst = "HAWSER_TEST_TAKER_FIRST"
)

func TestMain(m *testing.M) {
	if os.Getenv(takerDSN) != "" {
		if err := takeAll(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// killedOrders is the number of orders; each round reports perRound of them before the process is killed.
const (
	killedOrders = 240
	killedRounds = 4
	perRound     = 40
)

// completion returns the provider's event for the completion of order n.
func completion(n int) ramp.Event {
	e := orderstest.Event(orderstest.Order(n), strconv.Itoa(n), ramp.Completed)
	e.Transaction = "0x" + strconv.Itoa(n)
	return e
}

// takeAll handles webhooks for one order after another, four at a time, and prints the number of each order whose
// webhook was handled.
func takeAll(ctx context.Context) error {
	db, err := store.Open(ctx, os.Getenv(takerDSN))
	if err != nil {
		return err
	}
	b, err := bus.Open(ctx, bus.Config{Dir: os.Getenv(takerDir)})
	if err != nil {
		return err
	}
	first, err := strconv.Atoi(os.Getenv(takerFirst))
	if err != nil {
		return err
	}
	provider, now := &orderstest.FakeProvider{Secret: "of the wharf"}, clocktest.StoppedAt(orderstest.Start)
	outbox, err := bus.NewOutbox(ctx, db)
	if err != nil {
		return err
	}
	go func() { _ = outbox.Run(ctx, b) }()
	service, err := orders.New(ctx, orders.Deps{
		DB: db, Outbox: outbox, Clock: now, Log: slog.New(slog.DiscardHandler),
		Providers: func(string) (ramp.Provider, bool) { return provider, true },
	})
	if err != nil {
		return err
	}
	go func() { _ = service.Work(ctx) }()
	var g errgroup.Group
	g.SetLimit(4)
	for n := first; n < killedOrders; n++ {
		g.Go(func() error {
			if err := service.HandleWebhook(ctx, orderstest.Provider, provider.Deliver(now.Now(), completion(n))); err != nil {
				return err
			}
			_, err := fmt.Fprintln(os.Stdout, n)
			return err
		})
	}
	return g.Wait()
}

func TestNoAcceptedWebhookIsLostWhenKilled(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		dir := filepath.Join(t.TempDir(), "nats")
		db := storetest.Open(t, dsn)
		w := open(t, db)
		for n := range killedOrders {
			if err := w.Place(t.Context(), orderstest.Order(n)); err != nil {
				t.Fatal(err)
			}
		}
		taken := map[int]bool{}
		for round := range killedRounds {
			for _, n := range killTaker(t, dsn, dir, round*perRound, perRound/2+13*round) {
				taken[n] = true
			}
		}
		moved := map[string]bool{}
		for n := range killedOrders {
			o := w.find(t, orderstest.ID(n))
			if taken[n] && (o.State != ramp.Completed || o.Transaction != completion(n).Transaction) {
				t.Errorf("the webhook about order %d was taken, and it is %s", n, o.State)
			}
			if o.State == ramp.Completed {
				moved[o.ID] = true
			}
		}
		if len(moved) < killedRounds*perRound/2 || len(moved) == killedOrders {
			t.Errorf("%d orders moved", len(moved))
		}
		wantAllPublished(t, w, bustest.Open(t, bus.Config{Dir: dir}), moved)

		// The provider repeats all webhooks, including those that were handled.
		for n := range killedOrders {
			w.take(t, completion(n))
			w.wantState(t, orderstest.ID(n), ramp.Completed)
		}
	})
}

// killTaker starts a process, lets it handle some webhooks, kills it, and returns the orders whose webhooks it handled.
func killTaker(t *testing.T, dsn, dir string, first, enough int) (taken []int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), takerDSN+"="+dsn, takerDir+"="+dir, takerFirst+"="+strconv.Itoa(first))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		// What it prints before the signal reaches it counts as well.
		if taken = append(taken, n); len(taken) == enough {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || len(taken) < enough {
		t.Fatalf("the taker ended by itself after %d webhooks: %v", len(taken), err)
	}
	return taken
}

// wantAllPublished waits until an event was published for every changed order.
func wantAllPublished(t *testing.T, w *harness, b *bus.Bus, moved map[string]bool) {
	t.Helper()
	received := make(chan string, 100)
	err := bus.Subscribe(t.Context(), b, bus.SubscribeOptions{Durable: "audit"}, func(ctx context.Context, e *onrampv1.OrderUpdated) error {
		select {
		case received <- e.GetOrderId():
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	bustest.Relay(t, w.outbox, b)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Work(ctx) }()
	for len(moved) > 0 {
		select {
		case id := <-received:
			delete(moved, id)
		case <-time.After(20 * time.Second):
			t.Fatalf("%d orders moved and were not published", len(moved))
		}
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
