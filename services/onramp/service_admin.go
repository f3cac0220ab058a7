package onramp

import (
	"context"
	"errors"
	"time"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/orders"
)

// adminServer implements OrderAdminService, for the operator's console.
type adminServer struct {
	onrampv1.UnimplementedOrderAdminServiceServer

	orders *orders.Orders
}

// FindOrders returns an order by its id, or the orders of an account.
func (s adminServer) FindOrders(ctx context.Context, r *onrampv1.FindOrdersRequest) (*onrampv1.FindOrdersResponse, error) {
	if by, ok := r.GetBy().(*onrampv1.FindOrdersRequest_Address); ok {
		page, err := s.orders.ListOf(ctx, by.Address, r.GetCursor())
		if err != nil {
			return nil, explainOrder(err)
		}
		res := &onrampv1.FindOrdersResponse{Next: page.Next}
		for _, o := range page.Orders {
			res.Orders = append(res.Orders, foundProto(o))
		}
		return res, nil
	}
	o, err := s.orders.FindAny(ctx, r.GetId())
	if errors.Is(err, orders.ErrUnknown) {
		return &onrampv1.FindOrdersResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	return &onrampv1.FindOrdersResponse{Orders: []*onrampv1.FoundOrder{foundProto(o)}}, nil
}

func foundProto(o orders.Order) *onrampv1.FoundOrder {
	return &onrampv1.FoundOrder{
		Order: orders.ToProto(o), ProjectId: o.Project, Provider: o.Provider, ProviderRef: o.Ref, ExpiresAt: timeText(o.ExpiresAt), NextPollAt: timeText(o.PollAt),
	}
}

// timeText returns a time in RFC 3339; empty for the zero time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
