package relay

import (
	"context"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of the relay.
const (
	metricConnections = "hawser.relay.connections"
	metricStoreUsed   = "hawser.relay.store.used"
	metricRequests    = "hawser.relay.requests"
	metricDelivery    = "hawser.relay.delivery.duration"

	attrMethod  = "method"
	attrOutcome = "outcome"
)

// metrics counts what the relay does. It has no attribute that names a client, a topic or a project.
type metrics struct {
	requests metric.Int64Counter
	delivery metric.Float64Histogram
}

func newMetrics(connections func() int, storeUsed func() float64) *metrics {
	// After an error an instrument counts nothing. That must not stop the service.
	meter := otel.Meter("github.com/hawser-dev/hawser")
	_, err := meter.Int64ObservableGauge(metricConnections, metric.WithDescription("WebSocket connections of the relay"),
		metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
			o.Observe(int64(connections()))
			return nil
		}))
	if err != nil {
		otel.Handle(err)
	}
	_, err = meter.Float64ObservableGauge(metricStoreUsed, metric.WithDescription("Part of the store of the relay that has messages, from 0 to 1"),
		metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
			o.Observe(storeUsed())
			return nil
		}))
	if err != nil {
		otel.Handle(err)
	}
	m := &metrics{}
	if m.requests, err = meter.Int64Counter(metricRequests, metric.WithDescription("Requests of the relay's clients")); err != nil {
		otel.Handle(err)
	}
	if m.delivery, err = meter.Float64Histogram(metricDelivery, metric.WithUnit("s"), metric.WithDescription("Time from storing a message to sending it"),
		metric.WithExplicitBucketBoundaries(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 10, 60, 600, 86400)); err != nil {
		otel.Handle(err)
	}
	return m
}

// request counts a request. outcome is ok, or the tag of an error.
func (m *metrics) request(ctx context.Context, method, outcome string) {
	m.requests.Add(ctx, 1, metric.WithAttributes(attribute.String(attrMethod, method), attribute.String(attrOutcome, outcome)))
}

func (m *metrics) delivered(ctx context.Context, after time.Duration) {
	m.delivery.Record(ctx, after.Seconds())
}
