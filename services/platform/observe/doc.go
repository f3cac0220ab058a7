// Package observe provides structured logs with trace ids and without secrets, OpenTelemetry traces and metrics, and
// the private listener that serves them. Traces are exported only if OTEL_EXPORTER_OTLP_ENDPOINT is set.
//
// [Unary] is the interceptor that handles every unary call to a service.
package observe
