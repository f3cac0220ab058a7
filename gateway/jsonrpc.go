package gateway

import (
	"net/http"

	"google.golang.org/grpc/codes"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// proxyJSONRPC forwards JSON-RPC to a chain: POST /v1?chainId=…&projectId=…. A body that holds only notifications is answered with 204 and not
// forwarded. An error that no node returned has the REST error shape, not JSON-RPC's.
func proxyJSONRPC(nodes chainsv1.NodeServiceClient) http.Handler {
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
		res, err := nodes.Forward(r.Context(), &chainsv1.ForwardRequest{ChainId: chain, Body: b.raw})
		if err != nil {
			writeFault(w, r, fault.From(err))
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

func chainOf(r *http.Request) (string, *fault.Error) {
	chain := r.URL.Query().Get("chainId")
	if chain == "" {
		return "", missingParameter("chainId")
	}
	if _, err := caip.ParseChain(chain); err != nil {
		return "", chainUnsupported(chain)
	}
	return chain, nil
}

func chainUnsupported(chain string) *fault.Error {
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId",
		"We don't support the chainId you provided: %s. See the list of supported chains here: /v1/supported-chains", clip(chain))
}

func missingParameter(name string) *fault.Error {
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, name,
		"Failed to deserialize query string: missing field `%s`", name)
}

// clip shortens text of the caller for an error message.
func clip(s string) string {
	if len(s) <= 80 {
		return s
	}
	return s[:80] + "…"
}
