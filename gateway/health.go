package gateway

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// healthTimeout bounds how long the suite may take to say how it is.
const healthTimeout = 2 * time.Second

const (
	// readyFor is how long a process that can do its work is not asked again, and unreadyFor one that cannot.
	readyFor   = time.Second
	unreadyFor = 100 * time.Millisecond
)

// verdict is whether the suite can do its work, asked once for all who want to know at about the same time.
type verdict struct {
	ready func(ctx context.Context) error

	mu    sync.Mutex
	err   error
	until time.Time
}

// now returns why the suite cannot do its work; nil where it can.
func (v *verdict) now(ctx context.Context) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if time.Now().Before(v.until) {
		return v.err
	}
	// Others want to know too: the one who asked first may leave.
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

// health answers 200 once everything works, and 503 with the reason in the log before.
func health(deps Deps) http.Handler {
	started := time.Now()
	said := &verdict{ready: deps.Ready}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		err := deps.Stopping.Err()
		if err == nil {
			err = said.now(ctx)
		}
		if err != nil {
			deps.Log.DebugContext(ctx, "not ready", "error", err)
			writeFault(w, r, fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "Not ready yet"))
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, "OK v%s, commit hash: %s, features: rest connect grpc-web grpc json-rpc, uptime: %d seconds\n",
			deps.Version, deps.Commit, int(time.Since(started).Seconds()))
	})
}
