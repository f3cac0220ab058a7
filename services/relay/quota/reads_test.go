package quota

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// reader enters for an address and reports when it has a place.
func reader(t *testing.T, r *reads, address string) (entered chan func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	entered = make(chan func(), 1)
	go func() {
		if leave, err := r.enter(ctx, limit.CallerOf("p", address)); err == nil {
			entered <- leave
		}
	}()
	return entered
}

func TestASiteReadsFewMessagesAtOnceAndOthersReadBesideIt(t *testing.T) {
	r := newReads()
	var places []func()
	for i := range siteReads {
		places = append(places, <-reader(t, r, fmt.Sprintf("2001:db8:1:%x::1", i)))
	}
	waiting := reader(t, r, "2001:db8:1:ff::1")
	(<-reader(t, r, "192.0.2.1"))()
	select {
	case <-waiting:
		t.Error("a site has more places than it may")
	case <-time.After(20 * time.Millisecond):
	}
	places[0]()
	(<-waiting)()
	for _, leave := range places {
		leave()
	}
	if len(r.sites) != 0 || len(r.all) != 0 {
		t.Errorf("%d sites and %d places are still counted", len(r.sites), len(r.all))
	}
}

func TestOneThatLeavesWhileItWaitsIsNotCounted(t *testing.T) {
	r := newReads()
	for i := range readsAtOnce {
		<-reader(t, r, fmt.Sprintf("192.0.2.%d", i/siteReads))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, address := range []string{"192.0.2.0", "198.51.100.1"} {
		if _, err := r.enter(ctx, limit.CallerOf("p", address)); err == nil {
			t.Errorf("%s has a place", address)
		}
	}
	if len(r.sites) != readsAtOnce/siteReads {
		t.Errorf("%d sites are counted", len(r.sites))
	}
}
