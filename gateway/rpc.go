package gateway

import (
	"context"
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
