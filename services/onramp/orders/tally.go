package orders

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// metricEvents counts what providers told, by attrProvider and attrOutcome.
const metricEvents = "hawser.onramp.events"

// Attributes of what is counted and logged.
const (
	attrProvider = "provider"
	attrOutcome  = "outcome"
	attrOrder    = "order"
)

// refused is the outcome of what a provider did not sign, signed too long ago, or wrote in another form than documented.
const refused Outcome = "refused"

// tally counts events.
type tally struct{ events metric.Int64Counter }

func newTally() *tally {
	// An instrument that could not be made counts nothing, and says so in its error; the book must open all the same.
	events, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricEvents, metric.WithDescription("What providers told of orders"))
	if err != nil {
		otel.Handle(err)
	}
	return &tally{events}
}

func (t *tally) count(ctx context.Context, provider string, o Outcome) {
	t.events.Add(ctx, 1, metric.WithAttributes(attribute.String(attrProvider, provider), attribute.String(attrOutcome, string(o))))
}
