package leases

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// holds are what this replica holds for its callers.
type holds struct {
	mu  sync.Mutex
	all map[key]*holding
	// stale are the keys whose record must be written. ended are the keys of holdings that ended, at most `most`.
	// Current holdings need no bound, because the number of callers is bounded.
	stale, ended map[key]bool
	most         int
	// changed has an element when a record has to be written.
	changed chan struct{}
}

// holding is what this replica holds of one resource for a caller.
type holding struct {
	// writing is held while the record is written. It guards n.
	writing chan struct{}
	n       int
	// users counts the calls of use without a leave.
	users int
}

func newHolds(most int) holds {
	return holds{all: map[key]*holding{}, stale: map[key]bool{}, ended: map[key]bool{}, most: most, changed: make(chan struct{}, 1)}
}

// use returns the holding of a key. It is kept until leave was called as often as use.
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

// leave removes a holding that has no other user.
func (h *holds) leave(k key, held *holding) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if held.users--; held.users > 0 {
		return
	}
	delete(h.all, k)
	if h.stale[k] {
		delete(h.stale, k)
		h.markEnded(k)
	}
}

// writeLater schedules the record of a key to be written by [Limiter.Run].
func (h *holds) writeLater(k key) {
	h.markStale(k)
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// markStale notes that the record of a key has to be written.
func (h *holds) markStale(k key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all[k] != nil {
		h.stale[k] = true
		return
	}
	h.markEnded(k)
}

// markEnded notes that the record of a holding that ended must be written. If there are too many, another one is
// dropped: its record counts what this replica held until the caller acquires again, or the record expires. The caller
// holds the lock.
func (h *holds) markEnded(k key) {
	for other := range h.ended {
		if len(h.ended) < h.most {
			break
		}
		delete(h.ended, other)
	}
	h.ended[k] = true
}

// writeAll schedules the record of every key to be written.
func (h *holds) writeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k := range h.all {
		h.stale[k] = true
	}
}

// next removes and returns a stale key; false if there is none.
func (h *holds) next() (key, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, keys := range []map[key]bool{h.stale, h.ended} {
		for k := range keys {
			delete(keys, k)
			return k, true
		}
	}
	return key{}, false
}

// Hold acquires n of a resource. What all callers together may hold is counted by each replica.
func (l *Limiter) Hold(ctx context.Context, c limit.Caller, s limit.Share, n int) (release func(), ok bool) {
	if n <= 0 || s.Each <= 0 {
		return l.alone.Hold(ctx, c, s, n)
	}
	own := s
	if l.isUnavailable() {
		own.Each = l.partOf(s.Each)
	}
	releaseOwn, ok := l.alone.Hold(ctx, c, own, n)
	if !ok {
		return nil, false
	}
	releases := []func(){releaseOwn}
	releaseAll := func() {
		for _, r := range releases {
			r()
		}
	}
	for _, level := range slices.Backward(c.Levels()) {
		r, ok := l.holdAt(ctx, key{level.Caller, s.Name}, level.Most(s), n)
		if !ok {
			releaseAll()
			return nil, false
		}
		releases = append(releases, r)
	}
	return sync.OnceFunc(releaseAll), true
}

// holdAt adds n to what this replica holds under a key, unless all replicas then held more than most.
func (l *Limiter) holdAt(ctx context.Context, k key, most, n int) (release func(), ok bool) {
	held := l.holds.use(k)
	if !l.acquire(ctx, k, held, most, n) {
		l.holds.leave(k, held)
		return nil, false
	}
	return func() {
		held.writing <- struct{}{}
		held.n -= n
		<-held.writing
		l.holds.leave(k, held)
		l.holds.writeLater(k)
	}, true
}

// partOf returns this replica's part of a share, at least 1.
func (l *Limiter) partOf(each int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(1, each/max(1, len(l.replicas)))
}

// acquire adds n to what this replica holds, unless all replicas then held more than most. While NATS is unavailable, or has no room for the record, it
// compares with this replica's part of that, and the record is written later.
func (l *Limiter) acquire(ctx context.Context, k key, held *holding, most, n int) bool {
	select {
	case held.writing <- struct{}{}:
		defer func() { <-held.writing }()
	case <-ctx.Done():
		return false
	}
	err := errUnavailable
	if !l.isUnavailable() {
		recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.timeout)
		defer cancel()
		err = l.record(recording, k, held.n+n, most)
	}
	switch {
	case errors.Is(err, errTooMany):
		return false
	case err != nil:
		if !isExpected(err) {
			l.countAlone(err)
		}
		if held.n+n > l.partOf(most) {
			return false
		}
		l.holds.writeLater(k)
	}
	held.n += n
	return true
}

var (
	errTooMany     = errors.New("the caller holds as much as it may")
	errUnavailable = errors.New("NATS is unavailable")
)

// isExpected reports whether an error does not say that NATS fails.
func isExpected(err error) bool {
	return errors.Is(err, errUnavailable) || errors.Is(err, errChanged) || errors.Is(err, errNoRoom)
}

// record writes that this replica holds n, and drops the entries of replicas that stopped. It fails with errTooMany if
// the sum would exceed most.
func (l *Limiter) record(ctx context.Context, k key, n, most int) error {
	subject := l.records.held(k.caller, k.rate)
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
		sum, err := l.dropStopped(ctx, entries)
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
		if _, err = l.records.write(ctx, subject, data, revision, ttl); !errors.Is(err, errChanged) || !backOff(ctx, attempt) {
			return err
		}
	}
}

// dropStopped removes the entries of replicas that stopped, and returns the sum of the other replicas' entries.
func (l *Limiter) dropStopped(ctx context.Context, entries map[string]int) (sum int, err error) {
	for id, n := range entries {
		if id == l.id {
			continue
		}
		running, err := l.isRunning(ctx, id)
		if err != nil {
			return 0, err
		}
		if !running {
			delete(entries, id)
			continue
		}
		sum += n
	}
	return sum, nil
}

// isRunning reports whether a replica runs. If the replica is not known yet, it reads its heartbeat, because the
// replica may be new.
func (l *Limiter) isRunning(ctx context.Context, id string) (bool, error) {
	l.mu.Lock()
	known := l.replicas[id]
	l.mu.Unlock()
	if known {
		return true, nil
	}
	_, revision, _, err := l.records.read(ctx, l.records.replica(id))
	return revision > 0, err
}

// renewHolds schedules the records of all holds when they are old, so that a record does not expire while something is
// held.
func (l *Limiter) renewHolds() {
	now := l.clock.Now()
	l.mu.Lock()
	isOld := now.Sub(l.heldWritten) >= holdRenewal
	if isOld {
		l.heldWritten = now
	}
	l.mu.Unlock()
	if isOld {
		l.holds.writeAll()
	}
}

// writeHolds writes stale records until there are none or the next heartbeat is due.
func (l *Limiter) writeHolds(ctx context.Context) {
	due := l.clock.Now().Add(l.heartbeat)
	for !l.isUnavailable() && ctx.Err() == nil && l.clock.Now().Before(due) {
		k, ok := l.holds.next()
		if !ok {
			return
		}
		if err := l.writeHold(ctx, k); err != nil {
			l.holds.writeLater(k)
			if !isExpected(err) {
				l.countAlone(err)
			}
			return
		}
	}
}

// writeHold writes the record of a key.
func (l *Limiter) writeHold(ctx context.Context, k key) error {
	held := l.holds.use(k)
	defer l.holds.leave(k, held)
	held.writing <- struct{}{}
	defer func() { <-held.writing }()
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	return l.record(ctx, k, held.n, 0)
}
