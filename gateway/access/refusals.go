package access

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
)

const (
	// metricRefused counts the calls that were refused, by attrProject, attrRoute and attrReason.
	metricRefused = "hawser.gateway.refused"
	// attrProject is the start of the id of a project, or one of the names below.
	attrProject = "project"
	// attrRoute is the procedure, or the pattern of the path.
	attrRoute = "route"
	// attrReason is the name of a reason of hawser.fault.v1.
	attrReason = "reason"

	// projectDigits is how much of a project's id is shown: the whole id is a key of its pages.
	projectDigits = 8
	// noProject is a call that names no project, unknownProject one that names none of the suite, and otherProject one of a project beyond maxSeries.
	noProject      = "none"
	unknownProject = "unknown"
	otherProject   = "other"
	// maxSeries bounds the series with projects of their own. There is one more for each route and reason.
	maxSeries = 2000
)

// Refusals counts and logs the calls that a gateway refuses: those that fail for a reason that the caller or the operator can mend, not the suite.
type Refusals struct {
	projects *projectcache.Cache
	log      *slog.Logger
	refused  metric.Int64Counter

	mu     sync.Mutex
	series map[[3]string]metric.AddOption
	// own counts the series with projects of their own.
	own int
}

// NewRefusals returns counts of zero.
func NewRefusals(projects *projectcache.Cache, log *slog.Logger) *Refusals {
	// After an error the instrument counts nothing. That must not stop the gateway.
	refused, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricRefused, metric.WithDescription("Calls that were refused, by project, route and reason"))
	if err != nil {
		otel.Handle(err)
	}
	return &Refusals{projects: projects, log: log, refused: refused, series: map[[3]string]metric.AddOption{}}
}

type refusalsKey struct{}

// Wrap counts and logs what h refuses.
func (s *Refusals) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), refusalsKey{}, s)))
	})
}

// NoteRefusal counts and logs that a procedure refused a call with f, unless f is a failure of the suite.
func NoteRefusal(ctx context.Context, procedure string, f *fault.Error) {
	noteRefusal(ctx, procedure, caller.FromOutgoing(ctx).Project, f, restStatus[f.Reason])
}

// noteRequestRefusal is NoteRefusal for a request that is answered with a status.
func noteRequestRefusal(r *http.Request, f *fault.Error, status int) {
	project := caller.FromOutgoing(r.Context()).Project
	if project == "" {
		project = ProjectIDOf(r)
	}
	var more []slog.Attr
	if f.Reason == faultv1.Reason_REASON_ORIGIN_REFUSED {
		more = append(more, slog.String("origin", Clip(r.Header.Get("Origin"))))
	}
	noteRefusal(r.Context(), r.Pattern, project, f, status, more...)
}

func noteRefusal(ctx context.Context, route, project string, f *fault.Error, status int, more ...slog.Attr) {
	s, ok := ctx.Value(refusalsKey{}).(*Refusals)
	if !ok || status < http.StatusBadRequest || status >= http.StatusInternalServerError || f.Reason == faultv1.Reason_REASON_CANCELED {
		return
	}
	switch {
	case project == "":
		project = noProject
	case !s.projects.Knows(project):
		project = unknownProject
	default:
		project = project[:projectDigits]
	}
	reason := fault.ReasonName(f.Reason)
	s.refused.Add(ctx, 1, s.labels(project, route, reason))
	s.log.LogAttrs(ctx, slog.LevelDebug, "call refused", append([]slog.Attr{
		slog.String(attrProject, project), slog.String(attrRoute, route), slog.String(attrReason, reason), slog.String("field", Clip(f.Field)),
	}, more...)...)
}

// labels returns the labels of a series. They are cached, because there are few and creating them costs more than counting.
func (s *Refusals) labels(project, route, reason string) metric.AddOption {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.series[[3]string{project, route, reason}]; ok {
		return known
	}
	if project != noProject && project != unknownProject {
		if s.own >= maxSeries {
			project = otherProject
		} else {
			s.own++
		}
	}
	key := [3]string{project, route, reason}
	if known, ok := s.series[key]; ok {
		return known
	}
	s.series[key] = metric.WithAttributeSet(attribute.NewSet(attribute.String(attrProject, project), attribute.String(attrRoute, route), attribute.String(attrReason, reason)))
	return s.series[key]
}
