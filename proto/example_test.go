package proto_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"connectrpc.com/connect"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1/balancesv1connect"
)

// gateway answers as a gateway where one account holds ether.
type gateway struct {
	balancesv1connect.UnimplementedBalancesServiceHandler
}

func (gateway) GetBalance(ctx context.Context, r *balancesv1.GetBalanceRequest) (*balancesv1.GetBalanceResponse, error) {
	if call, ok := connect.CallInfoForHandlerContext(ctx); !ok || call.RequestHeader().Get("Hawser-Project-Id") != "p1" {
		return nil, connect.NewError(connect.CodePermissionDenied, errors.New("unknown project"))
	}
	return &balancesv1.GetBalanceResponse{Balances: []*balancesv1.Balance{
		{Symbol: "ETH", ChainId: r.GetChainId(), Quantity: &balancesv1.Quantity{Decimals: "18", Numeric: "1.500000000000000000"}},
	}}, nil
}

// A backend calls the gateway with the clients that are generated for Connect, and names its project in a header.
func Example() {
	mux := http.NewServeMux()
	mux.Handle(balancesv1connect.NewBalancesServiceHandler(gateway{}))
	server := httptest.NewServer(mux) // in production, the address of your gateway
	defer server.Close()

	client := balancesv1connect.NewBalancesServiceClient(server.Client(), server.URL)
	ctx, call := connect.NewClientContext(context.Background())
	call.RequestHeader().Set("Hawser-Project-Id", "p1")
	response, err := client.GetBalance(ctx, &balancesv1.GetBalanceRequest{
		Address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", Currency: "usd", ChainId: "eip155:1",
	})
	if err != nil {
		fmt.Println(connect.CodeOf(err), err)
		return
	}
	for _, held := range response.GetBalances() {
		fmt.Println(held.GetQuantity().GetNumeric(), held.GetSymbol())
	}

	_, err = client.GetBalance(context.Background(), &balancesv1.GetBalanceRequest{})
	fmt.Println(connect.CodeOf(err))
	// Output:
	// 1.500000000000000000 ETH
	// permission_denied
}
