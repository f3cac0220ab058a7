package observe

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	otelcodes "go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Unary returns the interceptor of every unary call to a service. It joins the call to its trace, measures it, recovers
// panics, and refuses a request that violates the rules of its message. Every error that it returns is the status of a
// [fault.Error]; the cause is logged. Each of explain may replace the error of a handler.
func Unary(explain ...func(error) error) grpc.UnaryServerInterceptor {
	tracer := otel.Tracer(scope)
	duration, err := otel.Meter(scope).Float64Histogram(metricCallDuration, metric.WithUnit("s"),
		metric.WithDescription("Time a call to a service took"),
		metric.WithExplicitBucketBoundaries(durationBounds...))
	if err != nil {
		otel.Handle(err)
	}
	labels := newLabels(attrMethod, attrCode)
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		begun := time.Now()
		ctx, span := join(ctx, tracer, info.FullMethod)
		defer span.End()
		resp, failure := answer(ctx, req, handler, explain)
		code := codes.OK
		if failure != nil {
			code = failure.Code
		}
		duration.Record(ctx, time.Since(begun).Seconds(), labels.of(info.FullMethod, code.String()))
		if failure == nil {
			return resp, nil
		}
		report(ctx, span, info.FullMethod, failure)
		return nil, failure.GRPCStatus().Err()
	}
}

// PropagateTrace is a client interceptor that sends the ids of the trace to another process, as W3C traceparent in the
// call's metadata.
func PropagateTrace(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	return invoke(withTrace(ctx), method, req, reply, cc, opts...)
}

// PropagateStreamTrace is [PropagateTrace] for streams.
func PropagateStreamTrace(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	return open(withTrace(ctx), desc, cc, method, opts...)
}

func withTrace(ctx context.Context) context.Context {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx
	}
	sent := &carrier{ctx}
	otel.GetTextMapPropagator().Inject(ctx, sent)
	return sent.ctx
}

// join joins the call to its caller's trace, whose ids are in the metadata.
func join(ctx context.Context, tracer trace.Tracer, method string) (context.Context, trace.Span) {
	ctx = otel.GetTextMapPropagator().Extract(ctx, &carrier{ctx})
	return tracer.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer))
}

// answer validates the request and calls the handler.
func answer(ctx context.Context, req any, handler grpc.UnaryHandler, explain []func(error) error) (resp any, failure *fault.Error) {
	defer func() {
		if p := recover(); p != nil {
			resp, failure = nil, fault.Internal(routine.Recovered(ctx, p))
		}
	}()
	if failure := refusal(req); failure != nil {
		return nil, failure
	}
	resp, err := handler(ctx, req)
	if err != nil {
		return nil, explained(err, explain)
	}
	return resp, nil
}

func explained(err error, explain []func(error) error) *fault.Error {
	for _, e := range explain {
		err = e(err)
	}
	return fault.From(err)
}

// report adds the internal cause of an error to the trace and the log.
func report(ctx context.Context, span trace.Span, method string, failure *fault.Error) {
	if failure.Code != codes.Internal && failure.Cause == nil {
		return
	}
	level := levelOf(failure.Code)
	if failure.Code == codes.Internal {
		span.SetStatus(otelcodes.Error, failure.Public)
	}
	slog.Log(ctx, level, "call failed", attrMethod, method, attrCode, failure.Code.String(), "reason", fault.ReasonName(failure.Reason),
		"error", failure.Error())
}

// levelOf returns the level at which a failure is logged: mistakes of callers are of little interest to operators.
func levelOf(code codes.Code) slog.Level {
	switch code {
	case codes.Internal:
		return slog.LevelError
	case codes.Unavailable, codes.DeadlineExceeded, codes.Aborted, codes.DataLoss, codes.Unknown:
		return slog.LevelWarn
	default:
		return slog.LevelDebug
	}
}

// carrier is a propagation.TextMapCarrier that reads the metadata that a call came with, and adds to the metadata that it sends. It copies neither.
type carrier struct{ ctx context.Context }

// Get returns the first value of a key.
func (c *carrier) Get(key string) string {
	if values := metadata.ValueFromIncomingContext(c.ctx, key); len(values) > 0 {
		return values[0]
	}
	return ""
}

// Set adds a value.
func (c *carrier) Set(key, value string) { c.ctx = metadata.AppendToOutgoingContext(c.ctx, key, value) }

// Keys returns none: the propagator of the suite asks for each key that it knows.
func (*carrier) Keys() []string { return nil }
