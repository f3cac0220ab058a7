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
	// projectsKept and projectLifetime bound the copy of projects; a change is told by event long before.
	projectsKept    = 10_000
	projectLifetime = 5 * time.Minute
	// projectPatience bounds how long a project is looked for.
	projectPatience = 5 * time.Second
)

var projectIDForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// projectBook is the gateway's copy of projects. A nil project stands for an id that nobody has.
type projectBook struct {
	client projectsv1.ProjectsServiceClient
	known  *otter.Cache[string, *projectsv1.Project]
}

func newProjectBook(client projectsv1.ProjectsServiceClient) *projectBook {
	return &projectBook{client: client, known: otter.Must(&otter.Options[string, *projectsv1.Project]{
		MaximumSize:      projectsKept,
		ExpiryCalculator: otter.ExpiryWriting[string, *projectsv1.Project](projectLifetime),
	})}
}

// find returns the project, or nil when there is none. One caller asks, the others of the same moment wait for it.
func (b *projectBook) find(ctx context.Context, id string) (*projectsv1.Project, error) {
	if !projectIDForm.MatchString(id) {
		return nil, nil
	}
	return b.known.Get(ctx, id, otter.LoaderFunc[string, *projectsv1.Project](func(ctx context.Context, id string) (*projectsv1.Project, error) {
		// Others wait for this answer too: the one who asked first may leave.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), projectPatience)
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

// has reports whether it is known already whether a project has the id.
func (b *projectBook) has(id string) bool {
	_, ok := b.known.GetIfPresent(id)
	return ok || !projectIDForm.MatchString(id)
}

func (b *projectBook) forget(id string) { b.known.Invalidate(id) }
