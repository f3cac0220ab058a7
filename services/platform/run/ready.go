package run

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Checks returns a readiness check that runs all given checks concurrently, so that a check that waits for a server
// does not delay the others. Its error joins their errors, in their order.
func Checks(all ...func(ctx context.Context) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		errs := make([]error, len(all))
		var checking routine.WaitGroup
		for i, check := range all {
			checking.Go(ctx, func() { errs[i] = check(ctx) }, func(err error) { errs[i] = err })
		}
		checking.Wait()
		return errors.Join(errs...)
	}
}

// ReadyLog logs each change of a process's readiness once: which parts are not ready and why, and that all are ready again. It is safe for concurrent use.
type ReadyLog struct {
	Log *slog.Logger

	mu sync.Mutex
	// wasReady says that the process has been ready; failing are the parts that were last logged as not ready.
	wasReady bool
	failing  string
}

// Observe logs the result of a readiness check if it differs from the one before. A result that a caller did not wait for is ignored.
func (l *ReadyLog) Observe(ctx context.Context, err error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	failing := failingParts(err)
	if failing == l.failing && (err != nil || l.wasReady) {
		return
	}
	l.failing = failing
	switch {
	case err == nil:
		l.wasReady = true
		l.Log.InfoContext(ctx, "ready")
	case l.wasReady:
		l.Log.WarnContext(ctx, "not ready", "error", strings.ReplaceAll(err.Error(), "\n", "; "))
	default:
		// Parts of a suite start in any order, so this is expected.
		l.Log.InfoContext(ctx, "not ready yet", "error", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}

// failingParts returns the names before the errors of [Checks]. The rest of an error may differ each time, such as a port or an age.
func failingParts(err error) string {
	if err == nil {
		return ""
	}
	var parts []string
	for line := range strings.Lines(err.Error()) {
		part, _, _ := strings.Cut(strings.TrimSpace(line), ": ")
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}
