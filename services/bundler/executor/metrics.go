package executor

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of the executors.
const (
	metricLimited = "hawser.bundler.limited"
	metricLost    = "hawser.bundler.lost"
	// metricUnfunded counts operations that no executor could pay for, by attrChain.
	metricUnfunded = "hawser.bundler.unfunded"

	attrChain = "chain"
	attrLimit = "limit"
)

// limitNames are the names of limits in metrics.
var limitNames = map[Limit]string{
	LimitProject: "project", LimitAccount: "account", LimitDropped: "dropped", LimitProjectLoss: "project_loss", LimitLoss: "loss",
}

// metrics counts what executors refuse and lose.
type metrics struct{ refused, lost, unpaid metric.Int64Counter }

// newMetrics returns metrics that are zero on each chain: a counter whose first value is above zero has no increase that an alert sees.
func newMetrics(chainIDs []string) *metrics {
	// After an error an instrument counts nothing. That must not stop the service.
	meter := otel.Meter("github.com/hawser-dev/hawser")
	m := &metrics{}
	var err error
	if m.refused, err = meter.Int64Counter(metricLimited, metric.WithDescription("User operations that were refused because of a limit, by limit")); err != nil {
		otel.Handle(err)
	}
	if m.lost, err = meter.Int64Counter(metricLost, metric.WithDescription("User operations that failed after they were sent, which cost an executor gas")); err != nil {
		otel.Handle(err)
	}
	if m.unpaid, err = meter.Int64Counter(metricUnfunded, metric.WithDescription("User operations that were refused because no executor could pay for the transaction")); err != nil {
		otel.Handle(err)
	}
	for _, chainID := range chainIDs {
		for limit := range limitNames {
			m.count(context.Background(), chainID, limit, 0)
		}
		m.lost.Add(context.Background(), 0, metric.WithAttributes(attribute.String(attrChain, chainID)))
		m.unpaid.Add(context.Background(), 0, metric.WithAttributes(attribute.String(attrChain, chainID)))
	}
	return m
}

// limited counts an operation that was refused.
func (m *metrics) limited(ctx context.Context, chainID string, l Limit) {
	m.count(ctx, chainID, l, 1)
}

func (m *metrics) count(ctx context.Context, chainID string, l Limit, refused int64) {
	m.refused.Add(ctx, refused, metric.WithAttributes(attribute.String(attrChain, chainID), attribute.String(attrLimit, limitNames[l])))
}

// dropped counts an operation that was sent and not executed.
func (m *metrics) dropped(ctx context.Context, chainID string) {
	m.lost.Add(ctx, 1, metric.WithAttributes(attribute.String(attrChain, chainID)))
}

// unfunded counts an operation that no executor could pay for.
func (m *metrics) unfunded(ctx context.Context, chainID string) {
	m.unpaid.Add(ctx, 1, metric.WithAttributes(attribute.String(attrChain, chainID)))
}
