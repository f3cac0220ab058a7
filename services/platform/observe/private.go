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

// Handler serves the endpoints for operators: /metrics for Prometheus, /debug/pprof, /live, which always answers 200,
// and /ready, which answers 200 while ready returns nil, and 503 with the reason otherwise. A process whose /live does
// not answer needs a restart; one that is not ready may be waiting for a database, and a restart would not help.
// /accepting answers as /ready does until it has answered 200 once, and 200 from then on. It is for load balancers,
// which would otherwise remove every replica while a server that all replicas share does not answer.
func (t *Telemetry) Handler(ready func(ctx context.Context) error) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{Timeout: 10 * time.Second}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("live\n"))
	})
	var wasReady atomic.Bool
	answer := func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if err := ready(ctx); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(unsecret(err.Error()) + "\n"))
			return
		}
		wasReady.Store(true)
		_, _ = w.Write([]byte("ready\n"))
	}
	mux.HandleFunc("GET /ready", answer)
	mux.HandleFunc("GET /accepting", func(w http.ResponseWriter, r *http.Request) {
		if !wasReady.Load() {
			answer(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("accepting\n"))
	})
	return mux
}
