package rest

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
)

// completeAvatarURL turns an avatar path of this gateway into an absolute URL with the project id, which an <img> can load.
func completeAvatarURL(ctx context.Context, _ http.ResponseWriter, m proto.Message) error {
	identity, ok := m.(*namesv1.GetIdentityResponse)
	base, found := access.RequestBaseOf(ctx)
	if ok && found && strings.HasPrefix(identity.GetAvatar(), "/") {
		identity.Avatar = proto.String(base.URL() + identity.GetAvatar() + "&projectId=" + url.QueryEscape(base.ProjectID()))
	}
	return nil
}
