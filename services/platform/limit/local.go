package limit

import (
	"container/list"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// DefaultCallers is the default number of callers that a [Local] counts, about 30 MB.
const DefaultCallers = 100_000

// crowded is the delay for a caller that cannot be counted, because there are too many.
const crowded = time.Second

// Local counts within one process: N replicas that each have one allow N times as much. It counts a bounded number of
// callers, and evicts the one that was idle longest; callers that hold something are not idle.
type Local struct {
	clock clock.Clock
	most  int

	mu      sync.Mutex
	callers map[Caller]*account
	// idle holds the accounts that hold nothing, the most recently used one in front.
	idle *list.List
	// held is how much of each resource all callers hold.
	held map[string]int
}

var _ Limiter = (*Local)(nil)

// account is the state of one caller.
type account struct {
	caller Caller
	// place is its element in the idle list; nil while it holds something.
	place   *list.Element
	buckets []bucket
	held    []holding
}

type bucket struct {
	rate   string
	tokens float64
	at     time.Time
}

type holding struct {
	resource string
	n        int
}

// NewLocal returns a limiter that counts at most this many callers; 0 or less is [DefaultCallers].
func NewLocal(c clock.Clock, most int) *Local {
	if most <= 0 {
		most = DefaultCallers
	}
	return &Local{clock: c, most: most, callers: map[Caller]*account{}, idle: list.New(), held: map[string]int{}}
}

// OrLocal returns l, or a new [Local] if l is nil.
func OrLocal(l Limiter, c clock.Clock) Limiter {
	if l == nil {
		return NewLocal(c, 0)
	}
	return l
}

// Len returns how many callers are remembered.
func (l *Local) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.callers)
}

// Take takes n from a caller's rate, or returns how long to wait.
func (l *Local) Take(_ context.Context, c Caller, r Rate, n int) (wait time.Duration) {
	if r.PerSecond <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var buckets [3]*bucket
	var space [3]Level
	levels := c.AppendLevels(space[:0])
	for i, level := range levels {
		a := l.account(level.Caller)
		if a == nil {
			return crowded
		}
		rate := level.Rate(r)
		buckets[i] = a.bucket(rate, l.clock.Now())
		if missing := r.Needs(n) - buckets[i].tokens; missing > 0 {
			// At least a nanosecond: 0 means that the tokens were taken.
			wait = max(wait, time.Duration(min(missing/rate.PerSecond*float64(time.Second)+1, math.MaxInt64/2)))
		}
	}
	if wait > 0 {
		return wait
	}
	for i, level := range levels {
		buckets[i].take(n, level.Rate(r))
	}
	return 0
}

// Owe takes n from a caller's rate, however much is left.
func (l *Local) Owe(_ context.Context, c Caller, r Rate, n int) {
	if r.PerSecond <= 0 || n <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, level := range c.Levels() {
		if a := l.account(level.Caller); a != nil {
			rate := level.Rate(r)
			a.bucket(rate, l.clock.Now()).take(n, rate)
		}
	}
}

// Hold acquires n of a resource.
func (l *Local) Hold(_ context.Context, c Caller, s Share, n int) (release func(), ok bool) {
	if n <= 0 {
		return func() {}, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var accounts []*account
	widest := 0
	for _, level := range c.Levels() {
		a := l.account(level.Caller)
		if a == nil {
			return nil, false
		}
		widest = a.holds(s.Name)
		if most := level.Most(s); most > 0 && widest+n > most {
			return nil, false
		}
		accounts = append(accounts, a)
	}
	if s.Total > 0 && c.Project != "" && c.Network.IsValid() {
		// Ids of projects are public, so one who knows many has no more for it.
		a := l.account(Caller{Network: c.Site()})
		if a == nil {
			return nil, false
		}
		if widest = a.holds(s.Name); widest+n > s.siteMost() {
			return nil, false
		}
		accounts = append(accounts, a)
	}
	if !s.allows(l.held[s.Name], widest, n) {
		return nil, false
	}
	l.held[s.Name] += n
	for _, a := range accounts {
		a.holding(s.Name).n += n
		if a.place != nil {
			l.idle.Remove(a.place)
			a.place = nil
		}
	}
	return sync.OnceFunc(func() { l.release(accounts, s.Name, n) }), true
}

func (l *Local) release(accounts []*account, resource string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[resource] -= n; l.held[resource] == 0 {
		delete(l.held, resource)
	}
	for _, a := range accounts {
		a.holding(resource).n -= n
		if !slices.ContainsFunc(a.held, func(h holding) bool { return h.n > 0 }) {
			a.held = nil
			a.place = l.idle.PushFront(a)
		}
	}
}

// account returns a caller's account, and creates it if necessary; nil if all remembered callers hold something, so
// that none can be evicted.
func (l *Local) account(c Caller) *account {
	if a := l.callers[c]; a != nil {
		if a.place != nil {
			l.idle.MoveToFront(a.place)
		}
		return a
	}
	if len(l.callers) >= l.most {
		oldest := l.idle.Back()
		if oldest == nil {
			return nil
		}
		l.idle.Remove(oldest)
		delete(l.callers, oldest.Value.(*account).caller)
	}
	a := &account{caller: c}
	a.place = l.idle.PushFront(a)
	l.callers[c] = a
	return a
}

// bucket returns a caller's bucket for a rate, refilled up to now.
func (a *account) bucket(r Rate, now time.Time) *bucket {
	burst := max(1, r.Burst)
	for i := range a.buckets {
		b := &a.buckets[i]
		if b.rate == r.Name {
			b.tokens = min(burst, b.tokens+max(0, now.Sub(b.at).Seconds())*r.PerSecond)
			b.at = now
			return b
		}
	}
	a.buckets = append(a.buckets, bucket{rate: r.Name, tokens: burst, at: now})
	return &a.buckets[len(a.buckets)-1]
}

// take takes n, but leaves no more than one burst owed.
func (b *bucket) take(n int, r Rate) { b.tokens = max(b.tokens-float64(n), r.Least()) }

// holds returns how much of a resource the account holds.
func (a *account) holds(resource string) int {
	for _, h := range a.held {
		if h.resource == resource {
			return h.n
		}
	}
	return 0
}

// holding returns what the account holds of a resource, and records it if necessary.
func (a *account) holding(resource string) *holding {
	for i := range a.held {
		if a.held[i].resource == resource {
			return &a.held[i]
		}
	}
	a.held = append(a.held, holding{resource: resource})
	return &a.held[len(a.held)-1]
}
