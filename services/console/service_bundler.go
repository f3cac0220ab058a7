package console

import (
	"context"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
)

// bundlerServer implements BundlerService.
type bundlerServer struct {
	adminv1.UnimplementedBundlerServiceServer
	*server
}

// GetBundler returns what the bundler has to pay with, and what it paid.
func (s bundlerServer) GetBundler(ctx context.Context, _ *adminv1.GetBundlerRequest) (*adminv1.GetBundlerResponse, error) {
	found, err := s.deps.Bundler.GetBundler(ctx, &bundlerv1.GetBundlerRequest{})
	if err != nil {
		return nil, err
	}
	return &adminv1.GetBundlerResponse{Chains: found.GetChains(), ProjectLimitWei: found.GetProjectLimitWei()}, nil
}

// ListOperations returns a page of the operations of the bundler.
func (s bundlerServer) ListOperations(ctx context.Context, r *adminv1.ListOperationsRequest) (*adminv1.ListOperationsResponse, error) {
	found, err := s.deps.Bundler.ListOperations(ctx, &bundlerv1.ListOperationsRequest{Waiting: r.GetWaiting(), Cursor: r.GetCursor()})
	if err != nil {
		return nil, err
	}
	return &adminv1.ListOperationsResponse{Operations: found.GetOperations(), Next: found.GetNext()}, nil
}
