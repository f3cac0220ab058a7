package pool

import (
	"context"
	"log/slog"
	"strconv"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

const (
	// metricTries counts the tries of nodes by attrChain, attrNode and attrOutcome.
	metricTries = "hawser.chains.tries"
	// metricScore is how good nodes are, from 0 to 1, by attrChain, attrNode and attrPart. The part "total" is the product of the others.
	metricScore = "hawser.chains.node.score"
)

// Attributes of metrics and logs. A node is named by its position in the operator's order, because its URL may hold a key.
const (
	attrChain   = "chain"
	attrNode    = "node"
	attrOutcome = "outcome"
	attrPart    = "part"
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

// forked logs that a node has another block than most nodes.
func (m *metrics) forked(ctx context.Context, n *Node, number uint64) {
	m.log.ErrorContext(ctx, "node has another block than most nodes at a height that is final, and is not used", attrNode, n.index+1, "host", n.host, "block", number)
}

// wrongChain logs that a node is on another chain than configured.
func (m *metrics) wrongChain(ctx context.Context, n *Node, chainID string) {
	m.log.ErrorContext(ctx, "node is on another chain and is not used", attrNode, n.index+1, "host", n.host, "chain_id", chainID)
}

// silent logs that a node does not tell its chain.
func (m *metrics) silent(ctx context.Context, n *Node, reason error) {
	m.log.WarnContext(ctx, "node does not tell its chain", attrNode, n.index+1, "host", n.host, "error", reason)
}

// observeScores exports the scores of the nodes that were called, until stop is called.
func (p *Pool) observeScores() (stop func()) {
	meter := otel.Meter("github.com/hawser-dev/hawser")
	score, err := meter.Float64ObservableGauge(metricScore, metric.WithDescription("How good nodes are, from 0 to 1, by part"))
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	observed, err := meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		for index, s := range p.scores(p.clock.Now()) {
			for part, value := range map[string]float64{"total": s.Total(), "latency": s.Latency, "errors": s.Errors, "freshness": s.Freshness, "correctness": s.Correctness} {
				o.ObserveFloat64(score, value, metric.WithAttributes(
					attribute.String(attrChain, p.chain.ID), attribute.String(attrNode, strconv.Itoa(index+1)), attribute.String(attrPart, part)))
			}
		}
		return nil
	}, score)
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	return func() { _ = observed.Unregister() }
}
