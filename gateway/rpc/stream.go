package rpc

import (
	"context"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// receiveTimeout is how long the client of a stream may take to receive one message.
const receiveTimeout = 30 * time.Second

// stream serves a procedure that answers with a stream, until the caller leaves, the service ends it, or the process begins to shut down.
func (s *Server) stream(cc grpc.ClientConnInterface, p procedure) {
	handler := connect.NewServerStreamHandler(p.path, func(called context.Context, req *connect.Request[message], out *connect.ServerStream[message]) error {
		ctx, cancel := context.WithCancel(called)
		defer cancel()
		defer context.AfterFunc(s.Stopping, cancel)()
		err := run.ServerStream(ctx, cc, p.path, req.Msg.Message, p.newResponse, func(resp proto.Message) error {
			s.Fill(ctx, resp)
			return out.Send(&message{resp})
		})
		if s.Stopping.Err() != nil && called.Err() == nil {
			// Whatever the reason, clients reconnect.
			return access.ConnectError(fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The service is temporarily unavailable"))
		}
		if err != nil {
			return refused(called, p, fault.From(err))
		}
		return nil
	}, bounded(), p.request())
	s.Streams.Handle(p.path, streamed(receiveTimeout, refuseOtherProtocols(p.guarded(handler), false)))
}

// unbufferedHeader tells nginx, and proxies that read its headers, to pass each message on at once.
const unbufferedHeader = "X-Accel-Buffering"

// streamed removes the write deadline that an earlier request left on the connection, ends the stream of a client that does not receive a message
// within timeout, and asks proxies to buffer nothing.
func streamed(timeout time.Duration, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetWriteDeadline(time.Time{})
		w.Header().Set(unbufferedHeader, "no")
		h.ServeHTTP(&messageWriter{w, control, timeout}, r)
	})
}

// messageWriter sets a write deadline while a message is written and flushed.
type messageWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
}

// Write writes a part of a message.
func (w *messageWriter) Write(p []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.timeout))
	return w.ResponseWriter.Write(p)
}

// Flush sends what was written, and removes the deadline unless it has passed.
func (w *messageWriter) Flush() {
	if w.control.Flush() == nil {
		_ = w.control.SetWriteDeadline(time.Time{})
	}
}
