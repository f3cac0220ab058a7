package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

func TestTheEndOfACertificateIsMeasuredAtTheStart(t *testing.T) {
	reader := metric.NewManualReader()
	before := otel.GetMeterProvider()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	defer otel.SetMeterProvider(before)
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	c := newCertificates(slog.New(slog.DiscardHandler), server.URL+"/base", "https://127.0.0.1:1", "http://hawser.example.org", "")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.watch(ctx) }()
	var found []int64
	waitUntil(t, "the certificate is read", func() bool {
		var all metricdata.ResourceMetrics
		if err := reader.Collect(t.Context(), &all); err != nil {
			t.Fatal(err)
		}
		found = nil
		for _, scope := range all.ScopeMetrics {
			for _, m := range scope.Metrics {
				if gauge, ok := m.Data.(metricdata.Gauge[int64]); ok && m.Name == metricCertificate {
					for _, p := range gauge.DataPoints {
						found = append(found, p.Value)
					}
				}
			}
		}
		return len(found) > 0
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if want := []int64{server.Certificate().NotAfter.Unix()}; !slices.Equal(found, want) || time.Unix(found[0], 0).IsZero() {
		t.Errorf("the ends are %v, want %v", found, want)
	}
}

func TestOnlyCertificatesOfHTTPSAreRead(t *testing.T) {
	c := newCertificates(slog.New(slog.DiscardHandler), "https://hawser.example.org", "https://wallet.example.net:8443", "http://localhost:8080", "", "::")
	if want := []string{"hawser.example.org:443", "wallet.example.net:8443"}; !slices.Equal(c.hosts, want) {
		t.Errorf("reads %q", c.hosts)
	}
}
