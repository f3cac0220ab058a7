package run

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// ServerStream calls a method that answers with a stream, and passes each message to send until the stream ends. newMessage returns an
// empty message of the answer. A service of this process runs on the caller's goroutine, so send must return within a bounded time. The
// error is that of the stream, with a gRPC status, or that of send.
func ServerStream(ctx context.Context, cc grpc.ClientConnInterface, method string, req proto.Message, newMessage func() proto.Message, send func(proto.Message) error) error {
	if local, ok := cc.(*Local); ok {
		return local.serve(method, &localStream{ctx: context.WithValue(received(ctx), boundedSend{}, true), req: req, send: func(m any) error {
			// A service's message may share parts with messages of other streams.
			message := newMessage()
			proto.Merge(message, m.(proto.Message))
			return send(message)
		}})
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, err := cc.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return err
	}
	if err := in.SendMsg(req); err != nil {
		return err
	}
	if err := in.CloseSend(); err != nil {
		return err
	}
	for {
		message := newMessage()
		if err := in.RecvMsg(message); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := send(message); err != nil {
			return err
		}
	}
}

// serve runs the handler of a stream.
func (l *Local) serve(method string, stream *localStream) error {
	m, ok := l.streams[method]
	if !ok {
		return status.Errorf(codes.Unimplemented, "unknown method %s", method)
	}
	var err error
	if l.Stream == nil {
		err = m.handle(m.service, stream)
	} else {
		err = l.Stream(m.service, stream, &grpc.StreamServerInfo{FullMethod: method, IsServerStream: true}, m.handle)
	}
	if err == nil {
		return nil
	}
	return status.Convert(err).Err()
}

// localStream is the server's side of a stream within a process.
type localStream struct {
	ctx context.Context
	// req is the request; nil once it was received.
	req  any
	send func(m any) error
	// established is called when the service sends its header; nil for nothing.
	established func()
}

// Context returns the context of the call.
func (s *localStream) Context() context.Context { return s.ctx }

// SetHeader does nothing: no caller reads headers of a stream.
func (s *localStream) SetHeader(metadata.MD) error { return nil }

// SetTrailer does nothing: no caller reads trailers of a stream.
func (s *localStream) SetTrailer(metadata.MD) {}

// SendHeader tells the caller that the stream is established.
func (s *localStream) SendHeader(metadata.MD) error {
	if s.established != nil {
		s.established()
	}
	return nil
}

// SendMsg sends a message.
func (s *localStream) SendMsg(m any) error {
	if err := s.SendHeader(nil); err != nil {
		return err
	}
	return s.send(m)
}

// RecvMsg receives the request.
func (s *localStream) RecvMsg(into any) error {
	if s.req == nil {
		return io.EOF
	}
	proto.Merge(into.(proto.Message), s.req.(proto.Message))
	s.req = nil
	return nil
}

// NewStream starts a method that answers with a stream, in a new goroutine that ends with ctx or [Local.ServeStreams].
func (l *Local) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	return &localClient{
		local: l, method: method, ctx: ctx, messages: make(chan any), established: make(chan struct{}), ended: make(chan struct{}),
	}, nil
}

// ServeStreams waits until ctx ends, ends the streams of [Local.NewStream], and returns when they have ended.
func (l *Local) ServeStreams(ctx context.Context) error {
	<-ctx.Done()
	l.running.end()
	return nil
}

// localClient is the caller's side of a stream within a process.
type localClient struct {
	local  *Local
	method string
	ctx    context.Context

	messages chan any
	// established is closed when the service sends its header or first message, and ended when the stream is over with err.
	established, ended chan struct{}
	err                error
}

// SendMsg sends the request, which starts the stream.
func (c *localClient) SendMsg(req any) error {
	ctx, cancel := context.WithCancel(received(c.ctx))
	stream := &localStream{
		ctx: ctx, req: req, established: sync.OnceFunc(func() { close(c.established) }),
		send: func(m any) error {
			select {
			case c.messages <- m:
				return nil
			case <-ctx.Done():
				return status.FromContextError(ctx.Err()).Err()
			}
		},
	}
	return c.local.running.start(ctx, cancel, func() {
		defer close(c.ended)
		c.err = routine.Call(ctx, func() error { return c.local.serve(c.method, stream) })
	})
}

// RecvMsg receives the next message; the error is io.EOF when the stream ended without one.
func (c *localClient) RecvMsg(into any) error {
	select {
	case m := <-c.messages:
		proto.Merge(into.(proto.Message), m.(proto.Message))
		return nil
	case <-c.ended:
		return cmp.Or(c.err, io.EOF)
	case <-c.ctx.Done():
		return status.FromContextError(c.ctx.Err()).Err()
	}
}

// Header waits until the stream is established; it is nil when the stream ended before.
func (c *localClient) Header() (metadata.MD, error) {
	select {
	case <-c.established:
		return metadata.MD{}, nil
	case <-c.ended:
		return nil, nil
	case <-c.ctx.Done():
		return nil, status.FromContextError(c.ctx.Err()).Err()
	}
}

// Trailer is empty.
func (c *localClient) Trailer() metadata.MD { return nil }

// CloseSend does nothing: a stream has one request.
func (c *localClient) CloseSend() error { return nil }

// Context returns the context of the call.
func (c *localClient) Context() context.Context { return c.ctx }

// localStreams are the streams that run in their own goroutines.
type localStreams struct {
	mu      sync.Mutex
	ended   bool
	cancels map[int]context.CancelFunc
	next    int
	open    routine.WaitGroup
}

// start runs a stream, and calls cancel when it ends or the process does.
func (s *localStreams) start(ctx context.Context, cancel context.CancelFunc, stream func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		cancel()
		return status.Error(codes.Unavailable, "the process is shutting down")
	}
	if s.cancels == nil {
		s.cancels = map[int]context.CancelFunc{}
	}
	id := s.next
	s.next++
	s.cancels[id] = cancel
	s.open.Go(ctx, func() {
		defer s.remove(id)
		stream()
	})
	return nil
}

func (s *localStreams) remove(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancels[id]()
	delete(s.cancels, id)
}

// end ends all streams and waits for them.
func (s *localStreams) end() {
	s.mu.Lock()
	s.ended = true
	for _, cancel := range s.cancels {
		cancel()
	}
	s.mu.Unlock()
	s.open.Wait()
}
