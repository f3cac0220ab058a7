package sandbox

import (
	"context"

	"google.golang.org/grpc"

	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp/remote"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// Name is the service's name in logs.
const Name = "sandbox"

// New returns the service and migrates its tables.
func New(ctx context.Context, cfg Config, deps Deps) (run.Service, error) {
	s, err := newSandbox(ctx, cfg, deps)
	if err != nil {
		return run.Service{}, err
	}
	return run.Service{
		Name: Name,
		Register: func(r grpc.ServiceRegistrar) {
			sandboxv1.RegisterSellerServiceServer(r, remote.Serve(s.providers))
		},
		Handler: s.pages(),
		Work:    s.Work,
		Ready:   deps.DB.Ready,
	}, nil
}
