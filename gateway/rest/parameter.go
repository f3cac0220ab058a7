package rest

import (
	"net/http"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Query parameters that AppKit's API accepts from its vendor's own tests only, and its error texts for all other callers.
const (
	providerParameter = "providerId"
	providerRefusal   = "Invalid parameter: The project ID is not allowed to use the exact provider request"
	useCacheParameter = "useCache"
	useCacheRefusal   = "Invalid parameter: The project ID is not allowed to use the `useCache` parameter"
)

// WithoutProvider rejects requests that choose the provider.
func WithoutProvider(h http.Handler) http.Handler {
	return withoutParameter(providerParameter, providerRefusal, h)
}

// WithoutUseCache rejects requests that decide on caches.
func WithoutUseCache(h http.Handler) http.Handler {
	return withoutParameter(useCacheParameter, useCacheRefusal, h)
}

// withoutParameter rejects requests that have the query parameter, whatever its value.
func withoutParameter(name, refusal string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := access.Parameter(r, name); ok {
			access.WriteFault(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "", "%s", refusal))
			return
		}
		h.ServeHTTP(w, r)
	})
}
