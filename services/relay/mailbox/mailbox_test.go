package mailbox

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

func TestDeletingTwiceIsNoError(t *testing.T) {
	conn, err := bustest.Embedded(t).Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := Open(t.Context(), conn, Config{MaxBytes: 1 << 20, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	sequence, err := store.Publish(t.Context(), Message{Body: "m", Tag: 1}, time.Minute)
	if err != nil || sequence == 0 {
		t.Fatalf("stored as %d, %v", sequence, err)
	}
	for range 2 {
		if err := store.Delete(t.Context(), sequence); err != nil {
			t.Error(err)
		}
	}
	if again, err := store.Publish(t.Context(), Message{Body: "m", Tag: 1}, time.Minute); err != nil || again != 0 {
		t.Errorf("the same message was stored again as %d, %v", again, err)
	}
	if _, found, err := store.Next(t.Context(), Topic{}, 1); err != nil || found {
		t.Errorf("a deleted message is found: %v", err)
	}
}
