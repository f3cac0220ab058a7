package projects

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Draft holds the fields of a new project.
type Draft struct {
	// ID is the project's id; empty for a random one.
	ID string
	// Name is shown to the operator.
	Name string
	// AllowedOrigins are the patterns of origins that may call; empty for any.
	AllowedOrigins []string
	// RequestsPerSecond and Burst are the rate limit of one caller; 0 means the default of the gateway.
	RequestsPerSecond float64
	Burst             uint32
}

// Registry creates, changes and finds projects.
type Registry struct {
	store  Store
	clock  clock.Clock
	random io.Reader
}

// NewRegistry returns a registry of the projects in store.
func NewRegistry(store Store, c clock.Clock, random io.Reader) *Registry {
	return &Registry{store: store, clock: c, random: random}
}

// Create creates an enabled project from a draft. It fails with [*Invalid] or [ErrExists].
func (r *Registry) Create(ctx context.Context, d Draft) (Project, error) {
	p, err := r.begin(d)
	if err != nil {
		return Project{}, err
	}
	if err := errors.Join(p.Rename(d.Name), p.Allow(d.AllowedOrigins), p.Restrict(d.RequestsPerSecond, d.Burst)); err != nil {
		return Project{}, err
	}
	return p, r.store.Insert(ctx, p)
}

// Seed creates the drafts whose ids do not exist, and does not change existing projects. Every draft must have an id.
func (r *Registry) Seed(ctx context.Context, drafts []Draft) error {
	for _, d := range drafts {
		if _, err := r.store.Find(ctx, ID(d.ID)); err == nil {
			continue
		}
		if _, err := r.Create(ctx, d); err != nil && !errors.Is(err, ErrExists) {
			return err
		}
	}
	return nil
}

// Find returns a project, or [ErrUnknown].
func (r *Registry) Find(ctx context.Context, id ID) (Project, error) { return r.store.Find(ctx, id) }

// List returns every project, the oldest first.
func (r *Registry) List(ctx context.Context) ([]Project, error) { return r.store.List(ctx) }

// ListAfter returns at most limit projects after a place, the oldest first.
func (r *Registry) ListAfter(ctx context.Context, after Place, limit int) ([]Project, error) {
	return r.store.ListAfter(ctx, after, limit)
}

// Delete deletes a disabled project and returns it. It fails with [ErrUnknown] or [ErrEnabled].
func (r *Registry) Delete(ctx context.Context, id ID) (Project, error) {
	return r.store.Delete(ctx, id)
}

// Change applies change to a project and returns the result. It fails with the error of change, or [ErrUnknown], and then changes nothing.
// change may run more than once.
func (r *Registry) Change(ctx context.Context, id ID, change func(p *Project) error) (Project, error) {
	return r.store.Update(ctx, id, func(p *Project) error {
		if err := change(p); err != nil {
			return err
		}
		// Later than before also within one millisecond, so that each change can be told from the one before.
		now := r.now()
		if !now.After(p.ChangedAt) {
			now = p.ChangedAt.Add(time.Millisecond)
		}
		p.ChangedAt = now
		return nil
	})
}

func (r *Registry) begin(d Draft) (Project, error) {
	now := r.now()
	p := Project{Enabled: true, CreatedAt: now, ChangedAt: now}
	var err error
	if d.ID == "" {
		p.ID, err = NewID(r.random)
	} else {
		p.ID, err = ParseID(d.ID)
	}
	return p, err
}

// now returns the time in the precision that is stored.
func (r *Registry) now() time.Time { return r.clock.Now().UTC().Truncate(time.Millisecond) }
