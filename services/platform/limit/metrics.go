package limit

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of a [Memory].
const (
	metricHeld    = "hawser.memory.held"
	metricBudget  = "hawser.memory.budget"
	metricRefused = "hawser.memory.refused"
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
	observed, err := meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		o.ObserveInt64(held, m.used)
		o.ObserveInt64(budget, m.total)
		o.ObserveInt64(refused, m.refused)
		return nil
	}, held, budget, refused)
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	return func() { _ = observed.Unregister() }
}
