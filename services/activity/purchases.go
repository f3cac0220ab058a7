package activity

import (
	"context"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// buy is the operation of a purchase.
const buy = "buy"

// purchaseStatus is how far a purchase has come. What nobody paid has none, and is not in a history.
var purchaseStatus = map[onrampv1.OrderState]string{
	onrampv1.OrderState_ORDER_STATE_PENDING:   "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS",
	onrampv1.OrderState_ORDER_STATE_PAID:      "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS",
	onrampv1.OrderState_ORDER_STATE_COMPLETED: "ONRAMP_TRANSACTION_STATUS_SUCCESS",
	onrampv1.OrderState_ORDER_STATE_FAILED:    "ONRAMP_TRANSACTION_STATUS_FAILED",
	onrampv1.OrderState_ORDER_STATE_REFUNDED:  "ONRAMP_TRANSACTION_STATUS_FAILED",
}

// purchases tells what accounts bought, from another service's record.
type purchases struct {
	// client is nil where nothing is sold.
	client onrampv1.PurchaseServiceClient
}

// purchasesAsk asks what an account bought.
type purchasesAsk struct {
	address evm.Address
	// chainID is CAIP-2; empty for every chain.
	chainID          string
	provider, cursor string
}

// readPurchasesAsk turns a request into a question. Tokens are bought on eip155 only, whoever sells.
func readPurchasesAsk(r *activityv1.GetHistoryRequest) (a purchasesAsk, err error) {
	a.provider, a.cursor = r.GetOnramp(), r.GetCursor()
	if r.GetChainId() != "" {
		a.chainID, err = apiparse.Chain("chainId", r.GetChainId())
	}
	if err != nil && fault.From(err).Reason == faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED {
		return purchasesAsk{}, unsold(a.provider)
	}
	if err != nil {
		return purchasesAsk{}, err
	}
	a.address, err = apiparse.Address("address", r.GetAddress())
	return a, err
}

// polled is the provider that clients of the incumbent ask for at intervals, whether it is set up or not.
const polled = "coinbase"

// page lists an account's purchases, the newest first. On one chain, a page may hold fewer than there are on it.
func (p purchases) page(ctx context.Context, a purchasesAsk) (*activityv1.GetHistoryResponse, error) {
	list, err := p.list(ctx, a)
	if a.provider == polled && err != nil && fault.From(err).Reason == faultv1.Reason_REASON_PROVIDER_UNSUPPORTED {
		list, err = &onrampv1.ListPurchasesResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	res := &activityv1.GetHistoryResponse{Next: list.Next, Coverage: &activityv1.Coverage{}}
	for _, o := range list.GetOrders() {
		// What nobody sent yet may come to any chain.
		elsewhere := a.chainID != "" && o.GetChainId() != "" && o.GetChainId() != a.chainID
		if status, paid := purchaseStatus[o.GetState()]; paid && !elsewhere {
			res.Data = append(res.Data, purchase(o, status))
		}
	}
	return res, nil
}

// purchase spells an order as a transaction. It has one transfer, of nothing while nobody said what is bought: a row without one is not shown.
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
			Direction:    string(In), Quantity: &activityv1.Quantity{Numeric: bought.GetAmount()}, Recipient: o.GetWalletAddress(),
		}},
	}
}

func (p purchases) list(ctx context.Context, a purchasesAsk) (*onrampv1.ListPurchasesResponse, error) {
	if p.client == nil {
		return nil, unsold(a.provider)
	}
	list, err := p.client.ListPurchases(caller.NewOutgoingContext(ctx, caller.From(ctx)), &onrampv1.ListPurchasesRequest{Address: a.address.String(), Provider: a.provider, Cursor: a.cursor})
	if err != nil {
		return nil, fault.From(err)
	}
	return list, nil
}

func unsold(provider string) error {
	return apiparse.Invalid(faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "Provider %s is not supported", provider)
}
