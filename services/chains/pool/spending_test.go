package pool

import (
	"context"
	"fmt"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// spendingRead is spending that a test reads.
type spendingRead struct {
	*spending
	reader *metric.ManualReader
}

func newSpendingRead(t *testing.T) spendingRead {
	t.Helper()
	reader := metric.NewManualReader()
	meter := metric.NewMeterProvider(metric.WithReader(reader)).Meter("test")
	calls, err := meter.Int64Counter(metricCalls)
	if err != nil {
		t.Fatal(err)
	}
	weight, err := meter.Int64Counter(metricWeight)
	if err != nil {
		t.Fatal(err)
	}
	return spendingRead{newSpending(calls, weight), reader}
}

// series returns the values by metric, method and project.
func (s spendingRead) series(t *testing.T) map[string]int64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := s.reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	values := map[string]int64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			for _, p := range m.Data.(metricdata.Sum[int64]).DataPoints {
				method, _ := p.Attributes.Value(attrMethod)
				project, _ := p.Attributes.Value(attrProject)
				values[m.Name+" "+method.AsString()+" "+project.AsString()] = p.Value
			}
		}
	}
	return values
}

func TestRequestsAreCountedByMethodAndProjectWithTheirWeight(t *testing.T) {
	s := newSpendingRead(t)
	of := func(project string) context.Context {
		return caller.NewIncomingContext(t.Context(), caller.Caller{Project: project, Address: "192.0.2.1"})
	}
	site := "0123456789abcdef0123456789abcdef"
	logs, balance := rpc.NewRequest(rpc.MethodGetLogs), rpc.NewRequest("eth_getBalance")
	s.count(of(site), "eip155:1", NewCall(logs))
	s.count(of(site), "eip155:1", NewBatch([]rpc.Request{logs, balance, balance}))
	s.count(t.Context(), "eip155:1", NewCall(balance))
	s.count(of("a stranger's text"), "eip155:1", NewCall(rpc.NewRequest("anvil_setBalance")))
	s.count(t.Context(), "eip155:1", Call{body: []byte("{}")})
	want := map[string]int64{
		"hawser.chains.calls eth_getLogs 01234567": 2, "hawser.chains.weight eth_getLogs 01234567": 20,
		"hawser.chains.calls eth_getBalance 01234567": 2, "hawser.chains.weight eth_getBalance 01234567": 2,
		"hawser.chains.calls eth_getBalance none": 1, "hawser.chains.weight eth_getBalance none": 1,
		"hawser.chains.calls other other": 1, "hawser.chains.weight other other": 1,
		"hawser.chains.calls probe none": 1, "hawser.chains.weight probe none": 1,
	}
	got := s.series(t)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestProjectsBeyondTheBoundAreCountedTogether(t *testing.T) {
	s := newSpendingRead(t)
	for i := range maxProjectSeries + 500 {
		ctx := caller.NewIncomingContext(t.Context(), caller.Caller{Project: fmt.Sprintf("%08x%024x", i, 0)})
		s.count(ctx, "eip155:1", NewCall(rpc.NewRequest("eth_getBalance")))
	}
	got := s.series(t)
	if len(got) != 2*(maxProjectSeries+1) || got["hawser.chains.calls eth_getBalance other"] != 500 {
		t.Errorf("%d series, of which the last has %d calls", len(got), got["hawser.chains.calls eth_getBalance other"])
	}
}
