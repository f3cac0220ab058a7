// Package limittest is the conformance suite of [limit.Limiter].
package limittest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

var (
	alice = limit.CallerOf("p", "192.0.2.1")
	bob   = limit.CallerOf("p", "192.0.2.2")
	carol = limit.CallerOf("p", "192.0.2.3")
)

// counted is how many callers the limiters of the suite count exactly where the others have no room.
const counted = 8

type test func(t *testing.T, l limit.Limiter, c *clocktest.Stopped)

// Run runs the suite. Each call of open returns a new limiter that uses the clock, and has accounts for this many callers altogether; 0 is the default.
func Run(t *testing.T, open func(t *testing.T, c *clocktest.Stopped, callers int) limit.Limiter) {
	// alone are the tests in which one caller uses rates.
	alone := map[string]test{
		"a rate is a burst and then an average":              burstAndAverage,
		"what is charged afterwards is owed":                 owed,
		"a call weighs what it takes":                        weighed,
		"a call above the burst needs a full bucket":         aboveTheBurst,
		"a rate of 0 is no limit":                            noLimit,
		"a rate of a few an hour is exact":                   fewAnHour,
		"a large burst may come at once":                     largeBurst,
		"many at once take no more than there is":            manyAtOnce,
		"a clock that goes back neither refuses nor refills": clockGoesBack,
	}
	for name, test := range alone {
		t.Run(name, func(t *testing.T) {
			c := clocktest.StoppedAt(time.Now())
			test(t, open(t, c, 0), c)
		})
		t.Run(name+", without an account", func(t *testing.T) {
			c := clocktest.StoppedAt(time.Now())
			l := open(t, c, counted)
			for i := range counted {
				// It is full again after the test.
				use(t, l, other(i), limit.Rate{Name: "others", PerSecond: 1e-6, Burst: 1})
			}
			test(t, l, c)
		})
	}
	for name, test := range map[string]test{
		"many networks of one site share rates":             manyNetworks,
		"a call that is refused takes nothing":              refusedTakesNothing,
		"many networks of one site share what they hold":    manyNetworksHold,
		"callers and rates are counted apart":               countedApart,
		"a caller holds no more than its share":             shares,
		"all callers hold no more than there is":            total,
		"networks of one site hold a part of the total":     manyNetworksOfATotal,
		"projects of one address hold a part of the total":  manyProjectsOfATotal,
		"a network may use the service once a part is left": reserve,
		"releasing twice counts once":                       releasedTwice,
		"many at once hold no more than their share":        manyHold,
	} {
		t.Run(name, func(t *testing.T) {
			c := clocktest.StoppedAt(time.Now())
			test(t, open(t, c, 0), c)
		})
	}
	for name, test := range map[string]test{
		"callers who owe are not forgotten for new ones":               oweAndAreRemembered,
		"an account begins with what was counted without it":           accountAfterwards,
		"what is owed without an account is owed with it":              oweAfterwards,
		"many who use little without an account refuse nothing to one": manyUseLittle,
	} {
		t.Run(name, func(t *testing.T) {
			c := clocktest.StoppedAt(time.Now())
			test(t, open(t, c, counted), c)
		})
	}
}

// other returns one of the callers that have nothing in common.
func other(i int) limit.Caller {
	return limit.CallerOf(fmt.Sprintf("other %d", i), fmt.Sprintf("198.51.%d.%d", 100+i/250, i%250))
}

// use takes 1 from a rate, which must succeed.
func use(t *testing.T, l limit.Limiter, c limit.Caller, r limit.Rate) {
	t.Helper()
	if wait := l.Take(t.Context(), c, r, 1); wait != 0 {
		t.Fatalf("%v waits %s for %s", c, wait, r.Name)
	}
}

// taken returns how often 1 can be taken from a rate.
func taken(t *testing.T, l limit.Limiter, c limit.Caller, r limit.Rate) (n int) {
	t.Helper()
	for l.Take(t.Context(), c, r, 1) == 0 {
		if n++; n > 1000 {
			t.Fatal("there is no limit")
		}
	}
	return n
}

func oweAndAreRemembered(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 100}
	for i := range counted {
		l.Owe(t.Context(), other(i), r, 100)
	}
	// Altogether they take less than one of them may.
	for i := counted; i < counted+90; i++ {
		use(t, l, other(i), r)
	}
	c.Pass(time.Minute)
	for i := range counted {
		if n := taken(t, l, other(i), r); n != 0 {
			t.Errorf("caller %d took %d more than its burst, because there were others", i+1, n)
		}
	}
}

// accountAfterwards uses up a burst while the others have all accounts. Then they have used nothing for so long that there is room.
func accountAfterwards(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	quick := limit.Rate{Name: "quick", PerSecond: 0.1, Burst: 2}
	slow := limit.Rate{Name: "slow", PerSecond: 0.001, Burst: 10}
	sum := 0
	for range 4 {
		for i := range counted {
			use(t, l, other(i), quick)
		}
		sum += taken(t, l, alice, slow)
		c.Pass(time.Minute)
		sum += taken(t, l, alice, slow)
	}
	if sum != 10 {
		t.Errorf("%d were taken in 4 minutes, want the burst of 10", sum)
	}
	c.Pass(1000 * time.Second)
	if n := taken(t, l, alice, slow); n != 1 {
		t.Errorf("%d were taken in the 1000 seconds after that, want 1", n)
	}
}

func oweAfterwards(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	quick := limit.Rate{Name: "quick", PerSecond: 0.1, Burst: 2}
	slow := limit.Rate{Name: "slow", PerSecond: 0.1, Burst: 100}
	for i := range counted {
		use(t, l, other(i), quick)
	}
	l.Owe(t.Context(), alice, slow, 150)
	c.Pass(time.Minute)
	about(t, "what is owed", l.Take(t.Context(), alice, slow, 1), 450*time.Second)
	c.Pass(451 * time.Second)
	if n := taken(t, l, alice, slow); n != 1 {
		t.Errorf("%d were taken once it was paid, want 1", n)
	}
}

// manyUseLittle has altogether less than one may use, so the test does not depend on which cells they share.
func manyUseLittle(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 500}
	for i := range counted {
		l.Owe(t.Context(), other(i), r, 500)
	}
	for i := counted; i < counted+400; i++ {
		use(t, l, other(i), r)
	}
	for range 90 {
		use(t, l, alice, r)
	}
}

func burstAndAverage(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 2, Burst: 3}
	for range 3 {
		if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
			t.Fatalf("within the burst: wait %s", wait)
		}
	}
	about(t, "over the burst", l.Take(t.Context(), alice, r, 1), 500*time.Millisecond)
	c.Pass(501 * time.Millisecond)
	if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
		t.Errorf("after the wait: wait %s", wait)
	}
	c.Pass(time.Hour)
	for range 3 {
		if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
			t.Errorf("after an hour: wait %s", wait)
		}
	}
	about(t, "an hour later, over the burst", l.Take(t.Context(), alice, r, 1), 500*time.Millisecond)
}

func owed(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 2, Burst: 3}
	l.Owe(t.Context(), alice, r, 5)
	about(t, "what is owed", l.Take(t.Context(), alice, r, 1), 1500*time.Millisecond)
	l.Owe(t.Context(), alice, r, 1000)
	about(t, "what is owed at most", l.Take(t.Context(), alice, r, 1), 2*time.Second)
	c.Pass(2001 * time.Millisecond)
	if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
		t.Errorf("once it is paid: wait %s", wait)
	}
}

func weighed(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 10, Burst: 100}
	if wait := l.Take(t.Context(), alice, r, 70); wait != 0 {
		t.Fatalf("within the burst: wait %s", wait)
	}
	about(t, "more than is left", l.Take(t.Context(), alice, r, 50), 2*time.Second)
	if wait := l.Take(t.Context(), alice, r, 25); wait != 0 {
		t.Errorf("what is left after that: wait %s", wait)
	}
	if wait := l.Take(t.Context(), alice, r, 10); wait <= 0 {
		t.Error("more was taken than there was")
	}
}

func aboveTheBurst(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 10, Burst: 100}
	if wait := l.Take(t.Context(), alice, r, 20); wait != 0 {
		t.Fatalf("within the burst: wait %s", wait)
	}
	about(t, "above the burst", l.Take(t.Context(), alice, r, 1000), time.Second)
	c.Pass(3 * time.Second)
	if wait := l.Take(t.Context(), alice, r, 1000); wait != 0 {
		t.Errorf("with a full bucket: wait %s", wait)
	}
	about(t, "the call after that, which waits for one burst at most", l.Take(t.Context(), alice, r, 1), 10100*time.Millisecond)
}

// manyNetworks takes from every /64 of a /56 and of a /48.
func manyNetworks(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 10}
	taken := func(first, last int) (n int) {
		for i := first; i <= last; i++ {
			for range 10 {
				if l.Take(t.Context(), limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", i)), r, 1) == 0 {
					n++
				}
			}
		}
		return n
	}
	if n := taken(0, 0); n != 10 {
		t.Errorf("one /64 took %d, want 10", n)
	}
	if n := taken(1, 9); n != 30 {
		t.Errorf("a /56 took %d more, want 30", n)
	}
	if n := taken(0x100, 0x103) + taken(0x200, 0x203) + taken(0x300, 0x303) + taken(0x400, 0x403); n != 120 {
		t.Errorf("a /48 took %d more, want 120", n)
	}
	if wait := l.Take(t.Context(), limit.CallerOf("p", "2001:db8:1::1"), r, 1); wait != 0 {
		t.Errorf("another /48 waits %s", wait)
	}
	if wait := l.Take(t.Context(), limit.CallerOf("p", "2001:db8:0:1::1"), r, 1); wait <= 0 {
		t.Error("a /64 took what its /48 has not")
	}
}

// refusedTakesNothing refuses calls above the burst, for want of what a /64 has and of what the /48 around others has.
func refusedTakesNothing(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 10}
	of := func(network int) limit.Caller { return limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", network)) }
	taken := func(network int) (n int) {
		for range 20 {
			if l.Take(t.Context(), of(network), r, 1) == 0 {
				n++
			}
		}
		return n
	}
	sum := taken(0)
	for range 3 {
		if l.Take(t.Context(), of(0), r, 1000) == 0 {
			t.Fatal("taken from an empty bucket")
		}
	}
	for i := range 20 {
		sum += taken(i << 8)
	}
	if sum != 160 {
		t.Errorf("a /48 took %d, want 160", sum)
	}
	for range 3 {
		if l.Take(t.Context(), of(0x8000), r, 1000) == 0 {
			t.Fatal("taken from a /48 that has nothing")
		}
	}
	c.Pass(10_000_000 * time.Second)
	if n := taken(0x8000); n != 10 {
		t.Errorf("a /64 took %d, want 10", n)
	}
}

// manyNetworksHold holds in many /64s of one /48.
func manyNetworksHold(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	s := limit.Share{Name: "sockets", Each: 2}
	held := func(first, last int) (n int) {
		for i := first; i <= last; i++ {
			for range 2 {
				if _, ok := l.Hold(t.Context(), limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", i)), s, 1); ok {
					n++
				}
			}
		}
		return n
	}
	if n := held(0, 9); n != 8 {
		t.Errorf("a /56 holds %d, want 8", n)
	}
	if n := held(0x100, 0x104) + held(0x200, 0x204) + held(0x300, 0x304) + held(0x400, 0x404); n != 24 {
		t.Errorf("a /48 holds %d more, want 24", n)
	}
	hold(t, l, limit.CallerOf("p", "2001:db8:1::1"), s, 2)
}

func noLimit(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	for range 10 {
		if wait := l.Take(t.Context(), alice, limit.Rate{Name: "none"}, 1000); wait != 0 {
			t.Errorf("no limit: wait %s", wait)
		}
		l.Owe(t.Context(), alice, limit.Rate{Name: "none"}, 1000)
	}
}

func fewAnHour(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	r := limit.PerHour("orders", 5)
	for range 5 {
		if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
			t.Fatalf("within the hour: wait %s", wait)
		}
	}
	about(t, "the sixth", l.Take(t.Context(), alice, r, 1), 12*time.Minute)
	c.Pass(12*time.Minute + time.Second)
	if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
		t.Errorf("12 minutes later: wait %s", wait)
	}
	if wait := l.Take(t.Context(), alice, r, 1); wait < 11*time.Minute {
		t.Errorf("and at once again: wait %s", wait)
	}
}

func largeBurst(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 50, Burst: 500}
	for n := range 500 {
		if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
			t.Fatalf("request %d of the burst: wait %s", n+1, wait)
		}
	}
	if wait := l.Take(t.Context(), alice, r, 1); wait <= 0 || wait > time.Second {
		t.Errorf("over the burst: wait %s", wait)
	}
}

func manyAtOnce(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 100}
	var mu sync.Mutex
	taken := 0
	var all sync.WaitGroup
	for range 400 {
		all.Go(func() {
			if l.Take(t.Context(), alice, r, 1) == 0 {
				mu.Lock()
				taken++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if taken != 100 {
		t.Errorf("%d of 400 were taken, want 100", taken)
	}
}

func countedApart(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 0.001, Burst: 1}
	for _, use := range []struct {
		caller limit.Caller
		rate   limit.Rate
	}{
		{alice, r},
		{bob, r},
		{limit.CallerOf("q", "192.0.2.1"), r},
		{limit.Caller{}, r},
		{alice, limit.Rate{Name: "others", PerSecond: 0.001, Burst: 1}},
	} {
		if wait := l.Take(t.Context(), use.caller, use.rate, 1); wait != 0 {
			t.Errorf("%v, %s: wait %s", use.caller, use.rate.Name, wait)
		}
		if wait := l.Take(t.Context(), use.caller, use.rate, 1); wait == 0 {
			t.Errorf("%v, %s: taken twice", use.caller, use.rate.Name)
		}
	}
}

func shares(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	s := limit.Share{Name: "watches", Each: 3}
	release := hold(t, l, alice, s, 2)
	if _, ok := l.Hold(t.Context(), alice, s, 2); ok {
		t.Error("held more than its share")
	}
	hold(t, l, alice, s, 1)
	hold(t, l, bob, s, 3)
	hold(t, l, alice, limit.Share{Name: "sockets", Each: 1}, 1)
	release()
	hold(t, l, alice, s, 2)
	if _, ok := l.Hold(t.Context(), alice, s, 1); ok {
		t.Error("what was released was held twice")
	}
}

func total(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	s := limit.Share{Name: "watches", Each: 4, Total: 10}
	release := hold(t, l, alice, s, 4)
	hold(t, l, bob, s, 3)
	if _, ok := l.Hold(t.Context(), carol, s, 2); ok {
		t.Error("more than one of the reserve was held")
	}
	hold(t, l, carol, s, 1)
	if _, ok := l.Hold(t.Context(), carol, s, 1); ok {
		t.Error("one who holds something holds of the reserve")
	}
	hold(t, l, limit.CallerOf("p", "192.0.2.4"), s, 1)
	hold(t, l, limit.CallerOf("p", "192.0.2.5"), s, 1)
	if _, ok := l.Hold(t.Context(), limit.CallerOf("p", "192.0.2.6"), s, 1); ok {
		t.Error("more is held than there is")
	}
	release()
	hold(t, l, carol, s, 2)
}

// manyNetworksOfATotal holds in many /64s of one /56 and of one /48.
func manyNetworksOfATotal(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	s := limit.Share{Name: "topics", Each: 20, Total: 160}
	held := func(site, first, step int) (n int) {
		for i := range 16 {
			for range 4 {
				if _, ok := l.Hold(t.Context(), limit.CallerOf("p", fmt.Sprintf("2001:db8:%x:%x::1", site, first+i*step)), s, 5); ok {
					n += 5
				}
			}
		}
		return n
	}
	if n := held(0, 0, 1); n != 20 {
		t.Errorf("a /56 holds %d of 160, want 20", n)
	}
	if n := held(1, 0, 0x100); n != 20 {
		t.Errorf("a /48 holds %d of 160, want 20", n)
	}
	hold(t, l, alice, s, 20)
}

// manyProjectsOfATotal holds as one address that knows the ids of many projects.
func manyProjectsOfATotal(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	for _, s := range []limit.Share{{Name: "topics", Each: 20, Total: 160}, {Name: "sockets", Each: 4, Total: 160}} {
		n := 0
		var releases []func()
		for i := range 50 {
			for range s.Each {
				if release, ok := l.Hold(t.Context(), limit.CallerOf(fmt.Sprint(i), "203.0.113.1"), s, 1); ok {
					releases = append(releases, release)
					n++
				}
			}
		}
		if n != 20 {
			t.Errorf("%s: an address holds %d of 160, want 20", s.Name, n)
		}
		hold(t, l, limit.CallerOf("0", "203.0.113.2"), s, s.Each)
		for _, release := range releases {
			release()
		}
		hold(t, l, limit.CallerOf("99", "203.0.113.1"), s, s.Each)
	}
}

// reserve holds what is reserved for networks that hold little.
func reserve(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	s := limit.Share{Name: "topics", Each: 100, Total: 1000}
	for i := range 8 {
		hold(t, l, limit.CallerOf("p", fmt.Sprintf("198.51.100.%d", i)), s, 100)
	}
	hold(t, l, alice, s, 1)
	hold(t, l, alice, s, 1)
	if _, ok := l.Hold(t.Context(), alice, s, 1); ok {
		t.Error("more than a hundredth of the reserve was held")
	}
	hold(t, l, bob, s, 2)
	s = limit.Share{Name: "sockets", Each: 20, Total: 10_000}
	for i := range 400 {
		hold(t, l, limit.CallerOf("p", fmt.Sprintf("198.51.%d.%d", i/200, i%200)), s, 20)
	}
	hold(t, l, alice, s, 1)
	hold(t, l, alice, s, 1)
	if _, ok := l.Hold(t.Context(), alice, s, 1); ok {
		t.Error("more than a tenth of what one caller may hold was held")
	}
}

func releasedTwice(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	s := limit.Share{Name: "watches", Each: 3}
	release := hold(t, l, alice, s, 1)
	hold(t, l, alice, s, 2)
	release()
	release()
	hold(t, l, alice, s, 1)
	if _, ok := l.Hold(t.Context(), alice, s, 1); ok {
		t.Error("releasing twice counted twice")
	}
}

func manyHold(t *testing.T, l limit.Limiter, _ *clocktest.Stopped) {
	s := limit.Share{Name: "sockets", Each: 10}
	var mu sync.Mutex
	held := 0
	var all sync.WaitGroup
	for range 60 {
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

func clockGoesBack(t *testing.T, l limit.Limiter, c *clocktest.Stopped) {
	r := limit.Rate{Name: "requests", PerSecond: 1, Burst: 2}
	for range 2 {
		l.Take(t.Context(), alice, r, 1)
	}
	c.Pass(-time.Hour)
	if wait := l.Take(t.Context(), alice, r, 1); wait <= 0 || wait > 2*time.Second {
		t.Errorf("an hour earlier: wait %s", wait)
	}
	c.Pass(1100 * time.Millisecond)
	if wait := l.Take(t.Context(), alice, r, 1); wait != 0 {
		t.Errorf("a second after that: wait %s", wait)
	}
	if wait := l.Take(t.Context(), alice, r, 1); wait == 0 {
		t.Error("the clock's way back refilled the bucket")
	}
}

// hold acquires n of a share, which must succeed.
func hold(t *testing.T, l limit.Limiter, c limit.Caller, s limit.Share, n int) (release func()) {
	t.Helper()
	release, ok := l.Hold(t.Context(), c, s, n)
	if !ok {
		t.Fatalf("%d %s were refused within the share", n, s.Name)
	}
	return release
}

// about fails unless a wait is within 1 percent and 5 ms of the wanted one.
func about(t *testing.T, what string, got, want time.Duration) {
	t.Helper()
	if (got - want).Abs() > want/100+5*time.Millisecond {
		t.Errorf("%s: wait %s, want %s", what, got, want)
	}
}
