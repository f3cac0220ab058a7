package observe

import (
	"context"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// readyTimeout bounds the readiness check.
const readyTimeout = 2 * time.Second

// Handler serves the endpoints for operators: /metrics for Prometheus, /debug/pprof if profiles are on, /live, which always answers 200,
// and /ready, which answers 200 while ready returns nil, and 503 with the reason otherwise. A process whose /live does
// not answer needs a restart; one that is not ready may be waiting for a database, and a restart would not help.
// /accepting answers 503 with the reason until accepting has returned nil once, and 200 from then on. It is for load balancers,
// which would otherwise remove every replica while a server that all replicas share does not answer.
func (t *Telemetry) Handler(ready, accepting func(ctx context.Context) error) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{Timeout: 10 * time.Second}))
	if t.profiles {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("live\n"))
	})
	mux.HandleFunc("GET /ready", checked(ready, "ready"))
	var accepted atomic.Bool
	mux.HandleFunc("GET /accepting", checked(func(ctx context.Context) error {
		if accepted.Load() {
			return nil
		}
		err := accepting(ctx)
		if err == nil {
			accepted.Store(true)
		}
		return err
	}, "accepting"))
	return mux
}

// checked answers 200 with a word while check returns nil, and otherwise 503 with the reason.
func checked(check func(ctx context.Context) error, word string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if err := check(ctx); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(unsecret(err.Error()) + "\n"))
			return
		}
		_, _ = w.Write([]byte(word + "\n"))
	}
}
