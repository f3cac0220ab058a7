package endpoint

import (
	"errors"
	"net/http"
	"strings"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/origin"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/session"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// Reasons of refusals. Pages display or match them.
const (
	reasonInvalidKey = "Unauthorized: invalid key"
	reasonOrigin     = "Unauthorized: origin not allowed"
	reasonNoProject  = "Unauthorized: no project id"
)

// errUnavailable means that projects cannot be looked up.
var errUnavailable = errors.New("projects cannot be looked up")

// authorize returns the sender of a request. The error is a [*wire.Error] to respond with, or errUnavailable.
func (e *endpoint) authorize(r *http.Request) (session.Identity, error) {
	query := r.URL.Query()
	token := query.Get("auth")
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && token == "" {
		token = bearer
	}
	id := query.Get("projectId")
	address := e.address(r)
	if err := e.authorizeProject(r, id, address); err != nil {
		return session.Identity{}, err
	}
	claims, err := e.verifier.Verify(token, r.Host)
	var refused *clientauth.Refusal
	if errors.As(err, &refused) {
		return session.Identity{}, wire.Auth(refused.Tag, refused.Text)
	}
	name := claims.Client.String()
	// The id is copied, because otherwise the session would keep the whole URL in memory.
	return session.Identity{Name: name, Publisher: mailbox.PublisherOf(name), Caller: limit.CallerOf(strings.Clone(id), address)}, err
}

// authorizeProject checks the project of a request, and its origin.
func (e *endpoint) authorizeProject(r *http.Request, id, address string) error {
	if id == "" {
		return wire.Auth(wire.TagProjectIDNotSpecified, reasonNoProject)
	}
	caller := limit.CallerOf("", address)
	if !e.Projects.Has(id) && e.Quota.AwaitLookup(r.Context(), caller) != nil {
		return errUnavailable
	}
	project, err := e.Projects.Find(r.Context(), id)
	if err != nil {
		e.Log.WarnContext(r.Context(), "relay: a project is not looked up", "error", err)
		return errUnavailable
	}
	if project == nil {
		e.Quota.CountUnknown(r.Context(), caller)
	}
	return e.checkProject(project, r.Header.Get("Origin"))
}

func (e *endpoint) checkProject(p *projectsv1.Project, from string) error {
	switch {
	case p == nil:
		return wire.Auth(wire.TagProjectNotFound, reasonInvalidKey)
	case !p.GetEnabled():
		return wire.Auth(wire.TagProjectInactive, reasonInvalidKey)
	case from != "" && from != e.cfg.OwnOrigin && !origin.IsExtension(from) && !origin.Allowed(p.GetAllowedOrigins(), from, e.cfg.LocalPages):
		return wire.Auth(wire.TagOriginNotAllowed, reasonOrigin)
	}
	return nil
}

// httpStatus returns 401 for an unknown project or client, 403 for one that is known and not allowed.
func httpStatus(e *wire.Error) int {
	if e.Data == wire.TagOriginNotAllowed || e.Data == wire.TagProjectInactive {
		return http.StatusForbidden
	}
	return http.StatusUnauthorized
}
