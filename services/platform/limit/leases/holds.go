package leases

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// mostBetween is how many records of holdings are written at most before replicas are looked for again.
const mostBetween = 4096

// holds are what this replica holds for its callers.
type holds struct {
	mu  sync.Mutex
	all map[key]*holding
	// stale are those whose record says something else.
	stale map[key]bool
	// changed holds a sign once a record has to be written.
	changed chan struct{}
}

// holding is what this replica holds of one resource for a caller.
type holding struct {
	// writing is held while the record is written. It guards n.
	writing chan struct{}
	n       int
	// users counts those who refer to it.
	users int
}

func newHolds() holds {
	return holds{all: map[key]*holding{}, stale: map[key]bool{}, changed: make(chan struct{}, 1)}
}

// use returns the holding of a key, which stays until it was left as often.
func (h *holds) use(k key) *holding {
	h.mu.Lock()
	defer h.mu.Unlock()
	held := h.all[k]
	if held == nil {
		held = &holding{writing: make(chan struct{}, 1)}
		h.all[k] = held
	}
	held.users++
	return held
}

func (h *holds) leave(k key, held *holding) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if held.users--; held.users == 0 {
		delete(h.all, k)
	}
}

// writeLater has the record of a key written by [Limiter.Run].
func (h *holds) writeLater(k key) {
	h.mu.Lock()
	h.stale[k] = true
	h.mu.Unlock()
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// writeAll has the record of every key written.
func (h *holds) writeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k := range h.all {
		h.stale[k] = true
	}
}

// next returns a key whose record has to be written.
func (h *holds) next() (key, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k := range h.stale {
		delete(h.stale, k)
		return k, true
	}
	return key{}, false
}

// Hold acquires n of a resource. What all callers together may hold is counted by each replica.
func (l *Limiter) Hold(ctx context.Context, c limit.Caller, s limit.Share, n int) (release func(), ok bool) {
	if n <= 0 || s.Each <= 0 {
		return l.alone.Hold(ctx, c, s, n)
	}
	k := key{c, s.Name}
	own := s
	if l.isAway() {
		own.Each = l.partOf(s.Each)
	}
	releaseOwn, ok := l.alone.Hold(ctx, c, own, n)
	if !ok {
		return nil, false
	}
	held := l.holds.use(k)
	if !l.acquire(ctx, k, held, s, n) {
		l.holds.leave(k, held)
		releaseOwn()
		return nil, false
	}
	return sync.OnceFunc(func() {
		releaseOwn()
		held.writing <- struct{}{}
		held.n -= n
		<-held.writing
		l.holds.leave(k, held)
		l.holds.writeLater(k)
	}), true
}

// partOf is this replica's part of a share, at least 1.
func (l *Limiter) partOf(each int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(1, each/max(1, len(l.replicas)))
}

// acquire adds n to what this replica holds, unless all replicas then held more than the share. While NATS is away, the share of this replica alone
// counts, and the record is written later.
func (l *Limiter) acquire(ctx context.Context, k key, held *holding, s limit.Share, n int) bool {
	select {
	case held.writing <- struct{}{}:
		defer func() { <-held.writing }()
	case <-ctx.Done():
		return false
	}
	err := errAway
	if !l.isAway() {
		asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.timeout)
		defer cancel()
		err = l.record(asking, k, held.n+n, s.Each)
	}
	switch {
	case errors.Is(err, errTooMany):
		return false
	case err != nil:
		if !errors.Is(err, errAway) && !errors.Is(err, errChanged) {
			l.leaveAlone(err)
		}
		if held.n+n > l.partOf(s.Each) {
			return false
		}
		l.holds.writeLater(k)
	}
	held.n += n
	return true
}

var (
	errTooMany = errors.New("the caller holds as much as it may")
	errAway    = errors.New("NATS is away")
)

// record writes that this replica holds n, and drops the entries of replicas that ended. It fails with errTooMany if all together were over most.
func (l *Limiter) record(ctx context.Context, k key, n, most int) error {
	subject := l.records.subject("held", k.caller, k.rate)
	for attempt := 0; ; attempt++ {
		data, revision, _, err := l.records.read(ctx, subject)
		if err != nil {
			return err
		}
		entries := map[string]int{}
		if revision > 0 {
			if err := json.Unmarshal(data, &entries); err != nil {
				return err
			}
		}
		sum, err := l.dropEnded(ctx, entries)
		if err != nil {
			return err
		}
		if most > 0 && sum+n > most {
			return errTooMany
		}
		if entries[l.id] = n; n == 0 {
			delete(entries, l.id)
		}
		if data, err = json.Marshal(entries); err != nil {
			return err
		}
		ttl := maxTTL
		if len(entries) == 0 {
			ttl = minTTL
		}
		if _, err = l.records.write(ctx, subject, data, revision, ttl); !errors.Is(err, errChanged) || !giveWay(ctx, attempt) {
			return err
		}
	}
}

// dropEnded removes entries of replicas that ended, and returns what others hold.
func (l *Limiter) dropEnded(ctx context.Context, entries map[string]int) (sum int, err error) {
	for id, n := range entries {
		if id == l.id {
			continue
		}
		there, err := l.isThere(ctx, id)
		if err != nil {
			return 0, err
		}
		if !there {
			delete(entries, id)
			continue
		}
		sum += n
	}
	return sum, nil
}

// isThere reports whether a replica runs. One that is not known yet is looked for, because it may be new.
func (l *Limiter) isThere(ctx context.Context, id string) (bool, error) {
	l.mu.Lock()
	there := l.replicas[id]
	l.mu.Unlock()
	if there {
		return true, nil
	}
	_, revision, _, err := l.records.read(ctx, l.records.replica(id))
	return revision > 0, err
}

// writeHolds writes the records that say something else than what this replica holds.
func (l *Limiter) writeHolds(ctx context.Context) {
	for range mostBetween {
		k, ok := l.holds.next()
		if !ok || l.isAway() || ctx.Err() != nil {
			if ok {
				l.holds.mu.Lock()
				l.holds.stale[k] = true
				l.holds.mu.Unlock()
			}
			return
		}
		if err := l.writeHold(ctx, k); err != nil {
			l.holds.writeLater(k)
			if !errors.Is(err, errChanged) {
				l.leaveAlone(err)
			}
			return
		}
	}
}

func (l *Limiter) writeHold(ctx context.Context, k key) error {
	held := l.holds.use(k)
	defer l.holds.leave(k, held)
	held.writing <- struct{}{}
	defer func() { <-held.writing }()
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	return l.record(ctx, k, held.n, 0)
}
