package upstream_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// measured returns what is measured while do runs: the labels of each histogram, with the count.
func measured(t *testing.T, do func()) (found []string) {
	t.Helper()
	reader := metric.NewManualReader()
	before := otel.GetMeterProvider()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	defer otel.SetMeterProvider(before)
	do()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			for _, point := range m.Data.(metricdata.Histogram[float64]).DataPoints {
				var labels []string
				for _, label := range point.Attributes.ToSlice() {
					labels = append(labels, fmt.Sprintf("%s=%s", label.Key, label.Value.AsString()))
				}
				found = append(found, fmt.Sprintf("%s{%s} %d", m.Name, strings.Join(labels, ","), point.Count))
			}
		}
	}
	slices.Sort(found)
	return found
}

func TestCallsAreMeasuredByHostAndOutcome(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/limited/key" {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	labels := func(outcome string, count int) string {
		return fmt.Sprintf("hawser.upstream.duration{chain=,kind=prices,outcome=%s,upstream=%s} %d", outcome, host, count)
	}
	want := []string{labels("ok", 2), labels("rate_limited", 1)}

	got := measured(t, func() {
		client := upstream.New(time.Second, 1<<10).Measured("prices")
		defer client.Close()
		for _, path := range []string{"/key", "/key", "/limited/key"} {
			if _, _, err := client.GetJSON(t.Context(), server.URL+path); err != nil {
				t.Error(err)
			}
		}
	})
	if !slices.Equal(got, want) {
		t.Errorf("a client: %q, want %q", got, want)
	}

	got = measured(t, func() {
		client := http.Client{Transport: upstream.NewMeter("prices", "").Transport()}
		defer client.CloseIdleConnections()
		for _, path := range []string{"/key", "/key", "/limited/key"} {
			res, err := client.Get(server.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
		}
	})
	if !slices.Equal(got, want) {
		t.Errorf("a transport: %q, want %q", got, want)
	}
}

func TestTheHostsOfAMeterAreBounded(t *testing.T) {
	got := measured(t, func() {
		m := upstream.NewMeter("node", "eip155:1")
		for i := range 1000 {
			m.Record(t.Context(), fmt.Sprintf("%d.test", i), time.Second, upstream.OK)
		}
	})
	if len(got) > 201 || !slices.Contains(got, "hawser.upstream.duration{chain=eip155:1,kind=node,outcome=ok,upstream=other} 800") {
		t.Errorf("%d hosts: %q", len(got), got)
	}
}
