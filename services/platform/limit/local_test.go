package limit_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// numbered returns a caller of one of many projects, with an IPv4 address that is another one for each number.
func numbered(n uint32) limit.Caller {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	return limit.Caller{Project: projects[n%uint32(len(projects))], Network: netip.PrefixFrom(netip.AddrFrom4(b), 32)}
}

var projects = []string{"0a", "1a", "2a", "3a", "4a", "5a", "6a", "7a"}

func TestOnlyCallersWhoseBucketsAreFullAreForgotten(t *testing.T) {
	c := clocktest.StoppedAt(time.Now())
	l := limit.NewLocal(c, 100)
	quick, slow := limit.Rate{Name: "requests", PerSecond: 1, Burst: 10}, limit.Rate{Name: "orders", PerSecond: 0.001, Burst: 10}
	for n := range uint32(100) {
		r := slow
		if n%2 == 0 {
			r = quick
		}
		if wait := l.Take(t.Context(), numbered(n), r, 10); wait != 0 {
			t.Fatalf("caller %d waits %s", n, wait)
		}
	}
	c.Pass(time.Minute)
	for n := uint32(1000); n < 2000; n++ {
		l.Take(t.Context(), numbered(n), slow, 1)
	}
	if got := l.Len(); got != 100 {
		t.Errorf("%d callers have accounts, want 100", got)
	}
	for n := uint32(1); n < 100; n += 2 {
		if l.Take(t.Context(), numbered(n), slow, 1) == 0 {
			t.Errorf("what caller %d used was forgotten", n)
		}
	}
}

func TestACallerThatIsRefusedTakesNoAccount(t *testing.T) {
	l := limit.NewLocal(clocktest.StoppedAt(time.Now()), 100)
	r := limit.Rate{Name: "requests", PerSecond: 1, Burst: 1}
	site := func(n int) limit.Caller { return limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", n<<8)) }
	for n := range 100 {
		l.Take(t.Context(), site(n), r, 1)
	}
	// A /48 has 16 times as much: the accounts are its own, and those of the 16 /64s and /56s that took something.
	if got := l.Len(); got != 33 {
		t.Errorf("%d accounts, want 33", got)
	}
}

func TestAProjectAndASiteHaveAtMostHalfOfTheAccounts(t *testing.T) {
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 100}
	for name, of := range map[string]func(n int) limit.Caller{
		"a project":                 func(n int) limit.Caller { return limit.CallerOf("p", fmt.Sprintf("192.0.2.%d", n)) },
		"callers without a project": func(n int) limit.Caller { return limit.CallerOf("", fmt.Sprintf("192.0.2.%d", n)) },
		"projects of one address":   func(n int) limit.Caller { return limit.CallerOf(fmt.Sprint(n), "192.0.2.1") },
		"networks of one site":      func(n int) limit.Caller { return limit.CallerOf(fmt.Sprint(n), fmt.Sprintf("2001:db8:0:%x::1", n)) },
	} {
		l := limit.NewLocal(clocktest.StoppedAt(time.Now()), 100)
		for n := range 200 {
			l.Take(t.Context(), of(n), r, 1)
		}
		if got := l.Len(); got != 50 {
			t.Errorf("%s: %d of 100 accounts, want 50", name, got)
		}
	}
	// Callers without a network have no site in common.
	l := limit.NewLocal(clocktest.StoppedAt(time.Now()), 100)
	for n := range 200 {
		l.Take(t.Context(), limit.Caller{Project: fmt.Sprint(n)}, r, 1)
	}
	if got := l.Len(); got != 100 {
		t.Errorf("callers without a network: %d of 100 accounts, want all", got)
	}
}

func TestOnlyAsManyHoldAsAreRemembered(t *testing.T) {
	l := limit.NewLocal(clock.System{}, 3)
	s := limit.Share{Name: "sockets", Each: 1}
	var releases []func()
	for n := range uint32(3) {
		release, ok := l.Hold(t.Context(), numbered(n), s, 1)
		if !ok {
			t.Fatalf("caller %d was refused", n)
		}
		releases = append(releases, release)
	}
	if _, ok := l.Hold(t.Context(), numbered(3), s, 1); ok {
		t.Error("a caller holds something for whom there is no room")
	}
	if _, ok := l.Hold(t.Context(), numbered(0), limit.Share{Name: "streams", Each: 1}, 1); !ok {
		t.Error("a caller that is remembered was refused")
	}
	releases[1]()
	if _, ok := l.Hold(t.Context(), numbered(3), s, 1); !ok {
		t.Error("a caller was refused although another one holds nothing any more")
	}
}

func TestARateIsCountedWhoeverHoldsSomething(t *testing.T) {
	l := limit.NewLocal(clocktest.StoppedAt(time.Now()), 3)
	r, s := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 1}, limit.Share{Name: "sockets", Each: 1}
	for n := range uint32(3) {
		l.Hold(t.Context(), numbered(n), s, 1)
		l.Take(t.Context(), numbered(100+n), r, 1)
	}
	if wait := l.Take(t.Context(), numbered(50), r, 1); wait != 0 {
		t.Errorf("a new caller waits %s", wait)
	}
	if l.Take(t.Context(), numbered(50), r, 1) == 0 {
		t.Error("a caller without an account took twice what it may")
	}
}

func TestAMillionCallersTakeNoMoreMemoryThanTheBound(t *testing.T) {
	const bound = 10_000
	ctx := t.Context()
	l := limit.NewLocal(clock.System{}, bound)
	come := func(from, to uint32) {
		for n := from; n < to; n++ {
			c := numbered(n)
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
	// Those that are idle are forgotten up to eight at a time.
	if got := l.Len(); got > bound || got < bound-8 {
		t.Errorf("%d callers have accounts, want %d", got, bound)
	}
	// A caller takes some 160 bytes: 900,000 more of them would take 144 MB.
	if after > before+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	t.Logf("%d bytes at the bound, %d after a million callers", before, after)
	runtime.KeepAlive(l)
}

func TestACallTakesNoMemory(t *testing.T) {
	r := limit.Rate{Name: "requests", PerSecond: 1, Burst: 1e9}
	for name, most := range map[string]int{"with accounts": 100, "without an account": 1} {
		l := limit.NewLocal(clocktest.StoppedAt(time.Now()), most)
		l.Take(t.Context(), numbered(1), r, 1)
		c := limit.CallerOf("p", "2001:db8::1")
		if n := testing.AllocsPerRun(100, func() { l.Take(t.Context(), c, r, 1) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestAccountsAndCallersWithoutOneAreMeasured(t *testing.T) {
	reader := metric.NewManualReader()
	before := otel.GetMeterProvider()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	defer otel.SetMeterProvider(before)
	l := limit.NewLocal(clocktest.StoppedAt(time.Now()), 4)
	stop := l.Observe("orders")
	for n := range uint32(7) {
		l.Take(t.Context(), numbered(n), limit.Rate{Name: "requests", PerSecond: 1, Burst: 2}, 1)
	}
	if got := measured(t, reader); got["hawser.limit.accounts"] != 4 || got["hawser.limit.without_account"] != 3 {
		t.Errorf("measured %v, want 4 accounts, and 3 callers without one", got)
	}
	stop()
	if got := measured(t, reader); len(got) != 0 {
		t.Errorf("measured %v after the end", got)
	}
}

// measured returns what is measured for the service of the test, by the name of the metric.
func measured(t *testing.T, reader metric.Reader) map[string]int64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	found := map[string]int64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			var points []metricdata.DataPoint[int64]
			switch data := m.Data.(type) {
			case metricdata.Gauge[int64]:
				points = data.DataPoints
			case metricdata.Sum[int64]:
				points = data.DataPoints
			}
			for _, point := range points {
				if service, ok := point.Attributes.Value("service"); ok && service.AsString() == "orders" {
					found[m.Name] = point.Value
				}
			}
		}
	}
	return found
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The budget of a process in gateway/cmd/hawser counts with these.
func TestWhatACallerTakes(t *testing.T) {
	const callers, accountBytes, holderBytes = 40_000, 180, 260
	l := limit.NewLocal(clocktest.StoppedAt(time.Now()), callers)
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 2}
	before := heap()
	for n := range uint32(2 * callers) {
		l.Take(t.Context(), numbered(n), r, 1)
	}
	if each := float64(heap()-before) / callers; each > accountBytes {
		t.Errorf("a caller takes %.0f bytes, want %d at most", each, accountBytes)
	} else {
		t.Logf("a caller takes %.0f bytes, with what counts as many without an account", each)
	}
	before = heap()
	for n := range uint32(callers) {
		if _, ok := l.Hold(t.Context(), numbered(n), limit.Share{Name: "sockets", Each: 1}, 1); !ok {
			t.Fatal("refused within the share")
		}
	}
	if each := float64(heap()-before) / callers; each > holderBytes {
		t.Errorf("one that holds something takes %.0f bytes, want %d at most", each, holderBytes)
	} else {
		t.Logf("one that holds something takes %.0f bytes", each)
	}
	runtime.KeepAlive(l)
}
