package bus

import (
	"context"
	"testing"
	"time"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
)

// A process that was away for so long that its stream discarded events must clear its caches.
func TestAReaderLearnsOfEventsThatWereDiscarded(t *testing.T) {
	b, err := Open(t.Context(), Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	missed, received := make(chan struct{}, 1), make(chan string, 10)
	options := SubscribeOptions{Missed: func(context.Context) { missed <- struct{}{} }}
	err = Subscribe(t.Context(), b, options, func(_ context.Context, e *projectsv1.ProjectChanged) error {
		received <- e.GetId()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	const owner = "hawser.projects"
	publish := func(id string) {
		if err := b.Publish(t.Context(), &projectsv1.ProjectChanged{Id: id}); err != nil {
			t.Fatal(err)
		}
		if got := <-received; got != id {
			t.Fatalf("received %s, want %s", got, id)
		}
	}
	for _, id := range []string{"1", "2", "3"} {
		publish(id)
	}
	stream, err := b.js.Stream(t.Context(), streamName(owner))
	if err != nil {
		t.Fatal(err)
	}
	// Bounds discard events all the time; those are not missed that were read before.
	if err := stream.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	publish("4")
	b.checkStream(owner, b.readersByOwner()[owner])
	select {
	case <-missed:
		t.Error("events are missed that were received")
	default:
	}
	// The last check was before the second event.
	b.mu.Lock()
	b.seen[owner] = 1
	b.mu.Unlock()
	select {
	case <-missed:
	case <-time.After(20 * time.Second):
		t.Error("the reader does not know of the events that were discarded")
	}
}
