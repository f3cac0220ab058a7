package balances

import (
	"context"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/balances/solana"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
)

// solanaUnavailable is the public text of the error when no chain of Solana could be read.
const solanaUnavailable = "Requested namespace solana balance provider is temporarily unavailable"

// getSolanaBalance is GetBalance for Solana.
func (s *server) getSolanaBalance(ctx context.Context, owner request.Owner, r *balancesv1.GetBalanceRequest) (*balancesv1.GetBalanceResponse, error) {
	q := solanaQueryOf(owner, r.GetCurrency())
	var err error
	if q.Forced, err = parseSolanaAssets(forced(r)); err != nil {
		return nil, err
	}
	kept := cachecontrol.Policy{MaxAge: gatewayMaxAge, ChainID: q.ChainID, Head: s.solana.Cache.HeadOf(q.ChainID)}
	list, err := s.solana.Holdings(ctx, q)
	if err != nil {
		return nil, explain(err, "chainId", solanaUnavailable)
	}
	if q.ChainID != "" && len(q.Forced) == 0 {
		cachecontrol.Set(ctx, kept)
	}
	return &balancesv1.GetBalanceResponse{Balances: balances(list.Holdings, s.solana.Clock.Now()), More: more(list)}, nil
}

// readSolanaAccount is ReadAccount for Solana.
func (s *server) readSolanaAccount(ctx context.Context, owner request.Owner, r *balancesv1.ReadAccountRequest) (*balancesv1.ReadAccountResponse, error) {
	q := solanaQueryOf(owner, holdings.AccountCurrency)
	q.Watched = true
	list, err := s.solana.Holdings(ctx, q)
	if err != nil {
		return nil, explain(err, "chainId", solanaUnavailable)
	}
	s.noteChange(ctx, holdings.Key{ChainID: q.ChainID, Owner: q.Owner.String()}, r.GetBlock(), list.Holdings)
	res := &balancesv1.ReadAccountResponse{}
	for _, currency := range r.GetCurrencies() {
		held := s.solana.Convert(ctx, currency, list.Holdings)
		res.Lists = append(res.Lists, &balancesv1.PricedBalances{Currency: currency, Balances: balances(held, s.solana.Clock.Now()), More: more(list)})
	}
	return res, nil
}

// more returns true if an account holds further tokens, else nil.
func more(list solana.List) *bool {
	if !list.More {
		return nil
	}
	return &list.More
}
