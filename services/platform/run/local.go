package run

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Local connects services and their callers within one process. A unary call runs on the caller's goroutine and nothing
// is marshalled. Nevertheless a service gets the same as over TCP: its own copy of the message, metadata, the deadline,
// and no value of the caller's context.
type Local struct {
	// Unary wraps every call, and Stream every stream; nil wraps nothing.
	Unary  grpc.UnaryServerInterceptor
	Stream grpc.StreamServerInterceptor

	methods map[string]localMethod
	streams map[string]localStreamMethod

	running localStreams
}

type localMethod struct {
	service any
	handle  grpc.MethodHandler
}

type localStreamMethod struct {
	service any
	handle  grpc.StreamHandler
}

// RegisterService makes Local a grpc.ServiceRegistrar.
func (l *Local) RegisterService(desc *grpc.ServiceDesc, service any) {
	if l.methods == nil {
		l.methods, l.streams = map[string]localMethod{}, map[string]localStreamMethod{}
	}
	for _, m := range desc.Methods {
		l.methods["/"+desc.ServiceName+"/"+m.MethodName] = localMethod{service, m.Handler}
	}
	for _, s := range desc.Streams {
		l.streams["/"+desc.ServiceName+"/"+s.StreamName] = localStreamMethod{service, s.Handler}
	}
}

// Invoke makes Local a grpc.ClientConnInterface. Its errors carry a status, as those of a connection do.
func (l *Local) Invoke(ctx context.Context, method string, req, resp any, opts ...grpc.CallOption) error {
	m, ok := l.methods[method]
	if !ok {
		return status.Errorf(codes.Unimplemented, "unknown method %s", method)
	}
	copyRequest := func(into any) error {
		proto.Merge(into.(proto.Message), req.(proto.Message))
		return nil
	}
	transport := &localTransport{method: method}
	answer, err := m.handle(m.service, grpc.NewContextWithServerTransportStream(received(ctx), transport), copyRequest, l.Unary)
	for _, o := range opts {
		if h, ok := o.(grpc.HeaderCallOption); ok {
			*h.HeaderAddr = transport.header
		}
	}
	if err != nil {
		return status.Convert(err).Err()
	}
	handOver(answer.(proto.Message), resp.(proto.Message))
	return nil
}

// localTransport collects the header of an answer.
type localTransport struct {
	method string
	header metadata.MD
}

// Method returns the method that is called.
func (t *localTransport) Method() string { return t.method }

// SetHeader adds to the header.
func (t *localTransport) SetHeader(md metadata.MD) error {
	t.header = metadata.Join(t.header, md)
	return nil
}

// SendHeader adds to the header.
func (t *localTransport) SendHeader(md metadata.MD) error { return t.SetHeader(md) }

// SetTrailer does nothing: no caller reads trailers.
func (*localTransport) SetTrailer(metadata.MD) error { return nil }

// received returns the caller's context as a connection would deliver it.
func received(ctx context.Context) context.Context {
	caller := trace.SpanContextFromContext(ctx)
	sent, _ := metadata.FromOutgoingContext(ctx)
	ctx = metadata.NewIncomingContext(bare{ctx}, sent)
	if !caller.IsValid() {
		return ctx
	}
	return trace.ContextWithRemoteSpanContext(ctx, caller)
}

// bare is a context with the deadline and cancellation of another context, but without its values.
type bare struct{ context.Context }

// Value returns nil.
func (bare) Value(any) any { return nil }

// String describes the context.
func (b bare) String() string { return fmt.Sprintf("%v without values", b.Context) }

// handOver copies the fields of answer to resp. Nested messages are shared, so a service must not use its answer
// afterwards.
func handOver(answer, resp proto.Message) {
	into := resp.ProtoReflect()
	answer.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		into.Set(field, value)
		return true
	})
}
