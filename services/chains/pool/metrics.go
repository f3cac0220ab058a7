package pool

import (
	"context"
	"log/slog"
	"strconv"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// metricTries counts the tries of nodes by attrChain, attrNode and attrOutcome.
const metricTries = "hawser.chains.tries"

// Attributes of metrics and logs. A node is named by its position in the operator's order, because its URL may hold a key.
const (
	attrChain   = "chain"
	attrNode    = "node"
	attrOutcome = "outcome"
)

// Outcomes of a try.
const (
	outcomeAnswered  = "answered"
	outcomeDoubtful  = "doubtful"
	outcomeFailed    = "failed"
	outcomeOvertaken = "overtaken"
	outcomeLeft      = "caller left"
)

// outcomes are those of the calls that ended, by their verdict.
var outcomes = map[verdict]string{settled: outcomeAnswered, doubtful: outcomeDoubtful, failure: outcomeFailed}

// metrics counts and logs the outcomes of the nodes of one chain.
type metrics struct {
	log   *slog.Logger
	tries metric.Int64Counter
	// options are the attributes of each count, by node and outcome.
	options []map[string]metric.AddOption
}

func newMetrics(c Chain, log *slog.Logger) *metrics {
	// After an error the instrument counts nothing. That must not stop the service.
	tries, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricTries, metric.WithDescription("Requests to nodes, by outcome"))
	if err != nil {
		otel.Handle(err)
	}
	m := &metrics{log: log.With(attrChain, c.ID), tries: tries}
	for index := range c.Nodes {
		byOutcome := map[string]metric.AddOption{}
		for _, outcome := range []string{outcomeAnswered, outcomeDoubtful, outcomeFailed, outcomeOvertaken, outcomeLeft} {
			byOutcome[outcome] = metric.WithAttributeSet(attribute.NewSet(
				attribute.String(attrChain, c.ID), attribute.String(attrNode, strconv.Itoa(index+1)), attribute.String(attrOutcome, outcome)))
		}
		m.options = append(m.options, byOutcome)
	}
	return m
}

func (m *metrics) count(ctx context.Context, n *Node, outcome string) {
	m.tries.Add(ctx, 1, m.options[n.index][outcome])
}

// failed logs the first failure of a node.
func (m *metrics) failed(ctx context.Context, n *Node, reason error) {
	m.log.WarnContext(ctx, "node failed and backs off", attrNode, n.index+1, "error", reason)
}

// recovered logs that a node responds again.
func (m *metrics) recovered(ctx context.Context, n *Node) {
	m.log.InfoContext(ctx, "node responds again", attrNode, n.index+1)
}

// wrongChain logs that a node is on another chain than configured.
func (m *metrics) wrongChain(ctx context.Context, n *Node, chainID string) {
	m.log.ErrorContext(ctx, "node is on another chain and is not used", attrNode, n.index+1, "host", n.host, "chain_id", chainID)
}

// silent logs that a node does not tell its chain.
func (m *metrics) silent(ctx context.Context, n *Node, reason error) {
	m.log.WarnContext(ctx, "node does not tell its chain", attrNode, n.index+1, "host", n.host, "error", reason)
}
