package access

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/caller"
)

const (
	// nonceHeader carries the token of a nonce, as clients of AppKit's API send it.
	nonceHeader = "X-Nonce-Jwt"
	bearer      = "Bearer "
	// maxToken bounds a token, in bytes.
	maxToken = 512
	// deviceScheme is the scheme of access tokens that are bound to a key (RFC 9449), and maxDeviceToken bounds a token and a proof, in bytes.
	deviceScheme   = "DPoP "
	maxDeviceToken = 4 << 10
)

// WithTokens sends the session token of `Authorization: Bearer` and the nonce token of X-Nonce-Jwt to the service, and forbids caches to store
// the answer. It is for the auth service only: other services do not receive these tokens.
func WithTokens(h http.Handler) http.Handler {
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

// WithDevice sends the access token, the proof and the hash of the body of a call to the wallet service, and to the sessions service,
// which has them verified there. Other services do not receive them.
func WithDevice(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, f := ReadBody(w, r)
		if f != nil {
			WriteRPCFault(w, r, f)
			return
		}
		hash := sha256.Sum256(b.Raw)
		who := caller.FromOutgoing(r.Context())
		who.Device = caller.Device{BodyHash: base64.RawURLEncoding.EncodeToString(hash[:])}
		if proof := r.Header.Get("DPoP"); len(proof) <= maxDeviceToken {
			who.Device.Proof = proof
		}
		if value := r.Header.Get("Authorization"); len(value) <= maxDeviceToken && len(value) > len(deviceScheme) && strings.EqualFold(value[:len(deviceScheme)], deviceScheme) {
			who.Device.AccessToken = value[len(deviceScheme):]
		}
		h.ServeHTTP(w, r.WithContext(caller.NewOutgoingContext(r.Context(), who)))
	})
}
