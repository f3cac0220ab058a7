package observe

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// HTTP continues the trace that a request names, as far as a caller outside the suite may do so, and measures the
// request. Paths are not recorded: they contain addresses, so that almost every path is different. The call that serves
// the request is measured by [Unary] under the procedure's name.
func HTTP(h http.Handler) http.Handler {
	tracer := otel.Tracer(scope)
	duration, err := otel.Meter(scope).Float64Histogram(metricRequestDuration, metric.WithUnit("s"),
		metric.WithDescription("Time an HTTP request took"), metric.WithExplicitBucketBoundaries(durationBounds...))
	if err != nil {
		otel.Handle(err)
	}
	labels := newLabels(attrHTTPMethod, attrHTTPStatus)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		ctx, span := tracer.Start(joinPublic(r.Context(), r.Header), r.Method, trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		answer := &answerWriter{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r.WithContext(ctx))
		if span.IsRecording() {
			span.SetAttributes(attribute.String("url.path", r.URL.Path), attribute.Int(attrHTTPStatus, answer.status))
		}
		duration.Record(ctx, time.Since(begun).Seconds(), labels.of(knownMethod(r.Method), strconv.Itoa(answer.status)))
	})
}

// TraceID returns the id of the trace that ctx belongs to, which its log records have as trace_id; "" without a trace.
func TraceID(ctx context.Context) string {
	span := trace.SpanContextFromContext(ctx)
	if !span.HasTraceID() {
		return ""
	}
	return span.TraceID().String()
}

// RecordRequestID adds the id that a caller gave its request to the span of the request.
func RecordRequestID(ctx context.Context, id string) {
	trace.SpanFromContext(ctx).SetAttributes(attribute.String("http.request.header.x-request-id", id))
}

// knownMethod bounds the label values that callers can create.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodOptions, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return method
	default:
		return "other"
	}
}

// answerWriter records the status of a response.
type answerWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader records the status.
func (w *answerWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Flush sends what was written so far; streams need it.
func (w *answerWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
