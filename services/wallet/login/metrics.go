package login

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

const (
	// metricLogins counts logins by attrProvider and attrStage.
	metricLogins = "hawser.wallet.logins"
	// attrProvider is email, farcaster or a social provider.
	attrProvider = "provider"
	// attrStage is started or completed.
	attrStage = "stage"
)

// stage is how far a login came.
type stage string

const (
	started   stage = "started"
	completed stage = "completed"
)

// metrics counts logins.
type metrics struct{ logins metric.Int64Counter }

// newMetrics returns counts that are zero for each provider: a counter whose first value is above zero has no increase that an alert sees.
func newMetrics(providers []string) metrics {
	// After an error the instrument counts nothing. That must not stop the service.
	logins, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricLogins, metric.WithDescription("Logins of the embedded wallet that were started, and that ended with a session"))
	if err != nil {
		otel.Handle(err)
	}
	m := metrics{logins}
	for _, provider := range providers {
		for _, at := range []stage{started, completed} {
			m.add(context.Background(), provider, at, 0)
		}
	}
	return m
}

// count adds one login.
func (m metrics) count(ctx context.Context, provider string, at stage) { m.add(ctx, provider, at, 1) }

func (m metrics) add(ctx context.Context, provider string, at stage, n int64) {
	m.logins.Add(ctx, n, metric.WithAttributes(attribute.String(attrProvider, provider), attribute.String(attrStage, string(at))))
}
