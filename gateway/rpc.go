package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/grpc"

	"github.com/hawser-dev/hawser/services/platform/fault"
)

// forward serves one procedure in Connect, gRPC-Web and gRPC by calling cc. A nil guard opens it to all.
func forward[Req, Resp any](mux *http.ServeMux, cc grpc.ClientConnInterface, procedure string, g *guard) {
	handler := connect.NewUnaryHandlerSimple(procedure, func(ctx context.Context, req *Req) (*Resp, error) {
		resp := new(Resp)
		if err := cc.Invoke(ctx, procedure, req, resp); err != nil {
			return nil, connectError(fault.From(err))
		}
		return resp, nil
	}, connect.WithReadMaxBytes(bodyLimit))
	if g == nil {
		mux.Handle(procedure, handler)
		return
	}
	mux.Handle(procedure, g.wrapRPC(handler))
}

// forwardStream serves one procedure that answers with a stream, until the caller leaves, the service ends it, or stopping is done.
func forwardStream[Req, Resp any](stopping context.Context, mux *http.ServeMux, cc grpc.ClientConnInterface, procedure string, g *guard) {
	mux.Handle(procedure, g.wrapRPC(connect.NewServerStreamHandler(procedure,
		func(ctx context.Context, req *connect.Request[Req], out *connect.ServerStream[Resp]) error {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(stopping, cancel)()
			if err := relay(ctx, cc, procedure, req.Msg, out); err != nil {
				return connectError(fault.From(err))
			}
			return nil
		}, connect.WithReadMaxBytes(bodyLimit))))
}

func relay[Resp any](ctx context.Context, cc grpc.ClientConnInterface, procedure string, req any, out *connect.ServerStream[Resp]) error {
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
		if err := out.Send(message); err != nil {
			return err
		}
	}
}
