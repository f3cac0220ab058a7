package projects

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Draft is what a new project begins with.
type Draft struct {
	// ID is the project's; empty draws one.
	ID string
	// Name is for the operator.
	Name string
	// AllowedOrigins are patterns of pages that may call; none means any.
	AllowedOrigins []string
	// RequestsPerSecond and Burst are the limit of one caller; 0 means the gateway's.
	RequestsPerSecond float64
	Burst             uint32
}

// Registry creates, changes and finds projects.
type Registry struct {
	store  Store
	clock  clock.Clock
	random io.Reader
}

// NewRegistry returns a registry of what store keeps.
func NewRegistry(store Store, c clock.Clock, random io.Reader) *Registry {
	return &Registry{store: store, clock: c, random: random}
}

// Create makes an enabled project of a draft. It fails with [*Invalid] or [ErrExists].
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

// Seed creates those drafts whose ids no project has, and leaves the others as they are. Drafts name their ids.
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

// Change applies change to the project and returns it as it is then. It fails with what change returns, or [ErrUnknown]; then the project is
// as it was. change may run more than once.
func (r *Registry) Change(ctx context.Context, id ID, change func(p *Project) error) (Project, error) {
	return r.store.Update(ctx, id, func(p *Project) error {
		p.ChangedAt = r.now()
		return change(p)
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

// now is the time as it is kept.
func (r *Registry) now() time.Time { return r.clock.Now().UTC().Truncate(time.Millisecond) }
