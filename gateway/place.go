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

// place is a request, which says where its caller reaches this gateway, and in the name of which project.
type place struct {
	cfg Config
	r   *http.Request
}

// placed lets answers to h name this gateway as the caller knows it.
func (c Config) placed(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), placeKey{}, place{c, r})))
	})
}

// placeOf returns where the caller of ctx reaches this gateway.
func placeOf(ctx context.Context) (place, bool) {
	p, ok := ctx.Value(placeKey{}).(place)
	return p, ok
}

// url is where the caller reaches this gateway, without a slash at its end.
func (p place) url() string {
	if p.cfg.PublicURL != "" {
		return strings.TrimSuffix(p.cfg.PublicURL, "/")
	}
	scheme := "http"
	if p.r.TLS != nil || p.cfg.TrustForwardedFor && p.r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + p.r.Host
}

// placePicture completes the address of a picture that this gateway shows, for callers who load it without a thought of where it is.
func placePicture(ctx context.Context, _ http.ResponseWriter, m proto.Message) error {
	identity, ok := m.(*namesv1.GetIdentityResponse)
	here, placed := placeOf(ctx)
	if ok && placed && strings.HasPrefix(identity.GetAvatar(), "/") {
		identity.Avatar = proto.String(here.url() + identity.GetAvatar() + "&projectId=" + url.QueryEscape(namedOutside(here.r)))
	}
	return nil
}
