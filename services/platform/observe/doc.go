// Package observe lets operators see what a process does: structured logs that carry trace ids and no secrets, OpenTelemetry traces and
// metrics, and the private listener that serves them. Traces leave the process only when OTEL_EXPORTER_OTLP_ENDPOINT says where to.
//
// [Unary] is the one interceptor that every call to a service passes.
package observe
