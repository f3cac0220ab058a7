package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Config configures the log.
type Config struct {
	Level  string `yaml:"level" doc:"least severe level that is logged: debug, info, warn or error"`
	Format string `yaml:"format" doc:"text for people, json for machines"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{Level: "info", Format: "text"} }

// Check returns faults for unknown levels and formats.
func (c Config) Check() []config.Fault {
	if _, err := NewLogger(io.Discard, Config{Level: c.Level, Format: "text"}); err != nil {
		return []config.Fault{config.Faultf("level", "it is not one of debug, info, warn, error")}
	}
	if _, err := NewLogger(io.Discard, c); err != nil {
		return []config.Fault{config.Faultf("format", "it is neither text nor json")}
	}
	return nil
}

// Process identifies the observed process.
type Process struct {
	// Target is what the process hosts, and Version its release.
	Target, Version string
	// Log is where log records go.
	Log io.Writer
	// Profiles says that operators may read profiles of the process: of what it does, and of what it has in memory.
	Profiles bool
}

// Telemetry is the process's logger and metrics.
type Telemetry struct {
	Logger *slog.Logger

	profiles bool
	registry *prometheus.Registry
	traces   *sdktrace.TracerProvider
	// stopMetrics shuts the provider of metrics down. Every package that imports this one would compile generic code of the provider if it saw the
	// provider's type in a field.
	stopMetrics func(context.Context) error
}

// Setup configures logs, traces and metrics of the whole process, including the defaults of slog and OpenTelemetry.
func Setup(ctx context.Context, cfg Config, p Process) (*Telemetry, error) {
	logger, err := NewLogger(p.Log, cfg)
	if err != nil {
		return nil, err
	}
	who := resource.NewSchemaless(
		attribute.String("service.name", "hawser"),
		attribute.String("service.version", p.Version),
		attribute.String("hawser.target", p.Target),
	)
	t := &Telemetry{Logger: logger, profiles: p.Profiles, registry: prometheus.NewRegistry()}
	if t.traces, err = newTracerProvider(ctx, who); err != nil {
		return nil, fmt.Errorf("set up traces: %w", err)
	}
	t.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(t.registry))
	if err != nil {
		return nil, fmt.Errorf("set up metrics: %w", err)
	}
	metrics := metric.NewMeterProvider(metric.WithReader(exporter), metric.WithResource(who))
	t.stopMetrics = metrics.Shutdown

	slog.SetDefault(logger)
	otel.SetTracerProvider(t.traces)
	otel.SetMeterProvider(metrics)
	otel.SetTextMapPropagator(propagation.TraceContext{})
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { logger.Warn("telemetry", "error", err) }))
	routine.Measure(ctx)
	return t, nil
}

// newTracerProvider exports spans to the endpoint in the standard variables of OpenTelemetry. Without an endpoint
// traces have ids, for the log, and no spans are exported.
func newTracerProvider(ctx context.Context, who *resource.Resource) (*sdktrace.TracerProvider, error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" {
		return sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()), sdktrace.WithIDGenerator(ids{}), sdktrace.WithResource(who)), nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	return sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithSampler(newSampler(ratioOf())), sdktrace.WithIDGenerator(ids{}), sdktrace.WithResource(who)), nil
}

// Shutdown exports the remaining spans and metrics.
func (t *Telemetry) Shutdown(ctx context.Context) error {
	return errors.Join(t.traces.Shutdown(ctx), t.stopMetrics(ctx))
}
