package pool

import (
	"context"
	"regexp"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

const (
	// metricCalls counts the requests that nodes were sent, and metricWeight what they weigh, by attrChain, attrMethod and attrProject.
	metricCalls  = "hawser.chains.calls"
	metricWeight = "hawser.chains.weight"

	attrMethod  = "method"
	attrProject = "project"

	// methodProbe is a request by which the pool learns the chain or the newest block of a node, methodOther one of a method that this package does not
	// know, as those of development chains.
	methodProbe = "probe"
	methodOther = "other"
	// noProject are the suite's own calls, and those that name no project, otherProject those of projects beyond maxProjectSeries.
	noProject    = "none"
	otherProject = "other"
	// projectDigits is how much of a project's id is shown: the whole id is a key of its pages.
	projectDigits = 8
	// maxProjectSeries bounds the series of a process with projects of their own. There is one more for each chain and method. OpenTelemetry drops the
	// labels of those beyond 2,000.
	maxProjectSeries = 1000
)

// projectForm is the form of the id of a project. The gateway passes on no id of a project that does not exist.
var projectForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// spending counts what nodes are asked for, by who has it asked.
type spending struct {
	calls, weight metric.Int64Counter

	mu     sync.Mutex
	series map[[3]string]metric.MeasurementOption
	// own counts the series with projects of their own.
	own int
}

// spent counts for all pools of the process, because the bound is one for all.
var spent = sync.OnceValue(func() *spending {
	meter := otel.Meter("github.com/hawser-dev/hawser")
	// After an error an instrument counts nothing. That must not stop the service.
	calls, err := meter.Int64Counter(metricCalls, metric.WithDescription("Requests that nodes were sent, hedges and retries included, by method and project"))
	if err != nil {
		otel.Handle(err)
	}
	weight, err := meter.Int64Counter(metricWeight, metric.WithDescription("Weight of these requests, as rate limits count it"))
	if err != nil {
		otel.Handle(err)
	}
	return newSpending(calls, weight)
})

func newSpending(calls, weight metric.Int64Counter) *spending {
	return &spending{calls: calls, weight: weight, series: map[[3]string]metric.MeasurementOption{}}
}

// count counts a call that a node is sent. A request of a batch counts as one on its own, as vendors charge it.
func (s *spending) count(ctx context.Context, chainID string, c Call) {
	project := caller.From(ctx).Project
	if len(c.requests) == 0 {
		s.add(ctx, chainID, methodProbe, project, 1)
	}
	for _, q := range c.requests {
		method := q.Method
		if !rpc.IsKnown(method) {
			method = methodOther
		}
		s.add(ctx, chainID, method, project, jsonrpc.Weight(q.Method))
	}
}

func (s *spending) add(ctx context.Context, chainID, method, project string, weight int) {
	of := s.labels(chainID, method, project)
	s.calls.Add(ctx, 1, of)
	s.weight.Add(ctx, int64(weight), of)
}

// labels returns the labels of a series. They are cached, because there are few and creating them costs more than counting.
func (s *spending) labels(chainID, method, project string) metric.MeasurementOption {
	switch {
	case projectForm.MatchString(project):
		project = project[:projectDigits]
	case project == "":
		project = noProject
	default:
		project = otherProject
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [3]string{chainID, method, project}
	if known, ok := s.series[key]; ok {
		return known
	}
	if project != noProject && project != otherProject {
		if s.own >= maxProjectSeries {
			key[2] = otherProject
		} else {
			s.own++
		}
	}
	if known, ok := s.series[key]; ok {
		return known
	}
	s.series[key] = metric.WithAttributeSet(attribute.NewSet(attribute.String(attrChain, key[0]), attribute.String(attrMethod, key[1]), attribute.String(attrProject, key[2])))
	return s.series[key]
}
