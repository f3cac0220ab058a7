package gateway

import (
	"net/http"

	"google.golang.org/grpc"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1/bundlerv1connect"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1/previewv1connect"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// bundler answers the JSON-RPC of bundlers and paymasters: POST /v1/bundler?chainId=…&projectId=…[&bundler=…], one request at a time. The
// response is the bundler's. A method that bundlers do not have is answered with 422, in the REST error shape.
func bundler(operations bundlerv1.UserOperationServiceClient) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			writeFaultStatus(w, r, routeUnknown(r), http.StatusMethodNotAllowed)
			return
		}
		chain, f := chainOf(r)
		if f != nil {
			writeFault(w, r, f)
			return
		}
		b, f := readBody(w, r)
		if f != nil {
			writeFault(w, r, f)
			return
		}
		if len(b.raw) == 0 {
			b.raw = []byte(" ")
		}
		res, err := operations.Forward(r.Context(), &bundlerv1.ForwardRequest{ChainId: chain, Body: b.raw, Bundler: r.URL.Query().Get("bundler")})
		if err != nil {
			if f := fault.From(err); f.Field == "method" {
				writeFaultStatus(w, r, f, http.StatusUnprocessableEntity)
			} else {
				writeFault(w, r, f)
			}
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(res.GetBody())
	})
}

// forwardCalls serves the calls of accounts, which the gateway and the embedded wallet's origin have.
func forwardCalls(rpcs *rpcs, cc grpc.ClientConnInterface, g *guard) {
	forward[bundlerv1.SendCallsRequest, bundlerv1.SendCallsResponse](rpcs, cc, bundlerv1connect.CallsServiceSendCallsProcedure, g.wrapRPC)
	forward[bundlerv1.GetCallsRequest, bundlerv1.GetCallsResponse](rpcs, cc, bundlerv1connect.CallsServiceGetCallsProcedure, g.wrapRPC)
	forward[bundlerv1.ListAccountChainsRequest, bundlerv1.ListAccountChainsResponse](rpcs, cc, bundlerv1connect.CallsServiceListAccountChainsProcedure, g.wrapRPC)
}

// forwardPreview serves previews of requests to sign, which the gateway and the embedded wallet's origin have.
func forwardPreview(rpcs *rpcs, cc grpc.ClientConnInterface, g *guard) {
	forward[previewv1.SimulateRequest, previewv1.SimulateResponse](rpcs, cc, previewv1connect.PreviewServiceSimulateProcedure, g.forPreviews().wrapRPC)
}
