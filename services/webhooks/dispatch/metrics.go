package dispatch

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

// metricAttempts counts attempts at webhooks, by attrOutcome.
const (
	metricAttempts = "hawser.webhooks.attempts"
	attrOutcome    = "outcome"
)

// metrics counts attempts.
type metrics struct{ attempts metric.Int64Counter }

func newMetrics() metrics {
	// If the instrument cannot be created, nothing is counted; the service starts nevertheless.
	attempts, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricAttempts, metric.WithDescription("Attempts to deliver webhooks, by outcome"))
	if err != nil {
		otel.Handle(err)
	}
	return metrics{attempts}
}

func (m metrics) count(ctx context.Context, o deliveries.Outcome) {
	outcome := "refused"
	switch {
	case o.IsDelivered():
		outcome = "delivered"
	case o.Status == 0:
		outcome = "unanswered"
	}
	m.attempts.Add(ctx, 1, metric.WithAttributes(attribute.String(attrOutcome, outcome)))
}
