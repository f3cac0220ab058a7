package leases_test

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/limit/leases"
	"github.com/hawser-dev/hawser/services/platform/limit/limittest"
)

var alice = limit.CallerOf("p", "192.0.2.1")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTheLimiterOfReplicas(t *testing.T) {
	limittest.Run(t, func(t *testing.T, c *clocktest.Stopped, callers int) limit.Limiter {
		// As many as have leases have an account without one.
		return replica(t, bustest.Server(t), c, leases.Config{Callers: callers / 2})
	})
}

func TestAFewAnHourAreAsManyOverThreeReplicas(t *testing.T) {
	c := clocktest.StoppedAt(time.Now())
	all := replicas(t, bustest.Server(t), c, 3)
	r := limit.PerHour("orders", 5)
	for n := range 5 {
		if wait := all[n%3].Take(t.Context(), alice, r, 1); wait != 0 {
			t.Fatalf("order %d of 5: wait %s", n+1, wait)
		}
	}
	for n, l := range all {
		if wait := l.Take(t.Context(), alice, r, 1); wait < 11*time.Minute || wait > 12*time.Minute+time.Second {
			t.Errorf("a sixth at replica %d: wait %s, want 12 minutes", n+1, wait)
		}
	}
}

func TestWhatIsOwedToOneReplicaIsOwedToAll(t *testing.T) {
	c := clocktest.StoppedAt(time.Now())
	all := replicas(t, bustest.Server(t), c, 2)
	r := limit.Rate{Name: "requests", PerSecond: 10, Burst: 100}
	all[0].Owe(t.Context(), alice, r, 150)
	eventually(t, "the other replica refuses", func() bool { return all[1].Take(t.Context(), limit.CallerOf("p", "192.0.2.1"), r, 1) > 4*time.Second })
}

func TestARateHoldsOverThreeReplicas(t *testing.T) {
	const seconds = 20
	r := limit.Rate{Name: "requests", PerSecond: 50, Burst: 500}
	for name, share := range map[string][]int{
		"evenly":           {1, 1, 1},
		"unevenly":         {8, 2, 1},
		"to one alone":     {1, 0, 0},
		"to each in turns": nil,
	} {
		t.Run(name, func(t *testing.T) {
			c := clocktest.StoppedAt(time.Now())
			url := bustest.Server(t)
			all := replicas(t, url, c, 3)
			taken := 0
			for step := range seconds * 100 {
				for which, l := range all {
					n := 3
					if share != nil {
						n = share[which]
					} else if step/100%3 != which {
						n = 0
					}
					for range n {
						if l.Take(t.Context(), alice, r, 1) == 0 {
							taken++
						}
					}
				}
				c.Pass(10 * time.Millisecond)
			}
			want := 500 + 50*seconds
			t.Logf("%d were taken, one replica would allow %d", taken, want)
			if taken < want*9/10 || taken > want*11/10 {
				t.Errorf("%d were taken, want %d to within 10 percent", taken, want)
			}
		})
	}
}

// Tokens that replicas lease ahead must not make a later burst more than a tenth larger.
func TestABurstAfterAPauseIsOneBurst(t *testing.T) {
	c := clocktest.StoppedAt(time.Now())
	all := replicas(t, bustest.Server(t), c, 3)
	r := limit.Rate{Name: "requests", PerSecond: 50, Burst: 500}
	for round := range 3 {
		taken := 0
		var mu sync.Mutex
		var done sync.WaitGroup
		for n := range 1200 {
			done.Go(func() {
				if all[n%3].Take(t.Context(), alice, r, 1) == 0 {
					mu.Lock()
					taken++
					mu.Unlock()
				}
			})
		}
		done.Wait()
		if taken < 450 || taken > 550 {
			t.Errorf("burst %d: %d were taken, want 500 to within 10 percent", round+1, taken)
		}
		c.Pass(time.Minute)
	}
}

func TestAShareHoldsOverThreeReplicas(t *testing.T) {
	url, c := bustest.Server(t), clocktest.StoppedAt(time.Now())
	s := limit.Share{Name: "sockets", Each: 10}
	all := []*leases.Limiter{newReplica(t, url, c), newReplica(t, url, c), newReplica(t, url, c)}
	for n := range 10 {
		if _, ok := all[n%2].Hold(t.Context(), alice, s, 1); !ok {
			t.Fatalf("%d within the share was refused", n+1)
		}
	}
	if _, ok := all[2].Hold(t.Context(), alice, s, 1); ok {
		t.Error("a third replica held more than the share")
	}
	if _, ok := all[2].Hold(t.Context(), limit.CallerOf("p", "192.0.2.2"), s, 10); !ok {
		t.Error("another caller was refused")
	}
}

func TestWhatAReplicaHeldIsFreeOnceItEnds(t *testing.T) {
	url, c := bustest.Server(t), clocktest.StoppedAt(time.Now())
	s := limit.Share{Name: "sockets", Each: 2}
	ends, end := runReplica(t, url, c)
	if _, ok := ends.Hold(t.Context(), alice, s, 2); !ok {
		t.Fatal("refused within the share")
	}
	stays, _ := runReplica(t, url, c)
	if _, ok := stays.Hold(t.Context(), alice, s, 1); ok {
		t.Fatal("more than the share is held")
	}
	end()
	eventually(t, "the share of a replica that ended is free", func() bool {
		_, ok := stays.Hold(t.Context(), alice, s, 2)
		return ok
	})
}

func TestARecordIsWrittenAgainBeforeItExpiresWhileSomethingIsHeld(t *testing.T) {
	url, c := bustest.Server(t), clocktest.StoppedAt(time.Now())
	l, _ := runReplica(t, url, c)
	release, ok := l.Hold(t.Context(), alice, limit.Share{Name: "sockets", Each: 2}, 1)
	if !ok {
		t.Fatal("refused within the share")
	}
	defer release()
	held := func() uint64 {
		t.Helper()
		msg, err := streamOf(t, url, "HAWSER_HELD").GetLastMsgForSubject(t.Context(), "hawser.held.test.*")
		if err != nil {
			t.Fatal(err)
		}
		return msg.Sequence
	}
	// The lifetime of a record is 48 hours.
	for range 3 {
		before := held()
		c.Pass(24 * time.Hour)
		eventually(t, "the record is written again", func() bool { return held() > before })
	}
}

func TestManyRatesLeaveWhatIsHeld(t *testing.T) {
	url, c := bustest.Server(t), clocktest.StoppedAt(time.Now())
	holds, other := newReplica(t, url, c), newReplica(t, url, c)
	s := limit.Share{Name: "sockets", Each: 2}
	if _, ok := holds.Hold(t.Context(), alice, s, 2); !ok {
		t.Fatal("refused within the share")
	}
	fill(t, url, "hawser.limits.test.rate")
	if _, ok := other.Hold(t.Context(), alice, s, 1); ok {
		t.Error("the record of what is held was lost")
	}
	fill(t, url, "hawser.held.test")
	if _, ok := other.Hold(t.Context(), alice, s, 1); ok {
		t.Error("the record of what is held was lost to other records of the same kind")
	}
	if _, ok := other.Hold(t.Context(), limit.CallerOf("p", "192.0.2.99"), s, 1); !ok {
		t.Error("a caller without a record is not counted by the replica alone")
	}
}

// fill writes more records than any stream has room for.
func fill(t *testing.T, url, subject string) {
	t.Helper()
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	record := make([]byte, 512<<10)
	for i := range 80 {
		_, _ = js.Publish(t.Context(), fmt.Sprintf("%s.%d", subject, i), record)
	}
	// The rest is too little for one more.
	for i := range 2000 {
		if _, err := js.Publish(t.Context(), fmt.Sprintf("%s.small%d", subject, i), record[:1<<10]); err != nil {
			return
		}
	}
}

func TestACallWaitsForFewRequestsWhileOthersWriteTheRecord(t *testing.T) {
	l := replica(t, bustest.Server(t), clocktest.StoppedAt(time.Now()), leases.Config{Timeout: 50 * time.Millisecond})
	conflicts := l.Conflict()
	if wait := l.Take(t.Context(), alice, limit.Rate{Name: "requests", PerSecond: 1, Burst: 10}, 1); wait != 0 {
		t.Errorf("the part of the rate that is this replica's is refused for %s", wait)
	}
	// The last one may have begun just before the call returned.
	if got := conflicts.Requests(); got < 1 || got > 3 {
		t.Errorf("the call waited for %d requests, want 2", got)
	}
}

func TestWithoutNATSEachReplicaAllowsItsPart(t *testing.T) {
	url, restart := bustest.RestartableServer(t)
	c := clocktest.StoppedAt(time.Now())
	first, _ := runReplica(t, url, c)
	second, _ := runReplica(t, url, c)
	// Heartbeats use the server's time, which passes: only the burst counts here.
	r := limit.Rate{Name: "requests", PerSecond: 0.01, Burst: 100}
	// The first replica learns of the second from a heartbeat.
	eventually(t, "both replicas are known", func() bool { return first.Replicas() == 2 && second.Replicas() == 2 })
	restart(func() {
		for _, l := range []*leases.Limiter{first, second} {
			taken := 0
			for range 200 {
				if l.Take(t.Context(), alice, r, 1) == 0 {
					taken++
				}
			}
			if taken != 50 {
				t.Errorf("%d were taken by one of two replicas, want 50", taken)
			}
			releases := 0
			for range 20 {
				if _, ok := l.Hold(t.Context(), alice, limit.Share{Name: "sockets", Each: 10}, 1); ok {
					releases++
				}
			}
			if releases != 5 {
				t.Errorf("%d are held at one of two replicas, want 5", releases)
			}
		}
	})
	other := limit.CallerOf("p", "192.0.2.9")
	eventually(t, "the replicas share again", func() bool { return !first.Alone() && !second.Alone() })
	taken := 0
	for n := range 300 {
		if []*leases.Limiter{first, second}[n%2].Take(t.Context(), other, r, 1) == 0 {
			taken++
		}
	}
	if taken != 100 {
		t.Errorf("%d were taken once NATS was back, want 100", taken)
	}
	eventually(t, "what was held meanwhile counts", func() bool {
		release, ok := first.Hold(t.Context(), alice, limit.Share{Name: "sockets", Each: 11}, 1)
		if !ok {
			return false
		}
		defer release()
		_, ok = second.Hold(t.Context(), alice, limit.Share{Name: "sockets", Each: 11}, 1)
		return !ok
	})
}

// A caller that was refused causes no request to NATS, however often it tries.
func TestACallerOverItsRateCostsNoRequest(t *testing.T) {
	url, c := bustest.Server(t), clocktest.StoppedAt(time.Now())
	l := newReplica(t, url, c)
	r := limit.PerHour("orders", 3)
	for range 3 {
		l.Take(t.Context(), alice, r, 1)
	}
	before := written(t, url)
	for range 1000 {
		if l.Take(t.Context(), alice, r, 1) == 0 {
			t.Fatal("taken over the rate")
		}
	}
	if after := written(t, url); after != before {
		t.Errorf("%d records were written for a caller that was refused", after-before)
	}
}

func TestWhatASiteIsRefusedWritesNoRecordOfItsNetworks(t *testing.T) {
	url, c := bustest.Server(t), clocktest.StoppedAt(time.Now())
	l := newReplica(t, url, c)
	r := limit.PerHour("orders", 1)
	// A network in each of the /56s of one /48.
	of := func(i int) limit.Caller { return limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", i<<8)) }
	for i := range 16 {
		if l.Take(t.Context(), of(i), r, 1) != 0 {
			t.Fatal("refused within the rate")
		}
	}
	before := stored(t, url)
	for i := 16; i < 66; i++ {
		if l.Take(t.Context(), of(i), r, 1) == 0 {
			t.Fatal("taken over the rate")
		}
	}
	if after := stored(t, url); after != before {
		t.Errorf("%d records were written for networks whose site was refused", after-before)
	}
}

// The lifetime of a record is the time until its bucket is full: a second here.
func TestIdleCallersLeaveNothing(t *testing.T) {
	url := bustest.Server(t)
	l := newReplica(t, url, clock.System{})
	r := limit.Rate{Name: "requests", PerSecond: 100, Burst: 20}
	for n := range 50 {
		l.Take(t.Context(), limit.CallerOf("p", fmt.Sprintf("192.0.2.%d", n)), r, 1)
	}
	if got := stored(t, url); got < 50 {
		t.Fatalf("%d records are stored", got)
	}
	// The remaining record is the replica's own.
	eventually(t, "the records of idle callers expire", func() bool { return stored(t, url) == 1 })
}

func TestTheCallersOfAReplicaAreBounded(t *testing.T) {
	const bound = 100
	l := replica(t, bustest.Server(t), clocktest.StoppedAt(time.Now()), leases.Config{Callers: bound})
	for n := range uint32(5 * bound) {
		addr := netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)})
		l.Take(t.Context(), limit.Caller{Network: netip.PrefixFrom(addr, 32)}, limit.Rate{Name: "requests", PerSecond: 1, Burst: 5}, 1)
	}
	if l.Len() > bound {
		t.Errorf("%d callers are remembered, want %d", l.Len(), bound)
	}
}

// full opens a replica of which others, callers of the named projects, have all leases, and owe.
func full(t *testing.T, url string, c clock.Clock, others string, callers int) *leases.Limiter {
	t.Helper()
	l := replica(t, url, c, leases.Config{Callers: callers})
	for n := range callers {
		other := limit.CallerOf(fmt.Sprintf("%s %d", others, n), fmt.Sprintf("198.51.100.%d", n))
		if wait := l.Take(t.Context(), other, limit.Rate{Name: "others", PerSecond: 1e-6, Burst: 1}, 1); wait != 0 {
			t.Fatalf("caller %d waits %s", n, wait)
		}
	}
	if n := l.Len(); n != callers {
		t.Fatalf("%d leases, want %d", n, callers)
	}
	return l
}

func TestCallersWithoutALeaseCostNoRequest(t *testing.T) {
	url := bustest.Server(t)
	l := full(t, url, clocktest.StoppedAt(time.Now()), "others", 8)
	before := written(t, url)
	for n := range 1000 {
		l.Take(t.Context(), limit.CallerOf(fmt.Sprint(n), fmt.Sprintf("192.0.%d.%d", n/200, n%200)), limit.Rate{Name: "requests", PerSecond: 1, Burst: 10_000}, 1)
	}
	if after := written(t, url); after != before {
		t.Errorf("%d records were written for callers without a lease", after-before)
	}
	if n := l.Len(); n != 8 {
		t.Errorf("%d callers have a lease, want the 8 that owe", n)
	}
}

func TestReplicasWithoutALeaseForACallerAllowWhatOneDoes(t *testing.T) {
	url, c := bustest.Server(t), clocktest.StoppedAt(time.Now())
	first, second := full(t, url, c, "some", 8), full(t, url, c, "more", 8)
	for _, l := range []*leases.Limiter{first, second} {
		if err := l.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 100}
	taken := 0
	for n := range 400 {
		if []*leases.Limiter{first, second}[n%2].Take(t.Context(), alice, r, 1) == 0 {
			taken++
		}
	}
	if taken != 100 {
		t.Errorf("%d were taken at two replicas, want 100", taken)
	}
}

// The /48 around a caller has a lease, and the networks within it have none.
func TestWhatANetworkTakesWithoutALeaseCountsForItsSite(t *testing.T) {
	l := replica(t, bustest.Server(t), clocktest.StoppedAt(time.Now()), leases.Config{Callers: 2})
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 10}
	taken := 0
	for n := range 100 {
		c := limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", n<<8))
		for l.Take(t.Context(), c, r, 1) == 0 {
			taken++
		}
	}
	if n := l.Len(); n != 1 {
		t.Fatalf("%d leases, want that of the site", n)
	}
	if taken != 160 {
		t.Errorf("a /48 took %d, want 160", taken)
	}
}

func TestTheRecordsThatHaveToBeWrittenAreBounded(t *testing.T) {
	const bound = 100
	url, restart := bustest.RestartableServer(t)
	l := replica(t, url, clocktest.StoppedAt(time.Now()), leases.Config{Callers: bound, Timeout: 250 * time.Millisecond})
	restart(func() {
		for n := range 5 * bound {
			caller := limit.CallerOf("p", fmt.Sprintf("10.0.%d.%d", n/256, n%256))
			release, ok := l.Hold(t.Context(), caller, limit.Share{Name: "sockets", Each: 2}, 1)
			if !ok {
				t.Fatalf("caller %d was refused", n)
			}
			release()
		}
	})
	if n := l.Stale(); n == 0 || n > bound {
		t.Errorf("%d records have to be written, want at most %d", n, bound)
	}
}

func TestWhatIsHeldIsNeverLeftOutOfWhatHasToBeWritten(t *testing.T) {
	l := replica(t, bustest.Server(t), clocktest.StoppedAt(time.Now()), leases.Config{Callers: 1})
	var releases []func()
	for _, name := range []string{"sockets", "streams", "checkouts", "mails"} {
		release, ok := l.Hold(t.Context(), alice, limit.Share{Name: name, Each: 1}, 1)
		if !ok {
			t.Fatalf("%s: refused within the share", name)
		}
		releases = append(releases, release)
	}
	l.WriteAllHolds()
	releases[0]()
	if n := l.Stale(); n != 4 {
		t.Errorf("%d records have to be written, want those of three holds, and of one that ended", n)
	}
}

func TestNoRecordNamesAProjectOrAnAddress(t *testing.T) {
	url := bustest.Server(t)
	l := newReplica(t, url, clocktest.StoppedAt(time.Now()))
	caller := limit.CallerOf("0123456789abcdef0123456789abcdef", "192.0.2.77")
	l.Take(t.Context(), caller, limit.Rate{Name: "requests", PerSecond: 1, Burst: 5}, 1)
	l.Hold(t.Context(), caller, limit.Share{Name: "sockets", Each: 2}, 1)
	var subjects []string
	for _, name := range []string{"HAWSER_LIMITS", "HAWSER_HELD"} {
		info, err := streamOf(t, url, name).Info(t.Context(), jetstream.WithSubjectFilter(">"))
		if err != nil {
			t.Fatal(err)
		}
		subjects = slices.AppendSeq(subjects, maps.Keys(info.State.Subjects))
	}
	if len(subjects) != 3 {
		t.Errorf("%d records, want those of the replica, the rate and the share", len(subjects))
	}
	for _, subject := range subjects {
		for _, private := range []string{caller.Project, "192.0.2", "192_0_2"} {
			if strings.Contains(subject, private) {
				t.Errorf("%s names %s", subject, private)
			}
		}
	}
}

// No call waits for a server that accepts connections and does not answer.
func TestNoCallWaitsForAFrozenServer(t *testing.T) {
	url := bustest.Server(t)
	frozen := newRelay(t, url)
	l := replica(t, frozen.url, clock.System{}, leases.Config{Timeout: 250 * time.Millisecond})
	frozen.freeze()
	r := limit.Rate{Name: "requests", PerSecond: 1, Burst: 1000}
	begun := time.Now()
	for range 500 {
		if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
			t.Fatalf("wait %s", wait)
		}
	}
	// 500 that wait take at least two minutes.
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("500 requests took %s: only the first may wait", took)
	}
	if !l.Alone() {
		t.Error("the replica does not report that it counts alone")
	}
}

// relay is a TCP proxy of a server that can stop forwarding.
type relay struct {
	url    string
	frozen atomic.Bool
}

func newRelay(t *testing.T, url string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{url: "nats://" + listener.Addr().String()}
	var all sync.WaitGroup
	var conns []net.Conn
	var mu sync.Mutex
	carry := func(to, from net.Conn) {
		buffer := make([]byte, 32<<10)
		for {
			n, err := from.Read(buffer)
			if err != nil {
				return
			}
			if !r.frozen.Load() {
				_, _ = to.Write(buffer[:n])
			}
		}
	}
	all.Go(func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", url[len("nats://"):])
			if err != nil {
				_ = in.Close()
				return
			}
			mu.Lock()
			conns = append(conns, in, out)
			mu.Unlock()
			all.Go(func() { carry(in, out) })
			all.Go(func() { carry(out, in) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		mu.Lock()
		for _, c := range conns {
			_ = c.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	return r
}

func (r *relay) freeze() { r.frozen.Store(true) }

// replica opens a limiter for the length of the test. It knows only the replicas that run now, because Run is not
// called.
func replica(t *testing.T, url string, c clock.Clock, cfg leases.Config) *leases.Limiter {
	t.Helper()
	conn, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond), nats.ReconnectBufSize(-1))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Service = "test"
	if cfg.Timeout == 0 {
		// A busy machine must not make the replica count by itself.
		cfg.Timeout = 20 * time.Second
	}
	l, err := leases.New(t.Context(), conn, c, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		conn.Close()
	})
	return l
}

func newReplica(t *testing.T, url string, c clock.Clock) *leases.Limiter {
	t.Helper()
	return replica(t, url, c, leases.Config{})
}

// replicas opens several limiters that know each other.
func replicas(t *testing.T, url string, c clock.Clock, n int) (all []limit.Limiter) {
	t.Helper()
	for range n {
		all = append(all, newReplica(t, url, c))
	}
	for _, l := range all {
		if err := l.(*leases.Limiter).Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.(*leases.Limiter).UseOwnClock()
	}
	return all
}

// runReplica opens a limiter that detects replicas that start and stop, until end is called.
func runReplica(t *testing.T, url string, c clock.Clock) (l *leases.Limiter, end func()) {
	t.Helper()
	l = replica(t, url, c, leases.Config{Heartbeat: 50 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = l.Run(ctx)
	}()
	end = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(end)
	return l, end
}

func stream(t *testing.T, url string) jetstream.Stream {
	t.Helper()
	return streamOf(t, url, "HAWSER_LIMITS")
}

func streamOf(t *testing.T, url, name string) jetstream.Stream {
	t.Helper()
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// written is how many records were ever written, stored how many there are.
func written(t *testing.T, url string) uint64 {
	t.Helper()
	return stream(t, url).CachedInfo().State.LastSeq
}

func stored(t *testing.T, url string) uint64 {
	t.Helper()
	return stream(t, url).CachedInfo().State.Msgs
}

// eventually waits until holds returns true, for what NATS and other replicas do asynchronously.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}
