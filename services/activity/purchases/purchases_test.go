package purchases

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	buyer      = "0x00000000000000000000000000000000000A11cE"
	localChain = "eip155:31337"
	placed     = "2026-11-20T20:00:00Z"
)

// orderService is the purchase service with one page of coinbase purchases and a next page.
type orderService struct {
	onrampv1.PurchaseServiceClient
	orders  []*onrampv1.Order
	request *onrampv1.ListPurchasesRequest
}

func (b *orderService) ListPurchases(_ context.Context, r *onrampv1.ListPurchasesRequest, _ ...grpc.CallOption) (*onrampv1.ListPurchasesResponse, error) {
	b.request = r
	if r.GetProvider() != "coinbase" {
		err := request.Invalid(faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "Provider %s is not supported", r.GetProvider())
		return nil, err.GRPCStatus().Err()
	}
	next := "the next page"
	return &onrampv1.ListPurchasesResponse{Orders: b.orders, Next: &next}, nil
}

// sold returns a lister of these orders.
func sold(list ...*onrampv1.Order) (Lister, *orderService) {
	b := &orderService{orders: list}
	return Lister{b}, b
}

func order(id string, state onrampv1.OrderState) *onrampv1.Order {
	return &onrampv1.Order{
		Id: id, ServiceProvider: "COINBASE", Title: "Coinbase", State: state, WalletAddress: buyer, ChainId: localChain, CreatedAt: placed, UpdatedAt: "2026-11-20T20:05:00Z",
		Payment:  &onrampv1.OrderAmount{Amount: "100", Currency: "USD"},
		Purchase: &onrampv1.OrderAmount{Amount: "97.123456789012345678", Currency: "USDC"}, Transaction: "0xabc",
	}
}

func TestAPurchaseIsARowWithTheBoughtAmount(t *testing.T) {
	s, orders := sold(order("one", onrampv1.OrderState_ORDER_STATE_COMPLETED))
	res, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: "0x00000000000000000000000000000000000a11ce", Onramp: "coinbase", Cursor: "this page"})
	if err != nil {
		t.Fatal(err)
	}
	next := "the next page"
	want := &activityv1.GetHistoryResponse{
		Data: []*activityv1.Transaction{{
			Id: "one",
			Metadata: &activityv1.Metadata{
				OperationType: "buy", Hash: "0xabc", MinedAt: placed, SentFrom: "Coinbase", SentTo: buyer, Status: "ONRAMP_TRANSACTION_STATUS_SUCCESS", Chain: localChain,
			},
			Transfers: []*activityv1.Transfer{{
				FungibleInfo: &activityv1.FungibleInfo{Name: "USDC", Symbol: "USDC", Icon: &activityv1.Icon{}},
				Direction:    "in", Quantity: &activityv1.Quantity{Numeric: "97.123456789012345678"}, Recipient: buyer,
			}},
		}},
		Next: &next, Coverage: &activityv1.Coverage{},
	}
	if !proto.Equal(res, want) {
		t.Errorf("%v, want %v", res, want)
	}
	if orders.request.GetProvider() != "coinbase" || orders.request.GetCursor() != "this page" || orders.request.GetAddress() != buyer {
		t.Errorf("requested %v", orders.request)
	}
}

func TestEachOrderStateHasAStatusOrIsNotShown(t *testing.T) {
	want := map[onrampv1.OrderState]string{
		onrampv1.OrderState_ORDER_STATE_PENDING: "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS", onrampv1.OrderState_ORDER_STATE_PAID: "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS",
		onrampv1.OrderState_ORDER_STATE_COMPLETED: "ONRAMP_TRANSACTION_STATUS_SUCCESS",
		onrampv1.OrderState_ORDER_STATE_FAILED:    "ONRAMP_TRANSACTION_STATUS_FAILED", onrampv1.OrderState_ORDER_STATE_REFUNDED: "ONRAMP_TRANSACTION_STATUS_FAILED",
	}
	for number, name := range onrampv1.OrderState_name {
		s, _ := sold(order("one", onrampv1.OrderState(number)))
		res, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: buyer, Onramp: "coinbase"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(res.GetData()) == 1 {
			got = res.GetData()[0].GetMetadata().GetStatus()
		}
		if got != want[onrampv1.OrderState(number)] {
			t.Errorf("%s is shown as %q", name, got)
		}
	}
}

func TestPurchasesOnOneChainIncludeOrdersWithoutAChain(t *testing.T) {
	here, there, undecided := order("here", onrampv1.OrderState_ORDER_STATE_PAID), order("there", onrampv1.OrderState_ORDER_STATE_PAID), order("undecided", onrampv1.OrderState_ORDER_STATE_PENDING)
	there.ChainId, undecided.ChainId, undecided.Purchase = "eip155:8453", "", nil
	s, _ := sold(here, there, undecided)
	res, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: buyer, Onramp: "coinbase", ChainId: "31337"})
	if err != nil || len(res.GetData()) != 2 || res.GetData()[0].GetId() != "here" || res.GetData()[1].GetId() != "undecided" || res.GetNext() == "" {
		t.Fatalf("%v, %v", res, err)
	}
	if transfers := res.GetData()[1].GetTransfers(); len(transfers) != 1 || transfers[0].GetQuantity().GetNumeric() != "0" || transfers[0].GetFungibleInfo().GetSymbol() != "" {
		t.Errorf("a purchase that is not reported yet: %v", transfers)
	}
}

func TestInvalidRequestsForPurchasesAreRefused(t *testing.T) {
	const solana = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
	selling, _ := sold()
	for _, tt := range []struct {
		behaviour             string
		lister                Lister
		ask                   *activityv1.GetHistoryRequest
		reason, field, public string
	}{
		{"an unknown provider", selling, &activityv1.GetHistoryRequest{Address: buyer, Onramp: "some"}, "PROVIDER_UNSUPPORTED", "provider", "Provider some is not supported"},
		{"no on-ramp", Lister{}, &activityv1.GetHistoryRequest{Address: buyer, Onramp: "meld"}, "PROVIDER_UNSUPPORTED", "provider", "Provider meld is not supported"},
		{"another namespace", selling, &activityv1.GetHistoryRequest{Address: buyer, Onramp: "coinbase", ChainId: solana}, "PROVIDER_UNSUPPORTED", "provider", "Provider coinbase is not supported"},
		{"an invalid chain", selling, &activityv1.GetHistoryRequest{Address: buyer, Onramp: "coinbase", ChainId: "eip155:"}, "IDENTIFIER_INVALID", "", `Crypto utils error: not a CAIP-2 chain id: "eip155:"`},
		{"an invalid address", selling, &activityv1.GetHistoryRequest{Address: "X", Onramp: "coinbase"}, "ADDRESS_INVALID", "address", "The address provided is invalid"},
	} {
		res, err := tt.lister.GetHistory(t.Context(), tt.ask)
		if err == nil {
			t.Errorf("%s: answered %v", tt.behaviour, res)
			continue
		}
		if f := fault.From(err); fault.ReasonName(f.Reason) != tt.reason || f.Field != tt.field || f.Public != tt.public {
			t.Errorf("%s: %s of %q: %q", tt.behaviour, fault.ReasonName(f.Reason), f.Field, f.Public)
		}
	}
}

// noProviders is the purchase service without providers.
type noProviders struct{ onrampv1.PurchaseServiceClient }

func (noProviders) ListPurchases(_ context.Context, r *onrampv1.ListPurchasesRequest, _ ...grpc.CallOption) (*onrampv1.ListPurchasesResponse, error) {
	return nil, request.Invalid(faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "Provider %s is not supported", r.GetProvider()).GRPCStatus().Err()
}

func TestCoinbaseHasNoPurchasesIfNotConfigured(t *testing.T) {
	for what, s := range map[string]Lister{"no on-ramp": {}, "other providers": {noProviders{}}} {
		res, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: buyer, Onramp: "coinbase"})
		if err != nil || len(res.GetData()) != 0 || res.Next != nil {
			t.Errorf("%s: %v, %v", what, res, err)
		}
		if _, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: buyer, Onramp: "meld"}); err == nil {
			t.Errorf("%s: meld is not refused", what)
		}
	}
}
