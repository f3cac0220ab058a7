package handoff

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	handoffv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/handoff/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Name is the name of the service in -target and peers.
const Name = "handoff"

// cleanupInterval is how often expired hand-offs are deleted.
const cleanupInterval = time.Minute

// starting is how many hand-offs one caller of a project may start: a visitor starts four while a code is shown, and an office shares one address.
var starting = limit.Rate{Name: "hand-offs", PerSecond: 1, Burst: 60}

// Config is what the service needs of the configuration. It has no settings of its own.
type Config struct {
	// LocalPages allows pages of localhost, whatever origins their project lists: for development.
	LocalPages bool
}

// Deps are the dependencies of the service.
type Deps struct {
	Projects projectsv1.ProjectsServiceClient
	// Limiter is shared by the replicas of the service; nil counts in this process.
	Limiter limit.Limiter
	DB      *store.DB
	Bus     *bus.Bus
	Clock   clock.Clock
	Log     *slog.Logger
}

// New returns the service. It creates the table that does not exist.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	kept, err := NewSQLStore(ctx, deps.DB)
	if err != nil {
		return run.Service{}, err
	}
	projects := projectcache.New(deps.Projects)
	forget := func(_ context.Context, e *projectsv1.ProjectChanged) error {
		projects.Forget(e.GetId())
		return nil
	}
	options := bus.SubscribeOptions{Missed: func(context.Context) { projects.ForgetAll() }}
	if err := bus.Subscribe(ctx, deps.Bus, options, forget); err != nil {
		return run.Service{}, err
	}
	introductions := NewIntroductions(kept, deps.Clock, rand.Reader, cfg.LocalPages)
	return run.Service{
		Name: Name,
		Register: func(s grpc.ServiceRegistrar) {
			handoffv1.RegisterHandoffServiceServer(s, NewServer(introductions, projects, limit.OrLocal(deps.Limiter, deps.Clock)))
		},
		Work:  func(ctx context.Context) error { return cleanUp(ctx, kept, deps) },
		Ready: deps.DB.Ready,
	}, nil
}

// cleanUp deletes expired hand-offs at intervals, until ctx ends.
func cleanUp(ctx context.Context, kept Store, deps Deps) error {
	tick := time.NewTicker(cleanupInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if err := kept.DeleteExpired(ctx, deps.Clock.Now()); err != nil && ctx.Err() == nil {
			deps.Log.WarnContext(ctx, "expired hand-offs not deleted", "error", err)
		}
	}
}

// Projects finds projects; [projectcache.Cache] implements it.
type Projects interface {
	// Find returns a project.
	Find(ctx context.Context, id string) (*projectsv1.Project, error)
}

type server struct {
	handoffv1.UnimplementedHandoffServiceServer

	introductions *Introductions
	projects      Projects
	limiter       limit.Limiter
}

// NewServer returns the RPC handlers. The limiter limits what a caller starts.
func NewServer(i *Introductions, p Projects, l limit.Limiter) handoffv1.HandoffServiceServer {
	return &server{introductions: i, projects: p, limiter: l}
}

// CreateHandoff starts a hand-off of the caller's page.
func (s *server) CreateHandoff(ctx context.Context, r *handoffv1.CreateHandoffRequest) (*handoffv1.CreateHandoffResponse, error) {
	if err := limit.Spend(ctx, s.limiter, starting, "hand-offs"); err != nil {
		return nil, err
	}
	who := caller.From(ctx)
	project, err := s.projects.Find(ctx, who.Project)
	if err != nil {
		return nil, err
	}
	h, secret, err := s.introductions.Create(ctx, who.Project, who.Origin, project.GetAllowedOrigins(), r.GetCommitment())
	if err != nil {
		return nil, explain(err)
	}
	return &handoffv1.CreateHandoffResponse{Id: h.ID, Secret: secret, ExpiresAt: h.Expires.Format(time.RFC3339)}, nil
}

// GetHandoff returns the state of a hand-off.
func (s *server) GetHandoff(ctx context.Context, r *handoffv1.GetHandoffRequest) (*handoffv1.GetHandoffResponse, error) {
	h, err := s.introductions.Find(ctx, r.GetId(), r.GetSecret())
	if err != nil {
		return nil, explain(err)
	}
	key, err := hex.DecodeString(h.PublicKey)
	if err != nil {
		return nil, err
	}
	return &handoffv1.GetHandoffResponse{PublicKey: key, RefusedClaims: h.Refused}, nil
}

// ClaimHandoff claims a hand-off for a key, and says who started it.
func (s *server) ClaimHandoff(ctx context.Context, r *handoffv1.ClaimHandoffRequest) (*handoffv1.ClaimHandoffResponse, error) {
	h, err := s.introductions.Claim(ctx, r.GetId(), r.GetPublicKey())
	if err != nil {
		return nil, explain(err)
	}
	project, err := s.projects.Find(ctx, h.Project)
	if err != nil {
		return nil, err
	}
	if !project.GetEnabled() {
		return nil, explain(ErrUnknown)
	}
	commitment, err := hex.DecodeString(h.Commitment)
	if err != nil {
		return nil, err
	}
	return &handoffv1.ClaimHandoffResponse{
		ProjectId: h.Project, ProjectName: project.GetName(), Origin: h.Origin, Commitment: commitment, ExpiresAt: h.Expires.Format(time.RFC3339),
	}, nil
}

// explain converts an error to the fault for the caller.
func explain(err error) error {
	switch {
	case errors.Is(err, ErrUnknown):
		return fault.New(codes.NotFound, faultv1.Reason_REASON_HANDOFF_UNKNOWN, "id", "The link is unknown or expired").Because(err)
	case errors.Is(err, ErrClaimed):
		return fault.New(codes.AlreadyExists, faultv1.Reason_REASON_HANDOFF_CLAIMED, "id", "The link was opened on another device").Because(err)
	case errors.Is(err, ErrStarted):
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "commitment", "The commitment was used before").Because(err)
	case errors.Is(err, ErrProjectFull):
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "The project has %d hand-offs at once, which is the limit of a project. Try again later", mostOfProject).Because(err)
	case errors.Is(err, ErrFull):
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "There are %d hand-offs at once, which is the limit of all projects. Try again later", mostInTotal).Because(err)
	case errors.Is(err, ErrOrigin):
		return fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ORIGIN_REFUSED, "origin", "The project does not list the origin of this page").Because(err)
	}
	return err
}
