package balances

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/balances/evm"
	"github.com/hawser-dev/hawser/services/balances/prices"
)

// pricesTimeout bounds a reading of prices alone, which nobody should wait for as long as for a balance.
const pricesTimeout = 2 * time.Second

// Quote is the price of one token.
type Quote struct {
	// ID is the token's CAIP-10 id as the caller spells it.
	ID       string
	Name     string
	Symbol   string
	Icon     string
	Decimals uint8
	// Price is that of one whole unit in the currency asked.
	Price prices.Price
}

// Quotes prices tokens in the order asked; one that is not listed or whose price is not known is left out. The error is an
// [UnknownChainError], or wraps [ErrUnavailable] when no price at all could be read.
func (l *ledger) Quotes(ctx context.Context, currency string, list []TokenRef) ([]Quote, error) {
	networks, err := l.networks.Networks(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	sorted, err := byChain(networks, list)
	if err != nil {
		return nil, err
	}
	failure := l.refreshAll(ctx, currency, slices.Sorted(maps.Keys(sorted)))
	quotes := []Quote{}
	for _, f := range list {
		n, _ := onChain(networks, f.Asset.Chain)
		if q, ok := l.quote(n, currency, f); ok {
			quotes = append(quotes, q)
		}
	}
	if len(quotes) == 0 && failure != nil {
		return nil, failure
	}
	return quotes, nil
}

// refreshAll reads the feeds of the chains, and of those that their prices depend on, at once. The error is about the chains themselves.
func (l *ledger) refreshAll(ctx context.Context, currency string, chainIDs []string) error {
	var elsewhere []string
	for _, chainID := range chainIDs {
		elsewhere = append(elsewhere, l.prices.Elsewhere(chainID, currency)...)
	}
	slices.Sort(elsewhere)
	elsewhere = slices.DeleteFunc(slices.Compact(elsewhere), func(id string) bool { return slices.Contains(chainIDs, id) })
	defer l.readPrices(ctx, elsewhere)()
	errs := make([]error, len(chainIDs))
	var wg sync.WaitGroup
	for i, chainID := range chainIDs {
		wg.Go(func() { errs[i] = l.refresh(ctx, chainID) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (l *ledger) quote(n Network, currency string, f TokenRef) (Quote, bool) {
	s := nativeSubject(n)
	if f.Asset.Address != evm.Native {
		t, listed := l.tokens.Find(n.ChainID, f.Asset.Address)
		if !listed {
			return Quote{}, false
		}
		s = tokenSubject(n.ChainID, t)
	}
	price, known := l.prices.Price(prices.Asset{Chain: n.ChainID, Address: f.Asset.Address}, currency)
	q := Quote{ID: f.ID, Name: s.name, Symbol: s.symbol, Icon: s.icon, Decimals: s.decimals, Price: price}
	return q, known
}
