// Package jsonrpc answers JSON-RPC over HTTP: of the nodes of chains, of bundlers and paymasters, and the wallet_* methods of smart sessions and assets.
package jsonrpc

import (
	"net/http"

	"github.com/hawser-dev/hawser/gateway/access"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Nodes forwards JSON-RPC to a chain: POST /v1?chainId=…&projectId=…. A body that holds only notifications is answered with 204 and not
// forwarded. An error that no node returned has the REST error shape, not JSON-RPC's.
func Nodes(nodes chainsv1.NodeServiceClient) http.Handler {
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
		res, err := nodes.Forward(r.Context(), &chainsv1.ForwardRequest{ChainId: chain, Body: b.Raw})
		if err != nil {
			access.WriteFault(w, r, fault.From(err))
			return
		}
		if len(res.GetBody()) == 0 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(res.GetBody())
	})
}
