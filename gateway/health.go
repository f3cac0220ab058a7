package gateway

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// healthTimeout bounds one readiness check.
const healthTimeout = 2 * time.Second

const (
	// readyFor and unreadyFor are how long a readiness result is cached.
	readyFor   = time.Second
	unreadyFor = 100 * time.Millisecond
)

// readiness caches the readiness check, so that concurrent /health requests share one.
type readiness struct {
	ready func(ctx context.Context) error

	mu    sync.Mutex
	err   error
	until time.Time
}

// now returns why the gateway cannot answer calls, or nil.
func (v *readiness) now(ctx context.Context) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if time.Now().Before(v.until) {
		return v.err
	}
	// Other requests share this check: it outlives the cancellation of the first one.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healthTimeout)
	defer cancel()
	v.err = v.ready(ctx)
	keep := readyFor
	if v.err != nil {
		keep = unreadyFor
	}
	v.until = time.Now().Add(keep)
	return v.err
}

// health answers 200 when the gateway can answer calls, and otherwise 503; callers do not learn the reason.
func health(deps Deps) http.Handler {
	started := time.Now()
	said := &readiness{ready: deps.Ready}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		err := deps.Stopping.Err()
		if err == nil {
			err = said.now(ctx)
		}
		if err != nil {
			access.WriteFault(w, r, fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "Not ready yet"))
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, "OK v%s, commit hash: %s, features: rest connect grpc-web grpc json-rpc, uptime: %d seconds\n",
			deps.Version, deps.Commit, int(time.Since(started).Seconds()))
	})
}
