package chains

import (
	"context"
	"log/slog"
	"strconv"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// metricTries counts what nodes were asked, by attrChain, attrNode and attrOutcome.
const metricTries = "hawser.chains.tries"

// Attributes of what is counted and logged of nodes. A node is named by its place in the operator's order, since its URL may hold a key.
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

// tally counts and logs how the nodes of one chain do.
type tally struct {
	log   *slog.Logger
	tries metric.Int64Counter
	// counted is what each count is filed under, by node and outcome.
	counted []map[string]metric.AddOption
}

func newTally(n Network) *tally {
	// An instrument that could not be made counts nothing, and says so in its error; the door must open all the same.
	tries, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricTries, metric.WithDescription("What nodes were asked"))
	if err != nil {
		otel.Handle(err)
	}
	t := &tally{log: slog.New(slog.DiscardHandler), tries: tries}
	for place := range n.RPC {
		byOutcome := map[string]metric.AddOption{}
		for _, outcome := range []string{outcomeAnswered, outcomeDoubtful, outcomeFailed, outcomeOvertaken, outcomeLeft} {
			byOutcome[outcome] = metric.WithAttributeSet(attribute.NewSet(
				attribute.String(attrChain, n.ChainID), attribute.String(attrNode, strconv.Itoa(place+1)), attribute.String(attrOutcome, outcome)))
		}
		t.counted = append(t.counted, byOutcome)
	}
	return t
}

func (t *tally) count(ctx context.Context, n *node, outcome string) {
	t.tries.Add(ctx, 1, t.counted[n.place][outcome])
}

// rests tells the operator that a node failed, once until it is back.
func (t *tally) rests(ctx context.Context, n *node, first bool, reason error) {
	if first {
		t.log.WarnContext(ctx, "a node failed and rests", attrNode, n.place+1, "error", reason)
	}
}

// foreign tells the operator that a node is of another chain than the table says.
func (t *tally) foreign(ctx context.Context, n *node, said string) {
	t.log.ErrorContext(ctx, "a node is of another chain and is not asked", attrNode, n.place+1, "said", said)
}

// back tells the operator that a node answers again.
func (t *tally) back(ctx context.Context, n *node) {
	t.log.InfoContext(ctx, "a node answers again", attrNode, n.place+1)
}
