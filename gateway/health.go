package gateway

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// healthTimeout bounds how long the suite may take to say how it is.
const healthTimeout = 2 * time.Second

// health answers 200 once everything works, and 503 with the reason in the log before.
func health(deps Deps) http.Handler {
	started := time.Now()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
		defer cancel()
		if err := deps.Ready(ctx); err != nil {
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
