package orders_test

import (
	"context"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/hawser-dev/hawser/services/onramp/orders/orderstest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestOrdersThatArePaidAndNotDeliveredAreOverdue(t *testing.T) {
	reader := metric.NewManualReader()
	before := otel.GetMeterProvider()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	t.Cleanup(func() { otel.SetMeterProvider(before) })
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		report := w.ReportOverdue()
		overdue := func() (n int64, reported bool) {
			t.Helper()
			if err := report(t.Context()); err != nil {
				t.Fatal(err)
			}
			return valueOf(t, reader, orderstest.Provider)
		}
		paid, pending := w.placed(t, 1), w.placed(t, 2)
		w.take(t, orderstest.Event(paid, "1", ramp.Paid))
		w.take(t, orderstest.Event(pending, "1", ramp.Pending))
		w.clock.Pass(5 * time.Hour)
		if n, _ := overdue(); n != 0 {
			t.Errorf("%d are overdue after 5 hours", n)
		}
		w.clock.Pass(2 * time.Hour)
		if n, _ := overdue(); n != 1 {
			t.Errorf("%d are overdue after 7 hours", n)
		}
		w.take(t, orderstest.Event(paid, "2", ramp.Completed))
		if n, reported := overdue(); n != 0 || !reported {
			t.Errorf("%d are overdue after the delivery, reported %t", n, reported)
		}
	})
}

// valueOf returns the value of the only gauge for a provider.
func valueOf(t *testing.T, reader *metric.ManualReader, provider string) (value int64, reported bool) {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			gauge, ok := m.Data.(metricdata.Gauge[int64])
			if !ok || m.Name != "hawser.onramp.overdue" {
				continue
			}
			for _, p := range gauge.DataPoints {
				if name, _ := p.Attributes.Value("provider"); name.AsString() == provider {
					return p.Value, true
				}
			}
		}
	}
	return 0, false
}
