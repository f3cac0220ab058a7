package gateway

import (
	"net/http"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// The query parameters that the incumbent answers to its own tests only, and what it says to everybody else.
const (
	providerParameter = "providerId"
	providerRefusal   = "Invalid parameter: The project ID is not allowed to use the exact provider request"
	useCacheParameter = "useCache"
	useCacheRefusal   = "Invalid parameter: The project ID is not allowed to use the `useCache` parameter"
)

// withoutParameter refuses requests that have a query parameter of that name, whatever its value.
func withoutParameter(name, refusal string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has(name) {
			writeFault(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "", "%s", refusal))
			return
		}
		h.ServeHTTP(w, r)
	})
}
