// Package purchases lists what accounts bought from on-ramps, as rows of a history. It reads them from the service that keeps the orders.
package purchases

import (
	"context"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// buy is the operation type of a purchase.
const buy = "buy"

// purchaseStatus is the status of a purchase by the state of its order. Unpaid orders are not in it, and not part of a
// history.
var purchaseStatus = map[onrampv1.OrderState]string{
	onrampv1.OrderState_ORDER_STATE_PENDING:   "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS",
	onrampv1.OrderState_ORDER_STATE_PAID:      "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS",
	onrampv1.OrderState_ORDER_STATE_COMPLETED: "ONRAMP_TRANSACTION_STATUS_SUCCESS",
	onrampv1.OrderState_ORDER_STATE_FAILED:    "ONRAMP_TRANSACTION_STATUS_FAILED",
	onrampv1.OrderState_ORDER_STATE_REFUNDED:  "ONRAMP_TRANSACTION_STATUS_FAILED",
}

// Lister lists purchases.
type Lister struct {
	// Client is nil if there is no on-ramp.
	Client onrampv1.PurchaseServiceClient
}

// GetHistory lists the purchases of an account, the newest first. A page for one chain may have fewer rows than a full one and still a next page.
func (l Lister) GetHistory(ctx context.Context, r *activityv1.GetHistoryRequest) (*activityv1.GetHistoryResponse, error) {
	q, err := parse(r)
	if err != nil {
		return nil, err
	}
	return l.page(ctx, q)
}

// query is a request for purchases.
type query struct {
	address evm.Address
	// chainID is the CAIP-2 chain id; empty for every chain.
	chainID          string
	provider, cursor string
}

// parse parses a request. Providers sell tokens on eip155 chains only.
func parse(r *activityv1.GetHistoryRequest) (q query, err error) {
	q.provider, q.cursor = r.GetOnramp(), r.GetCursor()
	if r.GetChainId() != "" {
		q.chainID, err = request.Chain("chainId", r.GetChainId())
	}
	if err != nil && fault.From(err).Reason == faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED {
		return query{}, unsupportedProvider(q.provider)
	}
	if err != nil {
		return query{}, err
	}
	q.address, err = request.Address("address", r.GetAddress())
	return q, err
}

// polled is the provider that AppKit polls even if it is not configured.
const polled = "coinbase"

func (l Lister) page(ctx context.Context, q query) (*activityv1.GetHistoryResponse, error) {
	list, err := l.list(ctx, q)
	if q.provider == polled && err != nil && fault.From(err).Reason == faultv1.Reason_REASON_PROVIDER_UNSUPPORTED {
		list, err = &onrampv1.ListPurchasesResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	res := &activityv1.GetHistoryResponse{Next: list.Next, Coverage: &activityv1.Coverage{}}
	for _, o := range list.GetOrders() {
		// An order without a chain may still be sent to any chain.
		onOtherChain := q.chainID != "" && o.GetChainId() != "" && o.GetChainId() != q.chainID
		if status, paid := purchaseStatus[o.GetState()]; paid && !onOtherChain {
			res.Data = append(res.Data, purchase(o, status))
		}
	}
	return res, nil
}

// purchase returns an order as a transaction. It always has one transfer, because rows without one are not shown; its amount is zero until the
// provider reports the purchase.
func purchase(o *onrampv1.Order, status string) *activityv1.Transaction {
	bought := o.GetPurchase()
	if bought == nil {
		bought = &onrampv1.OrderAmount{Amount: "0"}
	}
	return &activityv1.Transaction{
		Id: o.GetId(),
		Metadata: &activityv1.Metadata{
			OperationType: buy, Hash: o.GetTransaction(), MinedAt: o.GetCreatedAt(), SentFrom: o.GetTitle(), SentTo: o.GetWalletAddress(),
			Status: status, Chain: o.GetChainId(),
		},
		Transfers: []*activityv1.Transfer{{
			FungibleInfo: &activityv1.FungibleInfo{Name: bought.GetCurrency(), Symbol: bought.GetCurrency(), Icon: &activityv1.Icon{}},
			Direction:    string(index.In), Quantity: &activityv1.Quantity{Numeric: bought.GetAmount()}, Recipient: o.GetWalletAddress(),
		}},
	}
}

func (l Lister) list(ctx context.Context, q query) (*onrampv1.ListPurchasesResponse, error) {
	if l.Client == nil {
		return nil, unsupportedProvider(q.provider)
	}
	list, err := l.Client.ListPurchases(caller.NewOutgoingContext(ctx, caller.From(ctx)), &onrampv1.ListPurchasesRequest{Address: q.address.String(), Provider: q.provider, Cursor: q.cursor})
	if err != nil {
		return nil, fault.From(err)
	}
	return list, nil
}

func unsupportedProvider(provider string) error {
	return request.Invalid(faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "Provider %s is not supported", provider)
}
