package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	// startTimeout bounds how long a starting process waits for a database or a NATS server that does not answer. To end and to be started again
	// takes longer each time where an orchestrator does it.
	startTimeout = 10 * time.Minute
	// firstRetryPause is the pause after the first attempt; each is twice as long as the one before, up to maxRetryPause.
	firstRetryPause = 250 * time.Millisecond
	maxRetryPause   = 2 * time.Second
)

// openWithRetries opens the suite, and the gateway if it is hosted here, again while a database or a NATS server outside this process does not
// answer: they may start later than this process, and a cluster may still elect its leaders. It logs each failure with its step.
func openWithRetries(ctx context.Context, c Config, log *slog.Logger) (*suite, *gateway.Gateway, error) {
	deadline := time.Now().Add(startTimeout)
	for pause := firstRetryPause; ; pause = min(2*pause, maxRetryPause) {
		s, handler, err := openAll(ctx, c, log)
		if err == nil || ctx.Err() != nil || !c.isUnavailable(err) || time.Now().After(deadline) {
			return s, handler, err
		}
		log.WarnContext(ctx, "the start failed and is tried again", "pause", pause, "error", err)
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// openAll opens the suite, and the gateway if it is hosted here. After an error nothing stays open. Errors begin with the step: NATS, database, outbox, gateway,
// or the name of a service.
func openAll(ctx context.Context, c Config, log *slog.Logger) (*suite, *gateway.Gateway, error) {
	s, err := openSuite(ctx, c, log)
	if err != nil || !c.hosts(targetGateway) {
		return s, nil, err
	}
	handler, err := s.openGateway(ctx)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("gateway: %w", err), s.close())
	}
	return s, handler, nil
}

// isUnavailable reports whether opening the suite failed because a server outside this process does not answer.
func (c Config) isUnavailable(err error) bool {
	if c.Bus.URL != "" && bus.IsUnavailable(err) {
		return true
	}
	f, ok := errors.AsType[*fault.Error](store.Fault(err))
	return ok && f.Code == codes.Unavailable && store.IsServer(c.dsn())
}

// later answers operators while the process starts: it lives, and is not ready. After set, another handler answers.
type later struct{ handler atomic.Pointer[http.Handler] }

func (l *later) set(h http.Handler) { l.handler.Store(&h) }

// ServeHTTP implements http.Handler.
func (l *later) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := l.handler.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if r.URL.Path == "/live" {
		_, _ = io.WriteString(w, "live\n")
		return
	}
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, "starting\n")
}
