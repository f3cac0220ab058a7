package relay

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

// Metrics of the process. Those of requests and deliveries are in method and session.
const (
	metricConnections = "hawser.relay.connections"
	metricStoreUsed   = "hawser.relay.store.used"
	metricStreamUsed  = "hawser.relay.stream.used"
	attrStream        = "stream"
)

// measure reports how many connections there are, and which part of the store and of each stream has messages.
func measure(connections func() int, store *mailbox.Store) {
	// After an error an instrument reports nothing. That must not stop the service.
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
			o.Observe(store.Used())
			return nil
		}))
	if err != nil {
		otel.Handle(err)
	}
	_, err = meter.Float64ObservableGauge(metricStreamUsed, metric.WithDescription("Part of a stream of the relay that has messages, from 0 to 1"),
		metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
			for name, used := range store.UsedByStream() {
				o.Observe(used, metric.WithAttributes(attribute.String(attrStream, name)))
			}
			return nil
		}))
	if err != nil {
		otel.Handle(err)
	}
}
