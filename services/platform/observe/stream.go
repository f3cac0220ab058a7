package observe

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"google.golang.org/grpc"

	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Stream returns the interceptor of every stream of a service. It does for a stream what [Unary] does for a call, and
// counts open streams.
func Stream(explain ...func(error) error) grpc.StreamServerInterceptor {
	tracer := otel.Tracer(scope)
	open, err := otel.Meter(scope).Int64UpDownCounter(metricOpenStreams, metric.WithDescription("Streams that services keep open"))
	if err != nil {
		otel.Handle(err)
	}
	return func(service any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
		ctx, span := join(stream.Context(), tracer, info.FullMethod)
		defer span.End()
		which := metric.WithAttributes(attribute.String(attrMethod, info.FullMethod))
		open.Add(ctx, 1, which)
		defer open.Add(context.WithoutCancel(ctx), -1, which)
		failure := answerStream(service, observedStream{stream, ctx}, handler, explain)
		if failure == nil {
			return nil
		}
		report(ctx, span, info.FullMethod, failure)
		return failure.GRPCStatus().Err()
	}
}

func answerStream(service any, stream grpc.ServerStream, handler grpc.StreamHandler, explain []func(error) error) (failure *fault.Error) {
	defer func() {
		if p := recover(); p != nil {
			failure = fault.Internal(routine.Recovered(stream.Context(), p))
		}
	}()
	if err := handler(service, stream); err != nil {
		return explained(err, explain)
	}
	return nil
}

// observedStream is a stream in its caller's trace that validates requests.
type observedStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context returns the stream's context with its trace.
func (s observedStream) Context() context.Context { return s.ctx }

// RecvMsg receives the next request and validates it.
func (s observedStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	if failure := refusal(m); failure != nil {
		return failure
	}
	return nil
}
