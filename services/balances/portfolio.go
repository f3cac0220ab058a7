package balances

import (
	"cmp"
	"context"
	"slices"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/evm"
)

// GetPortfolio names what an account holds on every active chain, worth most first; what is better not shown is left out.
func (s *Server) GetPortfolio(ctx context.Context, r *balancesv1.GetPortfolioRequest) (*balancesv1.GetPortfolioResponse, error) {
	ask, err := readAsk(&balancesv1.GetBalanceRequest{Address: r.GetAddress(), Currency: cmp.Or(r.GetCurrency(), "usd")})
	if err != nil {
		return nil, err
	}
	holdings, err := s.ledger.Holdings(ctx, ask)
	if err != nil {
		return nil, explain(err, "address", "Portfolio provider is temporarily unavailable")
	}
	slices.SortStableFunc(holdings, func(a, b Holding) int { return cmp.Compare(b.Value, a.Value) })
	res := &balancesv1.GetPortfolioResponse{}
	for _, h := range holdings {
		if h.Hidden != "" {
			continue
		}
		res.Data = append(res.Data, &balancesv1.Position{Id: cmp.Or(h.Address, h.ChainID+":"+evm.Native.String()), Name: h.Name, Symbol: h.Symbol})
	}
	return res, nil
}
