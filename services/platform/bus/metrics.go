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

// Metrics of a [Bus].
const (
	// metricConnected is 1 while there is a connection to the server.
	metricConnected = "hawser.bus.connected"
	// metricFailing is 1 while events are not stored, or streams were lost and are not read again yet.
	metricFailing = "hawser.bus.failing"
	// metricReconnects counts how often the connection was established again.
	metricReconnects = "hawser.bus.reconnects"
)

// observe exports whether the server answers and takes events, until stop is called.
func (b *Bus) observe() (stop func()) {
	// After an error an instrument exports nothing. That must not stop the process.
	meter := otel.Meter("github.com/hawser-dev/hawser")
	connected, err := meter.Int64ObservableGauge(metricConnected, metric.WithDescription("1 while this process is connected to NATS"))
	if err != nil {
		otel.Handle(err)
	}
	failing, err := meter.Int64ObservableGauge(metricFailing, metric.WithDescription("1 while NATS does not store events of this process, or lost those that it reads"))
	if err != nil {
		otel.Handle(err)
	}
	reconnects, err := meter.Int64ObservableCounter(metricReconnects, metric.WithDescription("Connections to NATS that were established again"))
	if err != nil {
		otel.Handle(err)
	}
	observed, err := meter.RegisterCallback(func(_ context.Context, to metric.Observer) error {
		to.ObserveInt64(connected, one(b.conn.IsConnected()))
		to.ObserveInt64(failing, one(b.isFailing()))
		to.ObserveInt64(reconnects, int64(b.conn.Stats().Reconnects))
		return nil
	}, connected, failing, reconnects)
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	return func() { _ = observed.Unregister() }
}

// isFailing reports whether events are not stored, or streams were lost, as far as this process has observed.
func (b *Bus) isFailing() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.storing.failure(b.clock.Now()) != nil || len(b.lost) > 0
}

func one(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

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
