package gateway

import (
	"context"
	"regexp"
	"time"

	"github.com/maypok86/otter/v2"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// projectHeader carries the project id where there is no query string to put it in: Connect, gRPC-Web and gRPC.
	projectHeader = "Hawser-Project-Id"
	// ordersHeader carries the tokens of the caller's purchases, separated by commas: what is in a URL is in logs.
	ordersHeader = "Hawser-Order-Tokens"
	// maxOrderTokens bounds them, in bytes.
	maxOrderTokens = 2 << 10
	// projectsKept and projectLifetime bound the cache of projects; an event invalidates a changed project before it expires.
	projectsKept    = 10_000
	projectLifetime = 5 * time.Minute
	// projectTimeout bounds one lookup.
	projectTimeout = 5 * time.Second
)

var projectIDForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// projectCache caches projects by id. A nil project caches that the id is unknown.
type projectCache struct {
	client projectsv1.ProjectsServiceClient
	known  *otter.Cache[string, *projectsv1.Project]
}

func newProjectCache(client projectsv1.ProjectsServiceClient) *projectCache {
	return &projectCache{client: client, known: otter.Must(&otter.Options[string, *projectsv1.Project]{
		MaximumSize:      projectsKept,
		ExpiryCalculator: otter.ExpiryWriting[string, *projectsv1.Project](projectLifetime),
	})}
}

// find returns the project, or nil when the id is unknown. Concurrent calls for one id share a lookup.
func (b *projectCache) find(ctx context.Context, id string) (*projectsv1.Project, error) {
	if !projectIDForm.MatchString(id) {
		return nil, nil
	}
	return b.known.Get(ctx, id, otter.LoaderFunc[string, *projectsv1.Project](func(ctx context.Context, id string) (*projectsv1.Project, error) {
		// Other callers wait for this lookup: it outlives the cancellation of the first one.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), projectTimeout)
		defer cancel()
		res, err := b.client.GetProject(ctx, &projectsv1.GetProjectRequest{Id: id})
		if err == nil {
			return res.GetProject(), nil
		}
		f := fault.From(err)
		if f.Reason == faultv1.Reason_REASON_PROJECT_UNKNOWN {
			return nil, nil
		}
		return nil, f
	}))
}

// has reports whether find answers from the cache, without a lookup.
func (b *projectCache) has(id string) bool {
	_, ok := b.known.GetIfPresent(id)
	return ok || !projectIDForm.MatchString(id)
}

func (b *projectCache) forget(id string) { b.known.Invalidate(id) }
