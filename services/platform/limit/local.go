package limit

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit/accounts"
)

// DefaultCallers is the default number of callers that a [Local] has accounts for, about 16 MB.
const DefaultCallers = 100_000

// roundedOff is how much of a burst the times of a sketch, which are in nanoseconds, may differ from what was counted, for each token a second.
const roundedOff = 1e-9

// Local counts within one process: N replicas that each have one allow N times as much. Its memory is bounded: it has accounts for a number of callers, of which
// those of one project, and those of one site, have at most half. If there is no room for another one, an account is forgotten whose buckets are full
// again, as those of a new caller are. A caller without an account is counted in cells that it shares with others (see [accounts.Sketch]), so that it may use
// what it would with one, or less, and its account begins with what was counted. Callers that hold something are remembered apart from that.
type Local struct {
	clock clock.Clock
	most  int
	salt  accounts.Salt

	mu sync.Mutex
	// begun and back make times of the clock, which may go back, to nanoseconds that do not, of which latest was the last.
	begun        time.Time
	back, latest int64
	rates        *accounts.Table[bucket]
	// sketch counts callers without an account; nil while there were none.
	sketch *accounts.Sketch
	// without is how often a caller was counted without an account.
	without int64
	holders map[Caller]*holder
	// held is how much of each resource all callers hold.
	held map[string]int
}

var _ Limiter = (*Local)(nil)

// bucket is what a caller has left of a rate.
type bucket struct {
	tokens float64
	// at is the time of tokens, and full the one from which the bucket is full.
	at, full int64
}

// holder is a caller that holds something.
type holder struct {
	caller Caller
	held   []holding
}

type holding struct {
	resource string
	n        int
}

// NewLocal returns a limiter that remembers at most this many callers; 0 or less is [DefaultCallers]. A caller with several rates counts as several.
func NewLocal(c clock.Clock, most int) *Local {
	if most <= 0 {
		most = DefaultCallers
	}
	return &Local{
		clock: c, most: most, salt: accounts.NewSalt(), begun: c.Now(),
		rates: accounts.NewTable[bucket](most), holders: map[Caller]*holder{}, held: map[string]int{},
	}
}

// OrLocal returns l, or a new [Local] if l is nil.
func OrLocal(l Limiter, c clock.Clock) Limiter {
	if l == nil {
		return NewLocal(c, 0)
	}
	return l
}

// Len returns how many accounts there are.
func (l *Local) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rates.Len()
}

// Take takes n from a caller's rate, or returns how long to wait.
func (l *Local) Take(_ context.Context, c Caller, r Rate, n int) (wait time.Duration) {
	if r.PerSecond <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	var counts [3]count
	var space [3]Level
	levels := c.AppendLevels(space[:0])
	for i, level := range levels {
		counts[i] = l.count(level, r)
		wait = max(wait, l.wait(counts[i], r.Needs(n), now))
	}
	if wait == 0 && n > 0 {
		l.spend(c, counts[:len(levels)], float64(n), now)
	}
	return wait
}

// Owe takes n from a caller's rate, however much is left.
func (l *Local) Owe(_ context.Context, c Caller, r Rate, n int) {
	if r.PerSecond <= 0 || n <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var counts [3]count
	var space [3]Level
	levels := c.AppendLevels(space[:0])
	for i, level := range levels {
		counts[i] = l.count(level, r)
	}
	l.spend(c, counts[:len(levels)], float64(n), l.now())
}

// WaitAt returns how long it is until as much is left of a rate at one level as is needed; 0 is now.
func (l *Local) WaitAt(level Level, r Rate, needed float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wait(l.count(level, r), needed, l.now())
}

// OweAt takes n from a rate at one level of a caller, however much is left.
func (l *Local) OweAt(c Caller, level Level, r Rate, n float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spend(c, []count{l.count(level, r)}, n, l.now())
}

// Withdraw returns how much was used of a rate at one level, and forgets its account: another limiter counts it from now on.
func (l *Local) Withdraw(level Level, r Rate) (used float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.count(level, r)
	used = of.rate.Burst - l.left(of, l.now())
	l.rates.Remove(of.key)
	return used
}

// now returns the time in nanoseconds. It does not go back when the clock does, so that no caller waits for the difference.
func (l *Local) now() int64 {
	now := int64(l.clock.Now().Sub(l.begun)) + l.back
	if now < l.latest {
		l.back += l.latest - now
	} else {
		l.latest = now
	}
	return l.latest
}

// count is where the use of a rate is counted.
type count struct {
	key  uint64
	rate Rate
	// account is nil for a caller that has none.
	account *bucket
}

// count returns where the use of a rate at a level is counted.
func (l *Local) count(level Level, r Rate) count {
	key := l.salt.Key(level.Caller.Project, level.Caller.Network, r.Name)
	return count{key, level.Rate(r), l.rates.Find(key)}
}

// left returns what is left of a rate.
func (l *Local) left(of count, now int64) float64 {
	switch {
	case of.account != nil:
		return min(of.rate.Burst, of.account.tokens+seconds(now-of.account.at)*of.rate.PerSecond)
	case l.sketch != nil:
		used := max(0, seconds(l.sketch.Full(of.key)-now)*of.rate.PerSecond)
		return max(of.rate.Burst-used, of.rate.Least())
	default:
		return of.rate.Burst
	}
}

// wait returns how long it is until as much is left as is needed.
func (l *Local) wait(of count, needed float64, now int64) time.Duration {
	missing := needed - l.left(of, now)
	if of.account == nil {
		missing -= roundedOff * of.rate.Burst * (1 + of.rate.PerSecond)
	}
	if missing <= 0 {
		return 0
	}
	// At least a nanosecond: 0 means that nothing is missing.
	return time.Duration(min(missing/of.rate.PerSecond*float64(time.Second)+1, math.MaxInt64/2))
}

// spend takes n from every level of a caller, but leaves no more than one burst owed.
func (l *Local) spend(c Caller, counts []count, n float64, now int64) {
	// Accounts that are opened move others.
	for _, of := range counts {
		if of.account != nil {
			*of.account = bucketOf(of.rate, l.left(of, now)-n, now)
		}
	}
	for _, of := range counts {
		if of.account == nil {
			l.spendNew(c, of, n, now)
		}
	}
}

// spendNew takes n from a level that has no account. It opens one with what was counted without it, if there is room.
func (l *Local) spendNew(c Caller, of count, n float64, now int64) {
	next := bucketOf(of.rate, l.left(of, now)-n, now)
	opened := l.rates.Open(of.key, l.salt.Groups(c.Project, c.Site()), func(b *bucket) bool { return b.full <= now })
	if opened != nil {
		*opened = next
		return
	}
	if l.sketch == nil {
		l.sketch = accounts.NewSketch(l.most)
	}
	l.sketch.Raise(of.key, next.full)
	l.without++
}

// bucketOf returns the bucket of a rate of which this much is left.
func bucketOf(r Rate, left float64, now int64) bucket {
	left = max(left, r.Least())
	refill := (r.Burst - left) / r.PerSecond * float64(time.Second)
	return bucket{left, now, now + int64(min(math.Round(refill), math.MaxInt64/4))}
}

func seconds(nanoseconds int64) float64 { return time.Duration(nanoseconds).Seconds() }

// Hold acquires n of a resource.
func (l *Local) Hold(_ context.Context, c Caller, s Share, n int) (release func(), ok bool) {
	if n <= 0 {
		return func() {}, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var callers []Caller
	widest := 0
	for _, level := range c.Levels() {
		widest = l.holds(level.Caller, s.Name)
		if most := level.Most(s); most > 0 && widest+n > most {
			return nil, false
		}
		callers = append(callers, level.Caller)
	}
	if s.Total > 0 && c.Project != "" && c.Network.IsValid() {
		// Ids of projects are public, so one who knows many has no more for it.
		site := Caller{Network: c.Site()}
		if widest = l.holds(site, s.Name); widest+n > s.siteMost() {
			return nil, false
		}
		callers = append(callers, site)
	}
	if !s.allows(l.held[s.Name], widest, n) || !l.hasRoom(callers) {
		return nil, false
	}
	l.held[s.Name] += n
	holders := make([]*holder, len(callers))
	for i, caller := range callers {
		holders[i] = l.holder(caller)
		holders[i].holding(s.Name).n += n
	}
	return sync.OnceFunc(func() { l.release(holders, s.Name, n) }), true
}

func (l *Local) release(holders []*holder, resource string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[resource] -= n; l.held[resource] == 0 {
		delete(l.held, resource)
	}
	for _, h := range holders {
		h.holding(resource).n -= n
		if !slices.ContainsFunc(h.held, func(of holding) bool { return of.n > 0 }) {
			delete(l.holders, h.caller)
		}
	}
}

// holds returns how much of a resource a caller holds.
func (l *Local) holds(c Caller, resource string) int {
	if h := l.holders[c]; h != nil {
		for _, of := range h.held {
			if of.resource == resource {
				return of.n
			}
		}
	}
	return 0
}

// hasRoom reports whether there is room for those of the callers that hold nothing yet.
func (l *Local) hasRoom(callers []Caller) bool {
	n := len(l.holders)
	for _, c := range callers {
		if l.holders[c] == nil {
			n++
		}
	}
	return n <= l.most
}

// holder returns what a caller holds, and records it if necessary.
func (l *Local) holder(c Caller) *holder {
	h := l.holders[c]
	if h == nil {
		h = &holder{caller: c}
		l.holders[c] = h
	}
	return h
}

// holding returns what is held of a resource, and records it if necessary.
func (h *holder) holding(resource string) *holding {
	for i := range h.held {
		if h.held[i].resource == resource {
			return &h.held[i]
		}
	}
	h.held = append(h.held, holding{resource: resource})
	return &h.held[len(h.held)-1]
}
