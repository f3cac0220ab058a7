package leases

import (
	"context"
	crand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/limit/accounts"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// answerTimeout is the default of [Config.Timeout].
	answerTimeout = 250 * time.Millisecond
	// heartbeatInterval is the default of [Config.Heartbeat], and heartbeatTTL the shortest time without a heartbeat
	// after which a replica counts as stopped.
	heartbeatInterval = 5 * time.Second
	heartbeatTTL      = 15 * time.Second
	// probeInterval is how often a heartbeat is tried while NATS does not answer, and heartbeatTimeout bounds each.
	probeInterval    = 500 * time.Millisecond
	heartbeatTimeout = 3 * time.Second
	// longestPause bounds the pause before a record is written again after a conflict. It is reached after
	// pauseDoublings attempts.
	longestPause   = 16 * time.Millisecond
	pauseDoublings = 6
	// waitTimeouts bounds how long one call waits for tokens, as a multiple of the request timeout: one for a request
	// that was already pending, and one for its own. A higher bound would delay callers, which wait seconds at most,
	// only because other replicas write the record first.
	waitTimeouts = 2
	// minRefill is how long a bucket that was empty is left to fill before the next request.
	minRefill = 100 * time.Millisecond
	// maxPending bounds the pending requests to NATS.
	maxPending = 512
)

// Config configures a [Limiter].
type Config struct {
	// Service is the name of the service whose replicas share the limits.
	Service string
	// Callers bounds the callers that have leases, and those of which this replica counts others by itself; 0 or less is [limit.DefaultCallers].
	Callers int
	// Replicas is how many servers of a cluster keep the records; 0 is 1.
	Replicas int
	// Heartbeat is the interval of this replica's heartbeats; 0 is 5 seconds.
	Heartbeat time.Duration
	// Timeout bounds how long a call may wait for NATS before this replica counts by itself; 0 is 250 ms.
	Timeout time.Duration
}

// Limiter counts what callers use of a service that has several replicas. The package documentation states its
// guarantees. It can be used after [New]; it detects replicas that start and stop only while [Limiter.Run] runs.
type Limiter struct {
	id      string
	clock   clock.Clock
	records *records
	// alone counts rates while NATS is unavailable and those of callers without a lease, and always counts what this process holds.
	alone     *limit.Local
	heartbeat time.Duration
	timeout   time.Duration
	metrics   *metrics
	// pending has an element for each pending request to NATS.
	pending chan struct{}
	closing context.Context
	stop    context.CancelFunc
	tasks   routine.WaitGroup

	salt accounts.Salt

	mu     sync.Mutex
	leases *accounts.Table[*lease]
	// replicas are the ids of the replicas that were running when NATS last answered.
	replicas map[string]bool
	// ahead is how far the NATS server's clock is ahead of this one.
	ahead time.Duration
	// unavailable is true from a request that NATS did not answer until an answered heartbeat.
	unavailable bool
	// heldWritten is when the records of all holds were scheduled last.
	heldWritten time.Time

	holds holds
}

var _ limit.Limiter = (*Limiter)(nil)

// key names a bucket.
type key struct {
	caller limit.Caller
	rate   string
}

// lease is what this replica may spend from a bucket.
type lease struct {
	key key
	// perSecond and burst are those of the rate.
	perSecond, burst float64
	// tokens were taken from the record and are not spent; below 0 they were spent but not yet taken from it.
	tokens float64
	// seen is the record as this replica last read or wrote it.
	seen view
	// short is true if the record had fewer tokens than the last request wanted.
	short bool
	// answered is closed when the pending request to NATS completes; nil while no request is pending.
	answered chan struct{}
	// waiting is how many tokens the calls need that wait for the request.
	waiting float64
}

// New returns a limiter that keeps its records on the servers that conn is connected to. It fails if they do not
// answer.
func New(ctx context.Context, conn *nats.Conn, c clock.Clock, cfg Config) (*Limiter, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	var id [8]byte
	if _, err := crand.Read(id[:]); err != nil {
		return nil, err
	}
	most := cfg.Callers
	if most <= 0 {
		most = limit.DefaultCallers
	}
	l := &Limiter{
		id: hex.EncodeToString(id[:]), clock: c, records: &records{js: js, scope: cfg.Service, replicas: max(1, cfg.Replicas)},
		alone: limit.NewLocal(c, most), heartbeat: cfg.Heartbeat, timeout: cfg.Timeout, pending: make(chan struct{}, maxPending),
		salt: accounts.NewSalt(), leases: accounts.NewTable[*lease](most), replicas: map[string]bool{},
		holds: newHolds(most),
	}
	if l.heartbeat <= 0 {
		l.heartbeat = heartbeatInterval
	}
	if l.timeout <= 0 {
		l.timeout = answerTimeout
	}
	l.heldWritten = c.Now()
	l.closing, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.metrics = newMetrics(cfg.Service, l)
	if err := l.renew(ctx); err != nil {
		l.Close()
		return nil, fmt.Errorf("limits of %s: %w", cfg.Service, err)
	}
	return l, nil
}

// Run sends heartbeats to the other replicas until ctx ends, and then removes this replica.
func (l *Limiter) Run(ctx context.Context) error {
	defer l.leave()
	pause := time.NewTimer(l.heartbeat)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-l.holds.changed:
			l.writeHolds(ctx)
			continue
		case <-pause.C:
		}
		if err := l.renew(ctx); err != nil && ctx.Err() == nil {
			l.countAlone(err)
		}
		l.renewHolds()
		l.writeHolds(ctx)
		if l.isUnavailable() {
			pause.Reset(min(l.heartbeat, probeInterval))
		} else {
			pause.Reset(l.heartbeat)
		}
	}
}

// Close cancels pending requests and waits until they have ended.
func (l *Limiter) Close() {
	l.stop()
	l.tasks.Wait()
	l.metrics.close()
}

// leave removes the heartbeat record of this replica, so that its holds are free at once.
func (l *Limiter) leave() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.closing), heartbeatTimeout)
	defer cancel()
	if err := l.records.remove(ctx, l.records.replica(l.id)); err != nil {
		slog.Debug("limits: the heartbeat of this replica was not removed", "service", l.records.scope, "error", err)
	}
}

// renew writes the heartbeat record of this replica, and reads which replicas have one.
func (l *Limiter) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, heartbeatTimeout)
	defer cancel()
	begun := l.clock.Now()
	ids, now, err := l.records.heartbeat(ctx, l.id, max(heartbeatTTL, 3*l.heartbeat))
	if errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound) {
		// The servers were replaced, or lost the contents of their memory.
		if err = l.records.open(ctx); err != nil {
			return err
		}
		l.holds.writeAll()
		begun = l.clock.Now()
		ids, now, err = l.records.heartbeat(ctx, l.id, max(heartbeatTTL, 3*l.heartbeat))
	}
	if err != nil {
		return err
	}
	ended := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replicas = ids
	if took := ended.Sub(begun); took < time.Second {
		l.ahead = now.Sub(begun.Add(took / 2))
	}
	if l.unavailable {
		l.unavailable = false
		slog.Info("limits are shared between replicas again", "service", l.records.scope, "replicas", len(ids))
	}
	return nil
}

// countAlone makes this replica count by itself until NATS answers again.
func (l *Limiter) countAlone(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unavailable || l.closing.Err() != nil {
		return
	}
	l.unavailable = true
	slog.Warn("limits are counted by this replica alone: NATS does not answer", "service", l.records.scope, "replicas", len(l.replicas), "error", err)
}

func (l *Limiter) isUnavailable() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unavailable
}

// Len returns how many leases there are.
func (l *Limiter) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leases.Len()
}

// Take takes n from a caller's rate, or returns how long to wait.
func (l *Limiter) Take(ctx context.Context, c limit.Caller, r limit.Rate, n int) time.Duration {
	if r.PerSecond <= 0 {
		return 0
	}
	// The widest first: what it refuses causes no request for the networks within it, of which a caller may have many.
	// What a call takes beyond that is owed once all allow the call, and so is what is counted without a lease.
	var space [3]limit.Level
	levels, needed := c.AppendLevels(space[:0]), r.Needs(n)
	of := call{caller: c, rate: r, n: n, paid: min(n, int(needed)), needed: needed}
	var unleased [3]bool
	for i, level := range slices.Backward(levels) {
		wait, leased, err := l.take(ctx, of, level)
		unleased[i] = !leased
		if err == nil && wait == 0 {
			continue
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.putBack(of, levels[i+1:], unleased[i+1:])
		if err != nil {
			return l.alone.Take(ctx, c, l.part(r), n)
		}
		return wait
	}
	if n == of.paid && !slices.Contains(unleased[:], true) {
		return 0
	}
	return l.takeRest(of, levels, unleased[:len(levels)])
}

// call is what a call takes from a rate.
type call struct {
	caller limit.Caller
	rate   limit.Rate
	// n is what it takes, of which paid is taken from leases at once, and needed what must be left for it.
	n, paid int
	needed  float64
}

// take takes what is paid from the bucket of a level once it has as many tokens as needed, or returns how long to wait. If there is no lease, it takes
// nothing, and the wait is that of what this replica counts by itself. The error says that NATS does not answer.
func (l *Limiter) take(ctx context.Context, of call, level limit.Level) (wait time.Duration, leased bool, err error) {
	var waiting <-chan struct{}
	r := level.Rate(of.rate)
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.unavailable {
		e := l.lease(of.caller, level, of.rate)
		if e == nil {
			part := l.part(of.rate)
			return l.alone.WaitAt(level, part, part.Needs(of.n)), false, nil
		}
		if e.tokens >= of.needed {
			l.spend(e, r, of.paid)
			return 0, true, nil
		}
		// The wait is known only once the tokens owed were taken from the record.
		if wait := l.wait(e, r, of.needed); wait > 0 && e.tokens >= 0 {
			if l.surplus(e, r) > 0 {
				l.request(e, r)
			}
			return wait, true, nil
		}
		if !l.request(e, r) {
			break
		}
		if waiting == nil {
			bounded, cancel := context.WithTimeout(ctx, waitTimeouts*l.timeout)
			defer cancel()
			waiting = bounded.Done()
		}
		if !l.waitForAnswer(e, of.needed, waiting) {
			break
		}
	}
	return 0, true, errUnavailable
}

// takeRest takes what levels without a lease have to be asked for, and what is beyond what was paid. If they refuse it by now, all is put back.
func (l *Limiter) takeRest(of call, levels []limit.Level, unleased []bool) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	part := l.part(of.rate)
	for i, level := range levels {
		if !unleased[i] {
			continue
		}
		if wait := l.alone.WaitAt(level, part, part.Needs(of.n)); wait > 0 {
			l.putBack(of, levels, unleased)
			return wait
		}
	}
	for i, level := range levels {
		switch {
		case of.n <= 0:
		case unleased[i]:
			l.alone.OweAt(of.caller, level, part, float64(of.n))
		case of.n > of.paid:
			l.owe(of.caller, level, of.rate, of.n-of.paid)
		}
	}
	return 0
}

// spend takes n from a lease, and leaves no more than one burst owed together with the record. Tokens of the lease were taken from the record before,
// so spending them owes nothing, and most calls need no time.
func (l *Limiter) spend(e *lease, r limit.Rate, n int) {
	if spent := float64(n); spent <= e.tokens {
		e.tokens -= spent
	} else {
		e.tokens = max(e.tokens-spent, min(e.tokens, r.Least()-l.level(e, r)))
	}
	l.topUp(e, r)
}

// putBack gives back what take took from leases. Those that were forgotten since need nothing: their record was full. The caller holds mu.
func (l *Limiter) putBack(of call, levels []limit.Level, unleased []bool) {
	for i, level := range levels {
		if unleased[i] {
			continue
		}
		if e := l.leases.Find(l.keyOf(level, of.rate)); e != nil {
			(*e).tokens += float64(of.paid)
		}
	}
}

// waitForAnswer waits for the pending request of a lease; it returns false if done is closed first. The caller holds
// mu, which is released while waiting.
func (l *Limiter) waitForAnswer(e *lease, needed float64, done <-chan struct{}) bool {
	answered := e.answered
	e.waiting += needed
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		e.waiting -= needed
	}()
	select {
	case <-answered:
		return true
	case <-done:
		return false
	}
}

// Owe takes n from a caller's rate whatever is left.
func (l *Limiter) Owe(ctx context.Context, c limit.Caller, r limit.Rate, n int) {
	if r.PerSecond <= 0 || n <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unavailable {
		l.alone.Owe(ctx, c, l.part(r), n)
		return
	}
	for _, level := range c.Levels() {
		l.owe(c, level, r, n)
	}
}

// owe takes n from the rate of a level. The caller holds mu.
func (l *Limiter) owe(c limit.Caller, level limit.Level, r limit.Rate, n int) {
	if e := l.lease(c, level, r); e != nil {
		l.spend(e, level.Rate(r), n)
		return
	}
	l.alone.OweAt(c, level, l.part(r), float64(n))
}

// part returns this replica's part of a rate. The caller holds mu.
func (l *Limiter) part(r limit.Rate) limit.Rate {
	n := float64(max(1, len(l.replicas)))
	return limit.Rate{Name: r.Name, PerSecond: r.PerSecond / n, Burst: burst(r) / n}
}

// now returns the time of the NATS server.
func (l *Limiter) now() time.Time { return l.clock.Now().Add(l.ahead) }

// keyOf returns the key of a level's lease.
func (l *Limiter) keyOf(level limit.Level, r limit.Rate) uint64 {
	return l.salt.Key(level.Caller.Project, level.Caller.Network, r.Name)
}

// lease returns the lease of a level of a caller; nil if it has none and there is no room for one. A new lease owes what the caller used without one, so that
// it does not begin with a full bucket.
func (l *Limiter) lease(c limit.Caller, level limit.Level, r limit.Rate) *lease {
	k := l.keyOf(level, r)
	if e := l.leases.Find(k); e != nil {
		return *e
	}
	now := l.now()
	opened := l.leases.Open(k, l.salt.Groups(c.Project, c.Site()), func(e **lease) bool { return (*e).isIdle(now) })
	if opened == nil {
		return nil
	}
	whole := level.Rate(r)
	*opened = &lease{
		key: key{level.Caller, r.Name}, perSecond: whole.PerSecond, burst: whole.Burst,
		seen: view{bucket: bucket{whole.Burst, now}}, tokens: -l.alone.Withdraw(level, l.part(r)),
	}
	return *opened
}

// isIdle reports whether the bucket of a lease is full again, for all that is known, so that nothing is gained by a new lease. What a lease has beyond that is
// lost with it.
func (e *lease) isIdle(now time.Time) bool {
	if e.answered != nil || e.waiting > 0 {
		return false
	}
	b := &e.seen.bucket
	if b.at.After(now) {
		b.at = now
	}
	return b.tokens+now.Sub(b.at).Seconds()*e.perSecond+min(0, e.tokens) >= e.burst
}

// level returns the most tokens that the record of a lease can have now.
func (l *Limiter) level(e *lease, r limit.Rate) float64 {
	now := l.now()
	// If the clock went back, the caller must not wait for the difference.
	if e.seen.bucket.at.After(now) {
		e.seen.bucket.at = now
	}
	return e.seen.level(r, now)
}

// wait returns how long it is until a request for tokens can be granted as many as are needed; 0 is now. If the record had fewer tokens
// than the last request wanted, it must first gain what it gains in minRefill, so that a caller over its rate does not
// cause a request to NATS for each token.
func (l *Limiter) wait(e *lease, r limit.Rate, needed float64) time.Duration {
	needed -= e.tokens
	if e.short {
		needed = max(needed, min(portion(r, len(l.replicas)), r.PerSecond*minRefill.Seconds()))
	}
	missing := needed - l.level(e, r)
	if missing <= 0 {
		return 0
	}
	// At least a nanosecond: 0 means now.
	return time.Duration(min(missing/r.PerSecond*float64(time.Second)+1, math.MaxInt64/2))
}

// topUp requests tokens before the lease is empty, and takes overspent tokens from the record.
func (l *Limiter) topUp(e *lease, r limit.Rate) {
	half := portion(r, len(l.replicas)) / 2
	if e.tokens < 0 || half >= 1 && e.tokens < half && l.level(e, r) >= half {
		l.request(e, r)
	}
}

// request starts a request for tokens unless one is pending; it returns false if too many are pending.
func (l *Limiter) request(e *lease, r limit.Rate) bool {
	if e.answered != nil {
		return true
	}
	select {
	case l.pending <- struct{}{}:
	default:
		return false
	}
	e.answered = make(chan struct{})
	l.tasks.Go(l.closing, func() {
		defer func() { <-l.pending }()
		l.settle(e, r)
	})
	return true
}

// surplus returns how many tokens of a lease should be in the record instead, for other replicas: what a call that waited for more has left.
func (l *Limiter) surplus(e *lease, r limit.Rate) float64 {
	if e.waiting > 0 {
		return 0
	}
	return max(0, e.tokens-2*portion(r, len(l.replicas)))
}

// settle takes tokens from the record for the lease: those that were overspent, and a portion, or as many as calls wait
// for. It gives back a surplus.
func (l *Limiter) settle(e *lease, r limit.Rate) {
	ctx, cancel := context.WithTimeout(l.closing, l.timeout)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() {
		close(e.answered)
		e.answered = nil
	}()
	for {
		owed := max(0, -e.tokens) - l.surplus(e, r)
		wanted := max(0, max(portion(r, len(l.replicas)), e.waiting)-max(0, e.tokens))
		seen := e.seen
		l.mu.Unlock()
		granted, seen, err := l.transfer(ctx, e.key, r, seen, owed, wanted)
		l.metrics.leased(ctx, granted, err)
		if err != nil && !errors.Is(err, errChanged) {
			l.countAlone(err)
		}
		l.mu.Lock()
		if err != nil {
			return
		}
		e.seen = seen
		e.tokens += owed + granted
		e.short = granted < wanted
		if e.tokens >= 0 {
			return
		}
	}
}

// view is a record as a replica last saw it. Other replicas only take from a bucket, so the record has at most as many
// tokens.
type view struct {
	bucket   bucket
	revision uint64
	// known is true once the record was read or written.
	known bool
}

// level returns the most tokens that the record can have at a time.
func (v view) level(r limit.Rate, at time.Time) float64 {
	if !v.known {
		return burst(r)
	}
	return v.bucket.level(r, at)
}

// transfer takes from a record what is owed and up to wanted tokens. It returns the tokens it got and the new record.
func (l *Limiter) transfer(ctx context.Context, k key, r limit.Rate, seen view, owed, wanted float64) (granted float64, now view, err error) {
	subject := l.records.bucket(k.caller, k.rate)
	before := seen
	for attempt := 0; ; attempt++ {
		at := l.serverNow()
		// If the record was lost, it does not count as a full bucket: before is the most that it can have.
		level := min(seen.level(r, at), before.level(r, at))
		granted = min(wanted, max(0, level-owed))
		if granted < 1 && owed == 0 {
			return 0, view{bucket{level, at}, seen.revision, true}, nil
		}
		next := bucket{min(burst(r), max(r.Least(), level-owed-granted)), at}
		revision, err := l.records.write(ctx, subject, next.encode(), seen.revision, lifetime(next, r))
		if err == nil {
			return granted, view{next, revision, true}, nil
		}
		if !errors.Is(err, errChanged) {
			return 0, seen, err
		}
		if !backOff(ctx, attempt) {
			return 0, seen, errChanged
		}
		data, revision, _, err := l.records.read(ctx, subject)
		if err != nil {
			return 0, seen, err
		}
		if seen = (view{revision: revision}); revision == 0 {
			continue
		}
		if seen.bucket, err = decodeBucket(data); err != nil {
			return 0, seen, err
		}
		seen.known = true
	}
}

// backOff pauses before a record is written again after a conflict; it returns false if ctx ends first.
func backOff(ctx context.Context, attempt int) bool {
	pause := time.NewTimer(rand.N(longestPause >> max(0, pauseDoublings-attempt)))
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-pause.C:
		return true
	}
}

func (l *Limiter) serverNow() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now()
}
