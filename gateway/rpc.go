package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// forward serves one procedure in Connect, gRPC-Web and gRPC by calling cc, behind a guard.
func forward[Req, Resp any](mux *http.ServeMux, icons *icons, cc grpc.ClientConnInterface, procedure string, guarded func(http.Handler) http.Handler) {
	handler := connect.NewUnaryHandlerSimple(procedure, func(ctx context.Context, req *Req) (*Resp, error) {
		resp := new(Resp)
		if err := cc.Invoke(ctx, procedure, req, resp); err != nil {
			return nil, connectError(fault.From(err))
		}
		icons.fill(ctx, resp)
		return resp, nil
	}, connect.WithReadMaxBytes(bodyLimit))
	mux.Handle(procedure, spoken(guarded(handler)))
}

// protocols tells which requests speak an RPC protocol, and refuses in the one they speak.
var protocols = connect.NewErrorWriter()

// spoken answers with words, where connect would with an empty body, a request that speaks none of the protocols.
func spoken(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			writeFaultStatus(w, r, routeUnknown(r), http.StatusMethodNotAllowed)
			return
		}
		if !protocols.IsSupported(r) {
			writeFaultStatus(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_ROUTE_UNKNOWN, "content-type",
				"This path speaks Connect, gRPC-Web and gRPC; the request's content type is none of theirs"), http.StatusUnsupportedMediaType)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// forwardStream serves one procedure that answers with a stream, until the caller leaves, the service ends it, or stopping is done.
func forwardStream[Req, Resp any](stopping context.Context, mux *http.ServeMux, icons *icons, cc grpc.ClientConnInterface, procedure string, g *guard) {
	mux.Handle(procedure, unbounded(spoken(g.wrapRPC(connect.NewServerStreamHandler(procedure,
		func(called context.Context, req *connect.Request[Req], out *connect.ServerStream[Resp]) error {
			ctx, cancel := context.WithCancel(called)
			defer cancel()
			defer context.AfterFunc(stopping, cancel)()
			err := relay(ctx, icons, cc, procedure, req.Msg, out)
			if stopping.Err() != nil && called.Err() == nil {
				// However the services ended it: clients try again elsewhere.
				return connectError(fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The service is temporarily unavailable"))
			}
			if err != nil {
				return connectError(fault.From(err))
			}
			return nil
		}, connect.WithReadMaxBytes(bodyLimit))))))
}

func relay[Resp any](ctx context.Context, icons *icons, cc grpc.ClientConnInterface, procedure string, req any, out *connect.ServerStream[Resp]) error {
	in, err := cc.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, procedure)
	if err != nil {
		return err
	}
	if err := errors.Join(in.SendMsg(req), in.CloseSend()); err != nil {
		return err
	}
	for {
		message := new(Resp)
		err := in.RecvMsg(message)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		icons.fill(ctx, message)
		if err := out.Send(message); err != nil {
			return err
		}
	}
}
