package leases

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of limits that replicas share.
const (
	metricLeases = "hawser.limit.leases"
	metricAlone  = "hawser.limit.alone"
	metricLeased = "hawser.limit.leased"

	attrService = "service"
	attrOutcome = "outcome"
)

// metrics counts how replicas share limits. It has no attribute that names a caller.
type metrics struct {
	service  attribute.KeyValue
	leases   metric.Int64Counter
	observed metric.Registration
	// stopLocal ends the metrics of callers without a lease.
	stopLocal func()
}

func newMetrics(service string, l *Limiter) *metrics {
	// After an error an instrument counts nothing. That must not stop the service.
	meter := otel.Meter("github.com/hawser-dev/hawser")
	m := &metrics{service: attribute.String(attrService, service), stopLocal: l.alone.Observe(service)}
	var err error
	if m.leases, err = meter.Int64Counter(metricLeases, metric.WithDescription("Requests for tokens of a shared rate limit")); err != nil {
		otel.Handle(err)
	}
	alone, err := meter.Int64ObservableGauge(metricAlone, metric.WithDescription("1 while a replica counts its limits alone, because NATS does not answer"))
	if err != nil {
		otel.Handle(err)
		return m
	}
	leased, err := meter.Int64ObservableGauge(metricLeased, metric.WithDescription("Callers whose rates a replica shares with others"))
	if err != nil {
		otel.Handle(err)
		return m
	}
	m.observed, err = meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		n := int64(0)
		if l.isUnavailable() {
			n = 1
		}
		o.ObserveInt64(alone, n, metric.WithAttributes(m.service))
		o.ObserveInt64(leased, int64(l.Len()), metric.WithAttributes(m.service))
		return nil
	}, alone, leased)
	if err != nil {
		otel.Handle(err)
	}
	return m
}

// leased counts a request for tokens.
func (m *metrics) leased(ctx context.Context, granted float64, err error) {
	outcome := "granted"
	switch {
	case errors.Is(err, errChanged):
		outcome = "contended"
	case err != nil:
		outcome = "failed"
	case granted < 1:
		outcome = "empty"
	}
	m.leases.Add(ctx, 1, metric.WithAttributes(m.service, attribute.String(attrOutcome, outcome)))
}

func (m *metrics) close() {
	m.stopLocal()
	if m.observed != nil {
		_ = m.observed.Unregister()
	}
}
