// Package price reads what tokens are worth, to compare what leaves an account with what arrives.
package price

import (
	"context"
	"time"

	"google.golang.org/grpc"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
)

const (
	// timeout bounds the read of prices: without them a trade is not known to be fair.
	timeout = 2 * time.Second
	// most is how many prices are read at once.
	most = 50
)

// Source returns prices of tokens; [balancesv1.BalancesServiceClient] implements it.
type Source interface {
	ListPrices(ctx context.Context, r *balancesv1.ListPricesRequest, opts ...grpc.CallOption) (*balancesv1.ListPricesResponse, error)
}

// Read returns the prices of tokens in US dollars for a whole unit, by CAIP-10 id. Unknown ones are absent: all of them if source is nil or does not
// answer in time.
func Read(ctx context.Context, source Source, ids []string) map[string]float64 {
	if source == nil || len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err := source.ListPrices(ctx, &balancesv1.ListPricesRequest{Currency: "usd", Addresses: ids[:min(len(ids), most)]})
	if err != nil {
		return nil
	}
	prices := map[string]float64{}
	for _, f := range answer.GetFungibles() {
		prices[f.GetAddress()] = f.GetPrice()
	}
	return prices
}
