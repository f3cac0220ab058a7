package bus

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of an [Outbox].
const (
	metricOutboxLag  = "hawser.outbox.lag"
	metricOutboxSent = "hawser.outbox.published"
)

// observe exports how long the oldest event has waited and how many events were published, until stop is called.
func (o *Outbox) observe() (stop func()) {
	// After an error an instrument counts nothing. That must not stop the process.
	meter := otel.Meter("github.com/hawser-dev/hawser")
	lag, err := meter.Float64ObservableGauge(metricOutboxLag, metric.WithUnit("s"), metric.WithDescription("Age of the oldest event that is not published yet"))
	if err != nil {
		otel.Handle(err)
	}
	sent, err := meter.Int64ObservableCounter(metricOutboxSent, metric.WithDescription("Events of the outbox that this process published"))
	if err != nil {
		otel.Handle(err)
	}
	observed, err := meter.RegisterCallback(func(_ context.Context, to metric.Observer) error {
		to.ObserveFloat64(lag, o.lag().Seconds())
		to.ObserveInt64(sent, o.sent.Load())
		return nil
	}, lag, sent)
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	return func() { _ = observed.Unregister() }
}
