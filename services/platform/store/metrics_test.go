package store_test

import (
	"context"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestConnectionsInUseAndCallsThatWaitAreMeasured(t *testing.T) {
	reader := metric.NewManualReader()
	before := otel.GetMeterProvider()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	defer otel.SetMeterProvider(before)
	db, err := store.OpenPool(t.Context(), storetest.PostgreSQL(t), 3)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	stop := db.Observe()
	held := make(chan struct{})
	ended := make(chan error, 4)
	for range 4 {
		go func() {
			ended <- db.InTx(t.Context(), func(*store.Tx) error {
				<-held
				return nil
			})
		}()
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		got := collect(t, reader)
		if got["hawser.database.connections used"] == 3 && got["hawser.database.waits "] >= 1 && got["hawser.database.connections.most "] == 3 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("measured %v", got)
		}
	}
	close(held)
	for range 4 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if got := collect(t, reader); got["hawser.database.waited "] <= 0 || got["hawser.database.connections used"] != 0 {
		t.Errorf("measured %v", got)
	}
	stop()
	if got := collect(t, reader); len(got) > 0 {
		t.Errorf("after the end: %v", got)
	}
}

// collect returns the values of metrics by their name and state.
func collect(t *testing.T, reader metric.Reader) map[string]float64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Gauge[int64]:
				for _, p := range data.DataPoints {
					state, _ := p.Attributes.Value("state")
					values[m.Name+" "+state.AsString()] = float64(p.Value)
				}
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					values[m.Name+" "] = float64(p.Value)
				}
			case metricdata.Sum[float64]:
				for _, p := range data.DataPoints {
					values[m.Name+" "] = p.Value
				}
			}
		}
	}
	return values
}
