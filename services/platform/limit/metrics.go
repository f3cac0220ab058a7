package limit

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of a [Memory].
const (
	metricHeld    = "hawser.memory.held"
	metricBudget  = "hawser.memory.budget"
	metricRefused = "hawser.memory.refused"
)

// Metrics of a [Local].
const (
	metricAccounts = "hawser.limit.accounts"
	metricWithout  = "hawser.limit.without_account"

	attrService = "service"
)

// Observe exports how many bytes are held, the budget, and how often bytes were refused, until stop is called.
func (m *Memory) Observe() (stop func()) {
	// After an error an instrument counts nothing. That must not stop the process.
	meter := otel.Meter("github.com/hawser-dev/hawser")
	held, err := meter.Int64ObservableGauge(metricHeld, metric.WithUnit("By"), metric.WithDescription("Bytes that the process holds for callers"))
	if err != nil {
		otel.Handle(err)
	}
	budget, err := meter.Int64ObservableGauge(metricBudget, metric.WithUnit("By"), metric.WithDescription("Bytes that the process may hold for callers"))
	if err != nil {
		otel.Handle(err)
	}
	refused, err := meter.Int64ObservableCounter(metricRefused, metric.WithDescription("Requests for bytes that were refused"))
	if err != nil {
		otel.Handle(err)
	}
	return register(meter, func(_ context.Context, o metric.Observer) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		o.ObserveInt64(held, m.used)
		o.ObserveInt64(budget, m.total)
		o.ObserveInt64(refused, m.refused)
		return nil
	}, held, budget, refused)
}

// Observe exports how many callers of a service have accounts, and how often callers were counted without one, until stop is called. No attribute names a
// caller.
func (l *Local) Observe(service string) (stop func()) {
	meter := otel.Meter("github.com/hawser-dev/hawser")
	held, err := meter.Int64ObservableGauge(metricAccounts, metric.WithDescription("Callers whose rates a process counts in accounts of their own"))
	if err != nil {
		otel.Handle(err)
	}
	without, err := meter.Int64ObservableCounter(metricWithout, metric.WithDescription("Times that a caller was counted without an account, because there was no room for one"))
	if err != nil {
		otel.Handle(err)
	}
	of := metric.WithAttributes(attribute.String(attrService, service))
	return register(meter, func(_ context.Context, o metric.Observer) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		o.ObserveInt64(held, int64(l.rates.Len()), of)
		o.ObserveInt64(without, l.without, of)
		return nil
	}, held, without)
}

// register calls observe for each export until stop is called.
func register(meter metric.Meter, observe metric.Callback, instruments ...metric.Observable) (stop func()) {
	observed, err := meter.RegisterCallback(observe, instruments...)
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	return func() { _ = observed.Unregister() }
}
