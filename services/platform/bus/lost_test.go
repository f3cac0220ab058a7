package bus_test

import (
	"context"
	"testing"
	"time"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

// subscribeLosing is subscribeIDs with a channel that receives a value each time events were missed.
func subscribeLosing(t testing.TB, b *bus.Bus, durable string) (ids <-chan string, missed <-chan struct{}) {
	t.Helper()
	received, signs := make(chan string, 1000), make(chan struct{}, 1000)
	opts := bus.SubscribeOptions{Durable: durable, Missed: func(context.Context) { signs <- struct{}{} }}
	err := bus.Subscribe(t.Context(), b, opts, func(_ context.Context, e *projectsv1.ProjectChanged) error {
		received <- e.GetId()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return received, signs
}

func publishIDs(t testing.TB, b *bus.Bus, ids ...string) {
	t.Helper()
	for _, id := range ids {
		deadline := time.Now().Add(20 * time.Second)
		for {
			err := b.Publish(t.Context(), &projectsv1.ProjectChanged{Id: id})
			if err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

func TestReadersGoOnWhenTheServerLostItsStreams(t *testing.T) {
	t.Parallel()
	for _, durable := range []string{"", "group"} {
		name := "a reader without a name"
		if durable != "" {
			name = "readers with a name"
		}
		t.Run(name, func(t *testing.T) {
			url, forget := bustest.ForgetfulServer(t)
			publisher, b := bustest.Open(t, bus.Config{URL: url}), bustest.Open(t, bus.Config{URL: url})
			received, missed := subscribeLosing(t, b, durable)
			// The new stream must be shorter than what was received from the old one.
			publishIDs(t, publisher, "1", "2", "3", "4", "5")
			for _, want := range []string{"1", "2", "3", "4", "5"} {
				if got := receive(t, received); got != want {
					t.Fatalf("received %q, want %q", got, want)
				}
			}
			forget()
			publishIDs(t, publisher, "6", "7")
			for _, want := range []string{"6", "7"} {
				if got := receive(t, received); got != want {
					t.Fatalf("received %q, want %q", got, want)
				}
			}
			select {
			case <-missed:
			case <-time.After(20 * time.Second):
				t.Fatal("the reader was not notified that it missed events")
			}
			waitUntilReady(t, b)
		})
	}
}

func TestABusWhoseStreamsAreLostIsNotReadyUntilTheyAreReadAgain(t *testing.T) {
	t.Parallel()
	url, forget := bustest.ForgetfulServer(t)
	b := bustest.Open(t, bus.Config{URL: url})
	_, missed := subscribeLosing(t, b, "")
	forget()
	// Nothing is published: the loss is detected all the same, and the reader recovers.
	select {
	case <-missed:
	case <-time.After(20 * time.Second):
		t.Fatal("the loss was not noticed")
	}
	waitUntilReady(t, b)
}

func waitUntilReady(t testing.TB, b *bus.Bus) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		err := b.Ready(t.Context())
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not ready: %v", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
