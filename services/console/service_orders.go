package console

import (
	"context"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
)

// orderServer implements OrderService.
type orderServer struct {
	adminv1.UnimplementedOrderServiceServer
	*server
}

// FindOrders returns an order by its id, or the orders of an account. The audit log has the ids of the orders, not the account.
func (s orderServer) FindOrders(ctx context.Context, r *adminv1.FindOrdersRequest) (*adminv1.FindOrdersResponse, error) {
	find, by := &onrampv1.FindOrdersRequest{Cursor: r.GetCursor()}, "id"
	if wanted, ok := r.GetBy().(*adminv1.FindOrdersRequest_Address); ok {
		find.By, by = &onrampv1.FindOrdersRequest_Address{Address: wanted.Address}, "address"
	} else {
		find.By = &onrampv1.FindOrdersRequest_Id{Id: r.GetId()}
	}
	found, err := s.deps.Orders.FindOrders(ctx, find)
	if err != nil {
		return nil, err
	}
	res := &adminv1.FindOrdersResponse{Next: found.GetNext()}
	ids := []string{}
	for _, o := range found.GetOrders() {
		ids = append(ids, o.GetOrder().GetId())
		res.Orders = append(res.Orders, &adminv1.AdminOrder{
			Order: o.GetOrder(), ProjectId: o.GetProjectId(), Provider: o.GetProvider(), ProviderRef: o.GetProviderRef(), ExpiresAt: o.GetExpiresAt(), NextPollAt: o.GetNextPollAt(),
		})
	}
	callOf(ctx).changed(nil, map[string]any{"by": by, "found": ids})
	return res, nil
}
