package analytics

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"google.golang.org/grpc"

	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "analytics"

const (
	// flushInterval is how often counts are stored, and flushTimeout bounds the last flush.
	flushInterval = time.Second
	flushTimeout  = 5 * time.Second
	// cleanupInterval is how often old counts are deleted.
	cleanupInterval = time.Hour
	// listed bounds the counts of an answer. It is above the number of known events and details in 400 days.
	listed = 60_000
	// metricEvents counts events by name; its Prometheus name is hawser_events_total.
	metricEvents = "hawser.events"
)

// Deps are the dependencies of the service.
type Deps struct {
	DB    *store.DB
	Clock clock.Clock
	Log   *slog.Logger
}

// New returns the service. It creates the table if it does not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	kept, err := NewSQLStore(ctx, deps.DB)
	if err != nil {
		return run.Service{}, err
	}
	counted, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricEvents, metric.WithDescription("Events of pages, by name."))
	if err != nil {
		return run.Service{}, err
	}
	w := &worker{counter: NewCounter(kept, deps.Clock), store: kept, keepDays: cfg.KeepDays, deps: deps}
	return run.Service{
		Name: Name,
		Register: func(s grpc.ServiceRegistrar) {
			analyticsv1.RegisterAnalyticsServiceServer(s, &server{counter: w.counter, enabled: cfg.Enabled, counted: counted})
			analyticsv1.RegisterCountServiceServer(s, &countServer{store: kept, clock: deps.Clock})
		},
		Work:  w.work,
		Ready: deps.DB.Ready,
	}, nil
}

// worker stores counts and deletes old ones.
type worker struct {
	counter  *Counter
	store    Store
	keepDays int
	deps     Deps
}

// work runs until ctx ends, and then stores the remaining counts.
func (w *worker) work(ctx context.Context) error {
	flush, clean := time.NewTicker(flushInterval), time.NewTicker(cleanupInterval)
	defer flush.Stop()
	defer clean.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
			defer cancel()
			w.log(last, "last counts not stored", w.counter.Close(last))
			return ctx.Err()
		case <-flush.C:
			w.log(ctx, "counts not stored", w.counter.Flush(ctx))
		case <-clean.C:
			oldest := w.deps.Clock.Now().UTC().AddDate(0, 0, -w.keepDays).Format(dayForm)
			w.log(ctx, "old counts not deleted", w.store.DeleteBefore(ctx, oldest))
		}
	}
}

func (w *worker) log(ctx context.Context, failed string, err error) {
	if err != nil && ctx.Err() == nil {
		w.deps.Log.WarnContext(ctx, failed, "error", err)
	}
}

type server struct {
	analyticsv1.UnimplementedAnalyticsServiceServer
	counter *Counter
	enabled bool
	counted metric.Int64Counter
}

// RecordEvents counts events of the caller's project.
func (s *server) RecordEvents(ctx context.Context, r *analyticsv1.RecordEventsRequest) (*analyticsv1.RecordEventsResponse, error) {
	if !s.enabled {
		return &analyticsv1.RecordEventsResponse{}, nil
	}
	list := make([]Event, len(r.GetEvents()))
	for i, e := range r.GetEvents() {
		list[i] = NewEvent(e.GetEvent(), e.GetProperties().GetMethod(), e.GetProperties().GetPlatform())
		s.counted.Add(ctx, 1, metric.WithAttributes(attribute.String("event", list[i].Name)))
	}
	return &analyticsv1.RecordEventsResponse{}, s.counter.Record(ctx, caller.From(ctx).Project, list)
}

// countServer implements CountService.
type countServer struct {
	analyticsv1.UnimplementedCountServiceServer

	store Store
	clock clock.Clock
}

// ListCounts returns the counts of a project.
func (s *countServer) ListCounts(ctx context.Context, r *analyticsv1.ListCountsRequest) (*analyticsv1.ListCountsResponse, error) {
	from := s.clock.Now().UTC().AddDate(0, 0, 1-int(r.GetDays())).Format(dayForm)
	counts, err := s.store.List(ctx, r.GetProjectId(), from)
	if err != nil {
		return nil, err
	}
	res := &analyticsv1.ListCountsResponse{}
	for _, c := range counts[:min(len(counts), listed)] {
		res.Counts = append(res.Counts, &analyticsv1.Count{Day: c.Day, Event: c.Name, Detail: c.Detail, Count: c.N})
	}
	return res, nil
}
