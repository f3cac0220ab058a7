package bundler

import (
	"context"
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

func TestTheFundsOfExecutorsAndOfThePaymasterAreMeasured(t *testing.T) {
	reader := metric.NewManualReader()
	before := otel.GetMeterProvider()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	defer otel.SetMeterProvider(before)
	w := newWorld(t, open(t), nil)

	read, err := w.readFunds(t.Context(), local)
	if err != nil || len(read) != 3 {
		t.Fatalf("%v, %v", read, err)
	}
	for i, f := range read {
		if i == 2 {
			if f.role != rolePaymaster || f.account != w.network().Paymaster || f.wei.Sign() <= 0 {
				t.Errorf("the paymaster is %+v", f)
			}
			continue
		}
		var balance hexutil.Big
		if err := json.Unmarshal(w.chain.Call(t, "eth_getBalance", f.account, "latest"), &balance); err != nil {
			t.Fatal(err)
		}
		if f.role != roleExecutor || f.wei.Cmp(balance.ToInt()) != 0 || f.wei.Sign() <= 0 {
			t.Errorf("executor %d is %+v, and its balance is %s", i, f, balance.ToInt())
		}
	}

	if err := w.measureFunds(t.Context(), local, newFundsGauge()); err != nil {
		t.Fatal(err)
	}
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	measured := map[string]float64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			if gauge, ok := m.Data.(metricdata.Gauge[float64]); ok && m.Name == metricFunds {
				for _, p := range gauge.DataPoints {
					account, _ := p.Attributes.Value(attrAccount)
					role, _ := p.Attributes.Value(attrRole)
					measured[role.AsString()+" "+account.AsString()] = p.Value
				}
			}
		}
	}
	for _, f := range read {
		if got := measured[f.role+" "+f.account.String()]; got != tokens(f.wei) {
			t.Errorf("%s of the %s is measured as %g", f.wei, f.role, got)
		}
	}
}

func TestWeiAreWholeTokensInMetrics(t *testing.T) {
	wei, _ := new(big.Int).SetString("1500000000000000000", 10)
	if got := tokens(wei); got != 1.5 {
		t.Errorf("%g", got)
	}
}

// A bundler without executors and paymaster makes no call.
func TestAChainWithoutFundsIsNotRead(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Executors, c.Paymaster.Signer, c.Paymaster.Projects = nil, "", nil })
	w.lacks = "eth_getBalance"
	if read, err := w.readFunds(t.Context(), local); err != nil || len(read) != 0 {
		t.Errorf("%v, %v", read, err)
	}
}
