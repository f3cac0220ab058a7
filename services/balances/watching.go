package balances

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/onramp/proof"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/run"
)

// WatchAccount sends what an account holds, now and whenever it changes, until the caller leaves.
func (s *Server) WatchAccount(r *balancesv1.WatchAccountRequest, stream grpc.ServerStreamingServer[balancesv1.WatchAccountResponse]) error {
	account, err := readAsk(&balancesv1.GetBalanceRequest{Address: r.GetAddress(), ChainId: r.GetChainId(), Currency: r.GetCurrency()})
	if err != nil {
		return err
	}
	if account.ChainID == "" {
		return apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "chainId", "One chain is to be named")
	}
	// One reading serves the watchers of every currency.
	key := cacheKey{chainID: account.ChainID, owner: account.Owner, currency: watchedCurrency}
	release, err := limit.Acquire(stream.Context(), s.limiter, s.share, "watched accounts")
	if err != nil {
		return err
	}
	defer release()
	who := caller.From(stream.Context())
	watcher := s.watches.join(who, key)
	watcher.proofs = proof.Digests(who.OrderTokens)
	defer watcher.leave()
	for {
		c, err := watcher.next(stream.Context())
		if stream.Context().Err() != nil {
			return nil // the caller left, which is how every stream ends
		}
		if err != nil {
			return explain(err, "chainId", unavailableText)
		}
		c.holdings = s.ledger.in(stream.Context(), account.ChainID, account.Currency, c.holdings)
		if err := run.Send(stream, c.message(s.ledger.clock.Now()), s.watches.pauses.patience); err != nil {
			return err
		}
	}
}

func (c change) message(now time.Time) *balancesv1.WatchAccountResponse {
	m := &balancesv1.WatchAccountResponse{Block: c.block}
	switch {
	case c.listed:
		m.Change = &balancesv1.WatchAccountResponse_Balances{Balances: &balancesv1.Balances{Balances: balances(c.holdings, now)}}
	case c.activity:
		m.Change = &balancesv1.WatchAccountResponse_Activity{Activity: &balancesv1.ActivityChange{}}
	case c.identity:
		m.Change = &balancesv1.WatchAccountResponse_Identity{Identity: &balancesv1.IdentityChange{}}
	case c.ordered:
		m.Change = &balancesv1.WatchAccountResponse_Orders{Orders: &balancesv1.OrderChange{OrderId: c.order}}
	default:
		m.Change = &balancesv1.WatchAccountResponse_Alive{Alive: &balancesv1.Alive{}}
	}
	return m
}

// OnActivity tells that the histories of accounts, by CAIP-10 id, have other rows than before since a block.
func (s *Server) OnActivity(accounts []string, block uint64) {
	for _, id := range accounts {
		account, err := caip.ParseAccount(id)
		if err != nil {
			continue
		}
		if owner, err := evm.ParseAddress(account.Address); err == nil {
			s.watches.onActivity(account.Chain.String(), owner, block)
		}
	}
}

// OnIdentity tells that accounts, by address, may have other names or pictures than before.
func (s *Server) OnIdentity(addresses ...string) {
	for _, address := range addresses {
		if owner, err := evm.ParseAddress(address); err == nil {
			s.watches.onIdentity(owner)
		}
	}
}

// OnOrder tells those who watch an account, by address, and have the token of a purchase that it moved; proof is the token's digest.
func (s *Server) OnOrder(address, orderID, proof string) {
	if owner, err := evm.ParseAddress(address); err == nil {
		s.watches.onOrder(owner, orderID, proof)
	}
}

// OnMissed tells that events were lost: any account may have changed in any way.
func (s *Server) OnMissed() { s.watches.onMissed() }

// watchedCurrency is what watched accounts are counted in; watchers are told in their own.
const watchedCurrency = "usd"

// in counts holdings of a chain in another currency.
func (l *ledger) in(ctx context.Context, chainID, currency string, holdings []Holding) []Holding {
	if currency == watchedCurrency || len(holdings) == 0 {
		return holdings
	}
	l.readPrices(ctx, l.prices.Elsewhere(chainID, currency))()
	holdings = slices.Clone(holdings)
	for i := range holdings {
		h := &holdings[i]
		h.Value = 0
		if h.Price, h.Priced = l.prices.Price(h.asset, currency); h.Priced {
			h.Value = Value(h.Units, h.Decimals, h.Price.Amount)
		}
	}
	sortHoldings(holdings)
	return holdings
}

// readWatched reads an account past anything kept.
func (l *ledger) readWatched(ctx context.Context, key cacheKey) ([]Holding, error) {
	l.cache.drop(key)
	return l.Holdings(ctx, Ask{Owner: key.owner, Currency: key.currency, ChainID: key.chainID, Watched: true})
}

// tellChange publishes that an account's balances changed. The id is the same wherever the same change is seen.
func (s *Server) tellChange(ctx context.Context, key cacheKey, block uint64, holdings []Holding) {
	account := key.chainID + ":" + strings.ToLower(key.owner.String())
	amounts := fnv.New64a()
	for _, h := range holdings {
		_, _ = fmt.Fprintln(amounts, h.Address, h.Units)
	}
	id := fmt.Sprintf("%s/%d/%x", account, block, amounts.Sum64())
	if err := s.events.PublishID(ctx, id, &balancesv1.BalanceChanged{Account: account, Block: block}); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "a changed balance was not told", "account", account, "error", err)
	}
}
