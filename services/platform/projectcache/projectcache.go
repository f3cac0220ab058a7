// Package projectcache caches projects by id, for the parts of the suite that authorize requests of pages and wallets.
package projectcache

import (
	"context"
	"strings"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// kept and lifetime bound the cache; an event invalidates a changed project before it expires.
	kept     = 10_000
	lifetime = 5 * time.Minute
	// lookupTimeout bounds one lookup.
	lookupTimeout = 5 * time.Second
)

// isID reports whether a text may be the id of a project: 32 lower-case hex digits.
func isID(text string) bool {
	return len(text) == 32 && strings.Trim(text, "0123456789abcdef") == ""
}

// Cache caches projects by id. A nil project caches that the id is unknown. It is safe for concurrent use.
type Cache struct {
	client projectsv1.ProjectsServiceClient
	known  *cache.Cache[string, *projectsv1.Project]
}

// New returns an empty cache in front of client.
func New(client projectsv1.ProjectsServiceClient) *Cache {
	return &Cache{client: client, known: cache.New(cache.Options[string, *projectsv1.Project]{
		MaxEntries: kept,
		Lifetime:   lifetime,
	})}
}

// Find returns the project, or nil when the id is unknown. Concurrent calls for one id share a lookup.
func (c *Cache) Find(ctx context.Context, id string) (*projectsv1.Project, error) {
	if !isID(id) {
		return nil, nil
	}
	return c.known.GetOrLoad(ctx, id, func(ctx context.Context) (*projectsv1.Project, error) {
		// Other callers wait for this lookup: it outlives the cancellation of the first one.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
		defer cancel()
		res, err := c.client.GetProject(ctx, &projectsv1.GetProjectRequest{Id: id})
		if err == nil {
			return res.GetProject(), nil
		}
		f := fault.From(err)
		if f.Reason == faultv1.Reason_REASON_PROJECT_UNKNOWN {
			return nil, nil
		}
		return nil, f
	})
}

// Has reports whether Find answers from the cache, without a lookup.
func (c *Cache) Has(id string) bool {
	_, ok := c.known.Get(id)
	return ok || !isID(id)
}

// Knows reports whether a project with the id was found before, without a lookup.
func (c *Cache) Knows(id string) bool {
	found, ok := c.known.Get(id)
	return ok && found != nil
}

// Forget invalidates one project.
func (c *Cache) Forget(id string) { c.known.Delete(id) }

// ForgetAll invalidates every project.
func (c *Cache) ForgetAll() { c.known.Clear() }
