package finalcache

import (
	"context"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of the cache.
const (
	// metricReads counts reads of the database by attrChain, attrMethod and attrOutcome.
	metricReads = "hawser.chains.cache.reads"
	// metricSaved counts calls of nodes that were not needed by attrChain, attrMethod and attrBy.
	metricSaved = "hawser.chains.calls.saved"
	// metricBytes is what the rows of a chain count for, and metricResults how many there are.
	metricBytes   = "hawser.chains.cache.bytes"
	metricResults = "hawser.chains.cache.results"
	// metricDropped counts results that were not written by attrReason.
	metricDropped = "hawser.chains.cache.dropped"

	attrChain   = "chain"
	attrMethod  = "method"
	attrOutcome = "outcome"
	attrBy      = "by"
	attrReason  = "reason"
)

// Outcomes of a read of the database. A read is skipped if the database is not open, fails, is too slow, or has too many reads at once.
const (
	outcomeHit     = "hit"
	outcomeMiss    = "miss"
	outcomeSkipped = "skipped"
)

// What saves a call of a node.
const (
	SavedByMemory   = "memory"
	SavedByDatabase = "database"
)

// Reasons for which a result is dropped.
const (
	droppedSize   = "too large"
	droppedCaller = "caller"
	droppedQueue  = "queue full"
	droppedStore  = "database"
)

// metrics counts reads, what they saved, and what was dropped.
type metrics struct {
	reads, savedCalls, dropped metric.Int64Counter
	// options are the attributes of counts: there are few, and making them costs more than counting.
	options sync.Map // [3]string to metric.MeasurementOption

	mu    sync.Mutex
	sizes map[string]Size
}

func newMetrics() *metrics {
	meter := otel.Meter("github.com/hawser-dev/hawser")
	counter := func(name, description string) metric.Int64Counter {
		// After an error the instrument counts nothing. That must not stop the service.
		made, err := meter.Int64Counter(name, metric.WithDescription(description))
		if err != nil {
			otel.Handle(err)
		}
		return made
	}
	return &metrics{
		reads:      counter(metricReads, "Reads of the database of final results, by outcome"),
		savedCalls: counter(metricSaved, "Calls of nodes that were not needed because the result was kept"),
		dropped:    counter(metricDropped, "Final results that were not kept, by reason"),
	}
}

// observe exports the sizes until stop is called.
func (m *metrics) observe() (stop func()) {
	meter := otel.Meter("github.com/hawser-dev/hawser")
	bytes, err := meter.Int64ObservableGauge(metricBytes, metric.WithUnit("By"), metric.WithDescription("What final results take in the database"))
	if err != nil {
		otel.Handle(err)
	}
	results, err := meter.Int64ObservableGauge(metricResults, metric.WithDescription("Final results in the database, and reads of which it has one claim"))
	if err != nil {
		otel.Handle(err)
	}
	observed, err := meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		for chain, size := range m.sizes {
			of := metric.WithAttributes(attribute.String(attrChain, chain))
			o.ObserveInt64(bytes, size.Bytes, of)
			o.ObserveInt64(results, size.Results, of)
		}
		return nil
	}, bytes, results)
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	return func() { _ = observed.Unregister() }
}

func (m *metrics) setSizes(sizes map[string]Size) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sizes = sizes
}

func (m *metrics) read(ctx context.Context, r Read, outcome string) {
	m.reads.Add(ctx, 1, m.labels(attrOutcome, r, outcome))
}

func (m *metrics) saved(ctx context.Context, r Read, by string) {
	m.savedCalls.Add(ctx, int64(max(1, r.Calls)), m.labels(attrBy, r, by))
}

func (m *metrics) drop(ctx context.Context, reason string) { m.dropMany(ctx, reason, 1) }

func (m *metrics) dropMany(ctx context.Context, reason string, n int) {
	m.dropped.Add(ctx, int64(n), metric.WithAttributes(attribute.String(attrReason, reason)))
}

// labels returns the attributes of a count: the chain, the method, and a third one of few values, which no two of them share.
func (m *metrics) labels(third string, r Read, value string) metric.MeasurementOption {
	key := [3]string{r.ChainID, r.Method, value}
	if known, ok := m.options.Load(key); ok {
		return known.(metric.MeasurementOption)
	}
	made := metric.WithAttributeSet(attribute.NewSet(attribute.String(attrChain, r.ChainID), attribute.String(attrMethod, r.Method), attribute.String(third, value)))
	m.options.Store(key, made)
	return made
}
