package orders

import (
	"time"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/ramp"
)

// ToProto returns the order as callers get it.
func ToProto(o Order) *onrampv1.Order {
	return &onrampv1.Order{
		Id: o.ID, ServiceProvider: o.Seller, Title: o.Title, State: states[o.State], Reason: o.Reason, WalletAddress: o.Wallet,
		ChainId: o.ChainID, Payment: amountToProto(o.Payment), Purchase: amountToProto(o.Purchase), Transaction: o.Transaction,
		CreatedAt: o.CreatedAt.UTC().Format(time.RFC3339), UpdatedAt: o.UpdatedAt.UTC().Format(time.RFC3339), Sandbox: o.Sandbox,
	}
}

var states = map[ramp.State]onrampv1.OrderState{
	ramp.Created:   onrampv1.OrderState_ORDER_STATE_CREATED,
	ramp.Expired:   onrampv1.OrderState_ORDER_STATE_EXPIRED,
	ramp.Pending:   onrampv1.OrderState_ORDER_STATE_PENDING,
	ramp.Paid:      onrampv1.OrderState_ORDER_STATE_PAID,
	ramp.Cancelled: onrampv1.OrderState_ORDER_STATE_CANCELLED,
	ramp.Failed:    onrampv1.OrderState_ORDER_STATE_FAILED,
	ramp.Completed: onrampv1.OrderState_ORDER_STATE_COMPLETED,
	ramp.Refunded:  onrampv1.OrderState_ORDER_STATE_REFUNDED,
}

func amountToProto(a *ramp.Amount) *onrampv1.OrderAmount {
	if a == nil {
		return nil
	}
	return &onrampv1.OrderAmount{Amount: a.Value.String(), Currency: a.Currency}
}
