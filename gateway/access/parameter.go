package access

import (
	"net/http"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// ChainOf returns the CAIP-2 id of the chain that a request names in its query string.
func ChainOf(r *http.Request) (string, *fault.Error) {
	chain, _ := Parameter(r, "chainId")
	if chain == "" {
		return "", MissingParameter("chainId")
	}
	if _, err := caip.ParseChain(chain); err != nil {
		return "", ChainUnsupported(chain)
	}
	return chain, nil
}

// ChainUnsupported returns the error for a chain that is not served.
func ChainUnsupported(chain string) *fault.Error {
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId",
		"We don't support the chainId you provided: %s. See the list of supported chains here: /v1/supported-chains", Clip(chain))
}

// MissingParameter returns the error for a query parameter that is absent.
func MissingParameter(name string) *fault.Error {
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, name,
		"Failed to deserialize query string: missing field `%s`", name)
}
