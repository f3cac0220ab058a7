package limit_test

import (
	"context"
	"encoding/binary"
	"errors"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestACallersAddress(t *testing.T) {
	for name, c := range map[string]struct {
		remote    string
		forwarded []string
		trusted   bool
		want      string
	}{
		"of the connection":                        {"192.0.2.1:4000", nil, true, "192.0.2.1"},
		"of the connection, in IPv6":               {"[2001:db8::1]:4000", nil, false, "2001:db8::1"},
		"IPv4 in IPv6 is IPv4":                     {"[::ffff:192.0.2.1]:4000", nil, false, "192.0.2.1"},
		"no proxy is trusted":                      {"192.0.2.1:4000", []string{"203.0.113.9"}, false, "192.0.2.1"},
		"the element that the proxy added":         {"192.0.2.1:4000", []string{"10.1.1.1, 203.0.113.9"}, true, "203.0.113.9"},
		"the line that the proxy added":            {"192.0.2.1:4000", []string{"9.9.9.9, 8.8.8.8", "203.0.113.9"}, true, "203.0.113.9"},
		"with a port":                              {"192.0.2.1:4000", []string{"203.0.113.9:5000"}, true, "203.0.113.9"},
		"in brackets":                              {"192.0.2.1:4000", []string{"[2001:db8::7]:5000"}, true, "2001:db8::7"},
		"a zone says nothing":                      {"[fe80::1%eth0]:4000", nil, false, "fe80::1"},
		"what is no address is the proxy's caller": {"192.0.2.1:4000", []string{"unknown"}, true, "192.0.2.1"},
		"nothing is":                               {"pipe", nil, true, "invalid IP"},
	} {
		if got := limit.Address(c.remote, c.forwarded, c.trusted); got.String() != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAddressesThatOneCallerChoosesFreelyAreOneCaller(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2001:db8::1", "2001:db8::ffff:1", true},
		{"2001:db8:0:1::1", "2001:db8:0:2::1", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"", "nonsense", true},
	} {
		if got := limit.CallerOf("p", c.a) == limit.CallerOf("p", c.b); got != c.same {
			t.Errorf("%s and %s: one caller %v, want %v", c.a, c.b, got, c.same)
		}
	}
	if limit.CallerOf("p", "192.0.2.1") == limit.CallerOf("q", "192.0.2.1") {
		t.Error("two projects are one caller")
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("192.0.2.1:1", "10.0.0.1, 203.0.113.9", true)
	f.Add("[::1]:1", "::ffff:1.2.3.4", true)
	f.Add("", ",", false)
	f.Fuzz(func(t *testing.T, remote, forwarded string, trusted bool) {
		addr := limit.Address(remote, []string{forwarded}, trusted)
		if addr.Is4In6() || addr.Zone() != "" {
			t.Errorf("%s is not in its plain form", addr)
		}
		limit.CallerOf("", addr.String())
	})
}

var (
	alice = limit.CallerOf("p", "192.0.2.1")
	bob   = limit.CallerOf("p", "192.0.2.2")
)

func TestARateIsABurstAndThenAnAverage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		l := limit.NewLocal(clock.System{}, 0)
		r := limit.Rate{Name: "requests", PerSecond: 2, Burst: 3}
		for range 3 {
			if wait := l.Take(ctx, alice, r, 1); wait != 0 {
				t.Fatalf("within the burst: wait %s", wait)
			}
		}
		if wait := l.Take(ctx, alice, r, 1); wait < 499*time.Millisecond || wait > 501*time.Millisecond {
			t.Errorf("over the burst: wait %s", wait)
		}
		if wait := l.Take(ctx, bob, r, 1); wait != 0 {
			t.Errorf("another caller waits %s", wait)
		}
		if wait := l.Take(ctx, alice, limit.Rate{Name: "others", PerSecond: 1, Burst: 1}, 1); wait != 0 {
			t.Errorf("another rate waits %s", wait)
		}
		time.Sleep(500*time.Millisecond + time.Microsecond)
		if wait := l.Take(ctx, alice, r, 5); wait != 0 {
			t.Errorf("after the wait: wait %s", wait)
		}
		if wait := l.Take(ctx, alice, r, 1); wait < 2400*time.Millisecond || wait > 2600*time.Millisecond {
			t.Errorf("what is owed: wait %s", wait)
		}
		l.Owe(ctx, bob, r, 12)
		if wait := l.Take(ctx, bob, r, 1); wait < 5*time.Second {
			t.Errorf("what was charged afterwards: wait %s", wait)
		}
		if wait := l.Take(ctx, bob, limit.Rate{Name: "none"}, 1000); wait != 0 {
			t.Errorf("no limit: wait %s", wait)
		}
	})
}

func TestACallerMayBeSlowedDownInsteadOfRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limit.NewLocal(clock.System{}, 0)
		r := limit.Rate{Name: "messages", PerSecond: 10, Burst: 1}
		begun := time.Now()
		for range 21 {
			if err := limit.Wait(t.Context(), l, alice, r, 1); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took < 2*time.Second || took > 2100*time.Millisecond {
			t.Errorf("21 messages at 10 a second took %s", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := limit.Wait(ctx, l, alice, r, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("one who left: %v", err)
		}
	})
}

func TestNobodyHoldsMoreThanItsShare(t *testing.T) {
	ctx := t.Context()
	l := limit.NewLocal(clock.System{}, 0)
	s := limit.Share{Name: "watches", Each: 3, Total: 5}
	release, ok := l.Hold(ctx, alice, s, 2)
	if !ok {
		t.Fatal("refused within the share")
	}
	if _, ok := l.Hold(ctx, alice, s, 2); ok {
		t.Error("held more than its share")
	}
	if _, ok := l.Hold(ctx, bob, s, 3); !ok {
		t.Error("another caller was refused its share")
	}
	if _, ok := l.Hold(ctx, limit.CallerOf("p", "192.0.2.3"), s, 1); ok {
		t.Error("more is held than there is")
	}
	release()
	release()
	if _, ok := l.Hold(ctx, alice, s, 2); !ok {
		t.Error("what was released cannot be held again")
	}
	if _, ok := l.Hold(ctx, alice, s, 1); ok {
		t.Error("releasing twice counted twice")
	}
}

func TestTheCallerThatWasIdleLongestIsForgottenFirst(t *testing.T) {
	ctx := t.Context()
	l := limit.NewLocal(clock.System{}, 3)
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 1}
	s := limit.Share{Name: "sockets", Each: 1}
	caller := func(n byte) limit.Caller {
		return limit.Caller{Network: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 0, n}), 32)}
	}
	release, ok := l.Hold(ctx, caller(1), s, 1)
	if !ok {
		t.Fatal("refused")
	}
	for n := byte(2); n <= 20; n++ {
		if wait := l.Take(ctx, caller(n), r, 1); wait != 0 {
			t.Fatalf("caller %d waits %s", n, wait)
		}
	}
	if got := l.Len(); got != 3 {
		t.Errorf("%d callers are remembered, want 3", got)
	}
	if wait := l.Take(ctx, caller(20), r, 1); wait == 0 {
		t.Error("the newest caller was forgotten")
	}
	if wait := l.Take(ctx, caller(2), r, 1); wait != 0 {
		t.Error("the oldest caller was remembered")
	}
	if _, ok := l.Hold(ctx, caller(1), s, 1); ok {
		t.Error("a caller who holds something was forgotten")
	}
	release()
	for n := byte(30); n < 33; n++ {
		if _, ok := l.Hold(ctx, caller(n), s, 1); !ok {
			t.Errorf("caller %d was refused although others are idle", n)
		}
	}
	if _, ok := l.Hold(ctx, caller(40), s, 1); ok {
		t.Error("a caller was counted for whom there is no room")
	}
	if wait := l.Take(ctx, caller(40), r, 1); wait <= 0 {
		t.Error("a caller was let through who cannot be counted")
	}
}

func TestAMillionCallersTakeNoMoreMemoryThanTheBound(t *testing.T) {
	const bound = 10_000
	ctx := t.Context()
	l := limit.NewLocal(clock.System{}, bound)
	come := func(from, to uint32) {
		for n := from; n < to; n++ {
			var b [4]byte
			binary.BigEndian.PutUint32(b[:], n)
			c := limit.Caller{Project: "p", Network: netip.PrefixFrom(netip.AddrFrom4(b), 32)}
			l.Take(ctx, c, limit.Rate{Name: "requests", PerSecond: 1, Burst: 5}, 1)
			if release, ok := l.Hold(ctx, c, limit.Share{Name: "sockets", Each: 1}, 1); ok {
				release()
			}
		}
	}
	come(0, 10*bound)
	before := heap()
	come(10*bound, 1_000_000)
	after := heap()
	if l.Len() != bound {
		t.Errorf("%d callers are remembered, want %d", l.Len(), bound)
	}
	// A caller takes some 300 bytes: 900,000 more of them would take 270 MB.
	if after > before+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	t.Logf("%d bytes at the bound, %d after a million callers", before, after)
	runtime.KeepAlive(l)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestManyAtOnceTakeNoMoreThanThereIs(t *testing.T) {
	l := limit.NewLocal(clock.System{}, 0)
	s := limit.Share{Name: "x", Each: 10}
	var mu sync.Mutex
	held := 0
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if _, ok := l.Hold(t.Context(), alice, s, 1); ok {
				mu.Lock()
				held++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if held != 10 {
		t.Errorf("%d are held, want 10", held)
	}
}
