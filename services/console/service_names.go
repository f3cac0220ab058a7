package console

import (
	"context"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
)

// nameServer implements NameService.
type nameServer struct {
	adminv1.UnimplementedNameServiceServer
	*server
}

// FindNames returns a name, or those of an account. The audit log has the names that were found, not the account.
func (s nameServer) FindNames(ctx context.Context, r *adminv1.FindNamesRequest) (*adminv1.FindNamesResponse, error) {
	find, by := &namesv1.FindNamesRequest{By: &namesv1.FindNamesRequest_Name{Name: r.GetName()}}, "name"
	if wanted, ok := r.GetBy().(*adminv1.FindNamesRequest_Address); ok {
		find.By, by = &namesv1.FindNamesRequest_Address{Address: wanted.Address}, "address"
	}
	found, err := s.deps.Names.FindNames(ctx, find)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, n := range found.GetNames() {
		names = append(names, n.GetName())
	}
	callOf(ctx).changed(nil, map[string]any{"by": by, "found": names})
	return &adminv1.FindNamesResponse{Names: found.GetNames()}, nil
}

// TakeName releases a name without its owner.
func (s nameServer) TakeName(ctx context.Context, r *adminv1.TakeNameRequest) (*adminv1.TakeNameResponse, error) {
	callOf(ctx).about("name " + r.GetName())
	taken, err := s.deps.Names.TakeName(ctx, &namesv1.TakeNameRequest{Name: r.GetName(), RegisteredAt: r.GetRegisteredAt()})
	if err != nil {
		return nil, err
	}
	callOf(ctx).changed(taken.GetName(), nil)
	return &adminv1.TakeNameResponse{}, nil
}

// ListBlockedLabels returns a page of the labels that are blocked.
func (s nameServer) ListBlockedLabels(ctx context.Context, r *adminv1.ListBlockedLabelsRequest) (*adminv1.ListBlockedLabelsResponse, error) {
	found, err := s.deps.Names.ListBlockedLabels(ctx, &namesv1.ListBlockedLabelsRequest{Cursor: r.GetCursor()})
	if err != nil {
		return nil, err
	}
	return &adminv1.ListBlockedLabelsResponse{Labels: found.GetLabels(), Next: found.GetNext()}, nil
}

// BlockLabel blocks a label.
func (s nameServer) BlockLabel(ctx context.Context, r *adminv1.BlockLabelRequest) (*adminv1.BlockLabelResponse, error) {
	callOf(ctx).about("label " + r.GetLabel())
	if _, err := s.deps.Names.BlockLabel(ctx, &namesv1.BlockLabelRequest{Label: r.GetLabel()}); err != nil {
		return nil, err
	}
	callOf(ctx).changed(nil, map[string]any{"blocked": r.GetLabel()})
	return &adminv1.BlockLabelResponse{}, nil
}

// UnblockLabel unblocks a label.
func (s nameServer) UnblockLabel(ctx context.Context, r *adminv1.UnblockLabelRequest) (*adminv1.UnblockLabelResponse, error) {
	callOf(ctx).about("label " + r.GetLabel())
	if _, err := s.deps.Names.UnblockLabel(ctx, &namesv1.UnblockLabelRequest{Label: r.GetLabel()}); err != nil {
		return nil, err
	}
	callOf(ctx).changed(map[string]any{"blocked": r.GetLabel()}, nil)
	return &adminv1.UnblockLabelResponse{}, nil
}
