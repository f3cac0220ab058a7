package names

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// blocksPage is how many blocked labels a page has.
const blocksPage = 100

// adminServer implements NameAdminService, for the operator's console.
type adminServer struct {
	namesv1.UnimplementedNameAdminServiceServer

	registry *registry.Registry
}

// FindNames returns a name, or those of an account.
func (s adminServer) FindNames(ctx context.Context, r *namesv1.FindNamesRequest) (*namesv1.FindNamesResponse, error) {
	records, err := s.find(ctx, r)
	if err != nil {
		return nil, err
	}
	res := &namesv1.FindNamesResponse{}
	for _, record := range records {
		res.Names = append(res.Names, recordProto(record))
	}
	return res, nil
}

func (s adminServer) find(ctx context.Context, r *namesv1.FindNamesRequest) ([]registry.Record, error) {
	if by, ok := r.GetBy().(*namesv1.FindNamesRequest_Address); ok {
		account, err := request.Address("address", by.Address)
		if err != nil {
			return nil, err
		}
		return s.registry.OwnedBy(ctx, account)
	}
	records, err := s.registry.All(ctx, r.GetName())
	if err != nil {
		return nil, explain(err)
	}
	return records, nil
}

// TakeName releases a name without its owner.
func (s adminServer) TakeName(ctx context.Context, r *namesv1.TakeNameRequest) (*namesv1.TakeNameResponse, error) {
	taken, err := s.registry.Take(ctx, r.GetName(), time.UnixMilli(r.GetRegisteredAt()))
	if err != nil {
		return nil, explain(err)
	}
	return &namesv1.TakeNameResponse{Name: recordProto(taken)}, nil
}

// ListBlockedLabels returns a page of the labels that are blocked.
func (s adminServer) ListBlockedLabels(ctx context.Context, r *namesv1.ListBlockedLabelsRequest) (*namesv1.ListBlockedLabelsResponse, error) {
	found, err := s.registry.Blocks(ctx, r.GetCursor(), blocksPage+1)
	if err != nil {
		return nil, err
	}
	res := &namesv1.ListBlockedLabelsResponse{}
	if len(found) > blocksPage {
		found = found[:blocksPage]
		res.Next = found[blocksPage-1].Label
	}
	for _, b := range found {
		res.Labels = append(res.Labels, blockProto(b))
	}
	return res, nil
}

// BlockLabel blocks a label.
func (s adminServer) BlockLabel(ctx context.Context, r *namesv1.BlockLabelRequest) (*namesv1.BlockLabelResponse, error) {
	blocked, err := s.registry.Block(ctx, r.GetLabel())
	if errors.Is(err, registry.ErrBlocksFull) {
		return nil, fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_LABELS_FULL, "label", "%d labels are blocked, which is how many there can be", registry.MaxBlocks)
	}
	if err != nil {
		return nil, explain(err)
	}
	return &namesv1.BlockLabelResponse{Label: blockProto(blocked)}, nil
}

// UnblockLabel unblocks a label.
func (s adminServer) UnblockLabel(ctx context.Context, r *namesv1.UnblockLabelRequest) (*namesv1.UnblockLabelResponse, error) {
	return &namesv1.UnblockLabelResponse{}, s.registry.Unblock(ctx, r.GetLabel())
}

func recordProto(r registry.Record) *namesv1.NameRecord {
	chain, _ := r.Owner.CoinType.ChainID()
	out := &namesv1.NameRecord{
		Name: string(r.Name), Owner: r.Owner.Address.String(), OwnerChain: chain, Given: r.IsGiven(), RegisteredAt: r.RegisteredAt.UnixMilli(), UpdatedAt: r.UpdatedAt.UnixMilli(),
		Attributes: r.Attributes, Addresses: map[string]string{},
	}
	for _, a := range r.Addresses {
		out.Addresses[a.CoinType.String()] = a.Address.String()
	}
	return out
}

func blockProto(b registry.Block) *namesv1.BlockedLabel {
	return &namesv1.BlockedLabel{Label: b.Label, BlockedAt: b.At.UnixMilli()}
}
