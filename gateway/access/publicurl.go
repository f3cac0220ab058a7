package access

import (
	"context"
	"net/http"
	"strings"
)

// PublicURL says how the public URL of this gateway is found.
type PublicURL struct {
	// Base is the base URL in answers; when empty it is derived from each request.
	Base string
	// TrustForwarded takes whether a request came by https from X-Forwarded-Proto.
	TrustForwarded bool
}

type requestBaseKey struct{}

// RequestBase derives the public URL of this gateway, as a request reached it, and the project that the request names.
type RequestBase struct {
	public PublicURL
	r      *http.Request
}

// Wrap stores the request in its context, so that answers of h can contain absolute URLs of this gateway.
func (p PublicURL) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestBaseKey{}, RequestBase{p, r})))
	})
}

// RequestBaseOf returns what [PublicURL.Wrap] stored.
func RequestBaseOf(ctx context.Context) (RequestBase, bool) {
	b, ok := ctx.Value(requestBaseKey{}).(RequestBase)
	return b, ok
}

// URL returns the public base URL of this gateway without a trailing slash.
func (b RequestBase) URL() string {
	if b.public.Base != "" {
		return strings.TrimSuffix(b.public.Base, "/")
	}
	scheme := "http"
	if b.r.TLS != nil || b.public.TrustForwarded && b.r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + b.r.Host
}

// ProjectID returns the id of the project that the request names, or an empty string.
func (b RequestBase) ProjectID() string { return ProjectIDOf(b.r) }
