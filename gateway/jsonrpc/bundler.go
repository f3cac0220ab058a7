package jsonrpc

import (
	"net/http"

	"github.com/hawser-dev/hawser/gateway/access"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Bundler answers the JSON-RPC of bundlers and paymasters: POST /v1/bundler?chainId=…&projectId=…[&bundler=…], one request at a time. The
// response is the bundler's. A method that bundlers do not have is answered with 422, in the REST error shape.
func Bundler(operations bundlerv1.UserOperationServiceClient) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			access.WriteFaultStatus(w, r, access.RouteUnknown(r), http.StatusMethodNotAllowed)
			return
		}
		chain, f := access.ChainOf(r)
		if f != nil {
			access.WriteFault(w, r, f)
			return
		}
		b, f := access.ReadJSON(w, r)
		if f != nil {
			access.WriteFault(w, r, f)
			return
		}
		if len(b.Raw) == 0 {
			b.Raw = []byte(" ")
		}
		res, err := operations.Forward(r.Context(), &bundlerv1.ForwardRequest{ChainId: chain, Body: b.Raw, Bundler: r.URL.Query().Get("bundler")})
		if err != nil {
			if f := fault.From(err); f.Field == "method" {
				access.WriteFaultStatus(w, r, f, http.StatusUnprocessableEntity)
			} else {
				access.WriteFault(w, r, f)
			}
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(res.GetBody())
	})
}
