package orders

import (
	"context"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

const (
	// metricOverdue is how many orders are overdue, by attrProvider. Each replica reports the same number.
	metricOverdue = "hawser.onramp.overdue"

	// deliveredWithin is how long after the payment, or the last change after it, an order without tokens is not overdue.
	deliveredWithin = 6 * time.Hour
	overdueInterval = time.Minute
)

// overdue reports orders that were paid and not delivered.
type overdue struct {
	gauge metric.Int64Gauge
	// reported has the providers with a value that is not zero.
	reported map[string]bool
}

func newOverdue() *overdue {
	// If the instrument cannot be created, nothing is reported; the service starts nevertheless.
	gauge, err := otel.Meter("github.com/hawser-dev/hawser").Int64Gauge(metricOverdue, metric.WithDescription("Orders that were paid, and whose tokens were not sent within 6 hours"))
	if err != nil {
		otel.Handle(err)
	}
	return &overdue{gauge, map[string]bool{}}
}

// report counts the overdue orders of each provider. A provider without any is reported once more, as zero.
func (o *overdue) report(ctx context.Context, store Store, now time.Time) error {
	counts, err := store.CountPaid(ctx, now.Add(-deliveredWithin))
	if err != nil {
		return err
	}
	for provider := range o.reported {
		if counts[provider] == 0 {
			counts[provider] = 0
			delete(o.reported, provider)
		}
	}
	for provider, n := range counts {
		o.gauge.Record(ctx, n, metric.WithAttributes(attribute.String(attrProvider, provider)))
		if n > 0 {
			o.reported[provider] = true
		}
	}
	return nil
}
