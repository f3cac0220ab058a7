package onramp

import (
	"context"
	"net/url"
	"strings"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/origin"
)

// checkReturn validates the URL to which the visitor returns: its origin must be that of the calling page, or be listed by the project. An
// empty URL is allowed.
func (s *server) checkReturn(ctx context.Context, address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return refusedReturn()
	}
	there := u.Scheme + "://" + u.Host
	who := caller.From(ctx)
	if strings.EqualFold(who.Origin, there) {
		return nil
	}
	res, err := s.projects.GetProject(ctx, &projectsv1.GetProjectRequest{Id: who.Project})
	if err != nil {
		return err
	}
	// An empty list allows every page to call, but not every page as a redirect target.
	if listed := res.GetProject().GetAllowedOrigins(); len(listed) > 0 && origin.Allowed(listed, there, s.localPages) {
		return nil
	}
	return refusedReturn()
}

func refusedReturn() error {
	return request.Invalid(faultv1.Reason_REASON_RETURN_REFUSED, "redirectUrl",
		"Invalid parameter: `redirectUrl` must be a page of the calling site, or of one on the project's list")
}
