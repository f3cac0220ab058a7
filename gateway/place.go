package gateway

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/protobuf/proto"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
)

type placeKey struct{}

// place is where a caller reaches this gateway, and in the name of which project.
type place struct{ url, project string }

// telling lets answers to h name this gateway as the caller knows it.
func (c Config) telling(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		here := place{url: c.publicURL(r), project: namedOutside(r)}
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), placeKey{}, here)))
	})
}

// publicURL is where a caller reaches this gateway, without a slash at its end.
func (c Config) publicURL(r *http.Request) string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
	}
	scheme := "http"
	if r.TLS != nil || c.TrustForwardedFor && r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// placePicture completes the address of a picture that this gateway shows, for callers who load it without a thought of where it is.
func placePicture(ctx context.Context, _ http.ResponseWriter, m proto.Message) error {
	identity, ok := m.(*namesv1.GetIdentityResponse)
	here, told := ctx.Value(placeKey{}).(place)
	if ok && told && strings.HasPrefix(identity.GetAvatar(), "/") {
		identity.Avatar = proto.String(here.url + identity.GetAvatar() + "&projectId=" + url.QueryEscape(here.project))
	}
	return nil
}
