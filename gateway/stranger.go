package gateway

import (
	"net/http"
	"time"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
)

// strangers is the project of callers who name none: what each of them may ask.
var strangers = &projectsv1.Project{RequestsPerSecond: 5, Burst: 50}

// wrapOpen guards what clients of the incumbent ask without naming a project. Whoever names one is held to its rules, everyone else to a rate.
func (g *guard) wrapOpen(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, f := readBody(w, r); f != nil {
			writeFault(w, r, f)
			return
		}
		if id := namedOutside(r); id != "" {
			g.serve(w, r, h, id)
			return
		}
		if f, retryAfter := g.limit(strangers, r, time.Now(), one); f != nil {
			setRetryAfter(w, retryAfter)
			writeFault(w, r, f)
			return
		}
		h.ServeHTTP(w, r)
	})
}
