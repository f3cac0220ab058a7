package run

import (
	"context"
	"fmt"
	"net"

	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// pipeBuffer is how many bytes of a stream may be under way within a process.
const pipeBuffer = 1 << 16

// Local joins services and their callers within one process. A call runs on the caller's goroutine and nothing is marshalled, yet
// a service sees what it would see over TCP: a message of its own, metadata, the deadline, and no value of the caller's context.
// Streams, which are long and have few messages, use an in-memory gRPC server instead.
type Local struct {
	// Unary wraps every call.
	Unary grpc.UnaryServerInterceptor

	methods map[string]localMethod
	pipe    *bufconn.Listener
	streams *grpc.Server
	caller  *grpc.ClientConn
}

type localMethod struct {
	service any
	handle  grpc.MethodHandler
}

// RegisterService makes Local a grpc.ServiceRegistrar.
func (l *Local) RegisterService(desc *grpc.ServiceDesc, service any) {
	if l.methods == nil {
		l.methods = map[string]localMethod{}
	}
	for _, m := range desc.Methods {
		l.methods["/"+desc.ServiceName+"/"+m.MethodName] = localMethod{service, m.Handler}
	}
	if l.streams != nil && len(desc.Streams) > 0 {
		l.streams.RegisterService(desc, service)
	}
}

// OpenStreams enables streams of the services that are registered from now on; wrap wraps every stream, and dial configures the client side.
// [Local.ServeStreams] must run.
func (l *Local) OpenStreams(wrap grpc.StreamServerInterceptor, dial ...grpc.DialOption) error {
	l.pipe = bufconn.Listen(pipeBuffer)
	l.streams = grpc.NewServer(grpc.StreamInterceptor(wrap))
	var err error
	l.caller, err = grpc.NewClient("passthrough:///local", append([]grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return l.pipe.DialContext(ctx) }),
	}, dial...)...)
	return err
}

// ServeStreams carries streams until ctx ends; those still open end with it.
func (l *Local) ServeStreams(ctx context.Context) error {
	stop := context.AfterFunc(ctx, l.streams.Stop)
	defer stop()
	defer func() { _ = l.caller.Close() }()
	return l.streams.Serve(l.pipe)
}

// Invoke makes Local a grpc.ClientConnInterface. Its errors carry a status, as those of a connection do.
func (l *Local) Invoke(ctx context.Context, method string, req, resp any, _ ...grpc.CallOption) error {
	m, ok := l.methods[method]
	if !ok {
		return status.Errorf(codes.Unimplemented, "unknown method %s", method)
	}
	copyRequest := func(into any) error {
		proto.Merge(into.(proto.Message), req.(proto.Message))
		return nil
	}
	answer, err := m.handle(m.service, received(ctx), copyRequest, l.Unary)
	if err != nil {
		return status.Convert(err).Err()
	}
	handOver(answer.(proto.Message), resp.(proto.Message))
	return nil
}

// NewStream opens a stream, once [Local.OpenStreams] was called.
func (l *Local) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	if l.caller == nil {
		return nil, status.Error(codes.Unimplemented, "no streams within this process")
	}
	return l.caller.NewStream(ctx, desc, method, opts...)
}

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

// bare is a context with the deadline and cancellation of another, and none of its values.
type bare struct{ context.Context }

// Value finds nothing.
func (bare) Value(any) any { return nil }

// String names the context where one is printed.
func (b bare) String() string { return fmt.Sprintf("%v without values", b.Context) }

// handOver copies the fields of answer to resp. Nested messages are shared: a service must not use its answer afterwards.
func handOver(answer, resp proto.Message) {
	into := resp.ProtoReflect()
	answer.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		into.Set(field, value)
		return true
	})
}
