package console

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/status"
)

const (
	// healthInterval is how often the suite is described while somebody watches, and how old a description may be.
	healthInterval = 5 * time.Second
	// describeTimeout bounds a description.
	describeTimeout = 15 * time.Second
)

// advice is where the documentation says what to do about each kind of problem.
var advice = map[status.Kind]struct {
	kind    adminv1.ProblemKind
	runbook string
}{
	status.Absent:        {adminv1.ProblemKind_PROBLEM_KIND_PROCESS_ABSENT, "/runbooks.md#hawserabsent"},
	status.NotReady:      {adminv1.ProblemKind_PROBLEM_KIND_SERVICE_NOT_READY, "/runbooks.md#hawsererrors"},
	status.DatabaseFault: {adminv1.ProblemKind_PROBLEM_KIND_DATABASE, "/runbooks.md#hawsererrors"},
	status.Outdated:      {adminv1.ProblemKind_PROBLEM_KIND_MIGRATION, "/operate/upgrade.md"},
	status.BusFault:      {adminv1.ProblemKind_PROBLEM_KIND_BUS, "/runbooks.md#hawseroutboxwaits"},
	status.StreamFault:   {adminv1.ProblemKind_PROBLEM_KIND_STREAM, "/runbooks.md#hawserlimitsalone"},
	status.NodeFault:     {adminv1.ProblemKind_PROBLEM_KIND_NODE, "/runbooks.md#hawsernodefails"},
	status.ChainFault:    {adminv1.ProblemKind_PROBLEM_KIND_CHAIN, "/runbooks.md#hawserchainwithoutnodes"},
	status.VendorFault:   {adminv1.ProblemKind_PROBLEM_KIND_VENDOR, "/runbooks.md#hawservendorfails"},
}

// health describes the suite, once for all who ask or watch at a time. Messages that it returns are shared, and must not be changed.
type health struct {
	describe func(ctx context.Context) *statusv1.Suite
	clock    clock.Clock
	flights  routine.Flights

	mu   sync.Mutex
	last *adminv1.Health
	at   time.Time
	// watchers each receive the newest description; an older one that was not received yet is replaced.
	watchers map[chan *adminv1.Health]bool
}

func newHealth(describe func(ctx context.Context) *statusv1.Suite, c clock.Clock) *health {
	return &health{describe: describe, clock: c, watchers: map[chan *adminv1.Health]bool{}}
}

// get returns a description that is at most [healthInterval] old.
func (h *health) get(ctx context.Context) (*adminv1.Health, error) {
	h.mu.Lock()
	last, at := h.last, h.at
	h.mu.Unlock()
	if last != nil && h.clock.Now().Sub(at) < healthInterval {
		return last, nil
	}
	described := h.flights.DoChan(ctx, "describe", func() (any, error) {
		// Others may wait for it when this caller has left.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), describeTimeout)
		defer cancel()
		return h.refresh(ctx), nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-described:
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.(*adminv1.Health), nil
	}
}

// refresh describes the suite, and hands the description to all who watch.
func (h *health) refresh(ctx context.Context) *adminv1.Health {
	suite := h.describe(ctx)
	now := h.clock.Now()
	fresh := &adminv1.Health{At: now.Unix(), Suite: suite, Problems: problems(suite)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last, h.at = fresh, now
	for w := range h.watchers {
		select {
		case <-w:
		default:
		}
		w <- fresh
	}
	return fresh
}

// problems returns what is wrong, the most severe first.
func problems(suite *statusv1.Suite) (all []*adminv1.Problem) {
	for _, p := range status.Problems(suite) {
		severity := adminv1.Severity_SEVERITY_WARNING
		if p.Severe {
			severity = adminv1.Severity_SEVERITY_ERROR
		}
		all = append(all, &adminv1.Problem{Kind: advice[p.Kind].kind, Severity: severity, Text: p.Text, Subject: p.Subject, Runbook: advice[p.Kind].runbook})
	}
	slices.SortStableFunc(all, func(a, b *adminv1.Problem) int { return cmp.Compare(b.GetSeverity(), a.GetSeverity()) })
	return all
}

// subscribe returns a channel that gets each new description until end is called.
func (h *health) subscribe() (described <-chan *adminv1.Health, end func()) {
	w := make(chan *adminv1.Health, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watchers[w] = true
	return w, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.watchers, w)
	}
}

// watched reports whether somebody watches.
func (h *health) watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.watchers) > 0
}

// watch describes the suite at intervals while somebody watches, until ctx ends.
func (h *health) watch(ctx context.Context) error {
	tick := time.NewTicker(healthInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if h.watched() {
			describing, cancel := context.WithTimeout(ctx, describeTimeout)
			h.refresh(describing)
			cancel()
		}
	}
}
