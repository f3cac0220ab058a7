package projects

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "projects"

// Deps are the dependencies of the service.
type Deps struct {
	DB     *store.DB
	Outbox *bus.Outbox
	Log    *slog.Logger
}

// New returns the service. It creates the tables and the configured projects that do not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	registry, err := Open(ctx, deps.DB, deps.Outbox)
	if err != nil {
		return run.Service{}, err
	}
	if err := registry.Seed(ctx, cfg.drafts()); err != nil {
		return run.Service{}, err
	}
	if err := adviseWithout(ctx, registry, deps.Log); err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(s grpc.ServiceRegistrar) {
			projectsv1.RegisterProjectsServiceServer(s, &server{registry: registry})
			projectsv1.RegisterProjectAdminServiceServer(s, &adminServer{registry: registry})
		},
		Ready: deps.DB.Ready,
	}, nil
}

// adviseWithout logs how to create a project if there is none, because without a project no page may call.
func adviseWithout(ctx context.Context, registry *Registry, log *slog.Logger) error {
	all, err := registry.List(ctx)
	if err == nil && len(all) == 0 {
		log.WarnContext(ctx, "there is no project yet, so that no page may call; create one with: hawser project create -name \"My site\" -origin https://example.org")
	}
	return err
}

// Open returns the registry of the projects in db, which adds its events to outbox.
func Open(ctx context.Context, db *store.DB, outbox *bus.Outbox) (*Registry, error) {
	kept, err := NewSQLStore(ctx, db, outbox)
	if err != nil {
		return nil, err
	}
	return NewRegistry(kept, clock.System{}, rand.Reader), nil
}

type server struct {
	projectsv1.UnimplementedProjectsServiceServer
	registry *Registry
}

// GetProject returns one project.
func (s *server) GetProject(ctx context.Context, req *projectsv1.GetProjectRequest) (*projectsv1.GetProjectResponse, error) {
	id, err := ParseID(req.GetId())
	if err != nil {
		return nil, toFault(err)
	}
	p, err := s.registry.Find(ctx, id)
	if err != nil {
		return nil, toFault(err)
	}
	return &projectsv1.GetProjectResponse{Project: toProto(p)}, nil
}

func toProto(p Project) *projectsv1.Project {
	out := &projectsv1.Project{
		Id:                string(p.ID),
		Name:              p.Name,
		RequestsPerSecond: p.Limit.RequestsPerSecond,
		Burst:             p.Limit.Burst,
		Enabled:           p.Enabled,
		CreatedAt:         p.CreatedAt.UnixMilli(),
		ChangedAt:         p.ChangedAt.UnixMilli(),
	}
	for _, pattern := range p.AllowedOrigins {
		out.AllowedOrigins = append(out.AllowedOrigins, pattern.String())
	}
	return out
}

// toFault converts errors of the domain to faults. Other errors are not shown to callers.
func toFault(err error) error {
	if invalid, ok := errors.AsType[*Invalid](err); ok {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, invalid.Field, "Invalid parameter: %s", invalid)
	}
	switch {
	case errors.Is(err, ErrUnknown):
		return fault.New(codes.NotFound, faultv1.Reason_REASON_PROJECT_UNKNOWN, "id", "There is no such project")
	case errors.Is(err, ErrChanged):
		return fault.New(codes.Aborted, faultv1.Reason_REASON_PROJECT_CHANGED, "changedAt", "The project was changed in the meantime")
	case errors.Is(err, ErrEnabled):
		return fault.New(codes.FailedPrecondition, faultv1.Reason_REASON_PROJECT_ENABLED, "id", "The project is enabled: disable it first")
	}
	return err
}
