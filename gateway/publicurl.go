package gateway

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/protobuf/proto"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
)

type requestBaseKey struct{}

// requestBase derives the public URL of this gateway, as a request reached it, and the project that the request names.
type requestBase struct {
	cfg Config
	r   *http.Request
}

// withRequestBase stores the request in its context, so that answers of h can contain absolute URLs of this gateway.
func (c Config) withRequestBase(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestBaseKey{}, requestBase{c, r})))
	})
}

// requestBaseOf returns what withRequestBase stored.
func requestBaseOf(ctx context.Context) (requestBase, bool) {
	b, ok := ctx.Value(requestBaseKey{}).(requestBase)
	return b, ok
}

// url returns the public base URL of this gateway without a trailing slash.
func (b requestBase) url() string {
	if b.cfg.PublicURL != "" {
		return strings.TrimSuffix(b.cfg.PublicURL, "/")
	}
	scheme := "http"
	if b.r.TLS != nil || b.cfg.TrustForwardedFor && b.r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + b.r.Host
}

// completeAvatarURL turns an avatar path of this gateway into an absolute URL with the project id, which an <img> can load.
func completeAvatarURL(ctx context.Context, _ http.ResponseWriter, m proto.Message) error {
	identity, ok := m.(*namesv1.GetIdentityResponse)
	base, found := requestBaseOf(ctx)
	if ok && found && strings.HasPrefix(identity.GetAvatar(), "/") {
		identity.Avatar = proto.String(base.url() + identity.GetAvatar() + "&projectId=" + url.QueryEscape(projectIDOf(base.r)))
	}
	return nil
}
