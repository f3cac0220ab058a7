package gateway

import (
	"net/http"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/caller"
)

const (
	// authPath is the path of sign-in.
	authPath = "/auth/v1/"
	// nonceHeader carries the token of a nonce, as clients of AppKit's API send it.
	nonceHeader = "X-Nonce-Jwt"
	bearer      = "Bearer "
	// maxToken bounds a token, in bytes.
	maxToken = 512
)

// withTokens sends the session token of `Authorization: Bearer` and the nonce token of X-Nonce-Jwt to the service, and forbids caches to store
// the answer. It is for the auth service only: other services do not receive these tokens.
func withTokens(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := caller.FromOutgoing(r.Context())
		who.SessionToken, who.NonceToken = tokenIn(r, "Authorization"), tokenIn(r, nonceHeader)
		w.Header().Set("Cache-Control", "no-store")
		h.ServeHTTP(w, r.WithContext(caller.NewOutgoingContext(r.Context(), who)))
	})
}

// tokenIn returns the bearer token in a header, or an empty string.
func tokenIn(r *http.Request, header string) string {
	value := r.Header.Get(header)
	if len(value) <= len(bearer) || len(value) > maxToken || !strings.EqualFold(value[:len(bearer)], bearer) {
		return ""
	}
	return value[len(bearer):]
}
