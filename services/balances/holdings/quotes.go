package holdings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// pricesTimeout bounds a read of prices alone.
const pricesTimeout = 2 * time.Second

// Quote is the price of one token.
type Quote struct {
	// ID is the token's CAIP-10 id in the caller's spelling.
	ID       string
	Name     string
	Symbol   string
	Icon     string
	Decimals uint8
	// Price is that of one whole unit in the requested currency.
	Price prices.Price
}

// Quotes returns prices of tokens in the order of list, without those that are unknown. The error is an [UnknownChainError], or wraps
// [ErrUnavailable] if no price could be read.
func (r *Reader) Quotes(ctx context.Context, currency string, list []TokenRef) ([]Quote, error) {
	networks, err := r.Networks.Networks(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	sorted, err := byChain(networks, list)
	if err != nil {
		return nil, err
	}
	failure := r.refreshAll(ctx, currency, slices.Sorted(maps.Keys(sorted)))
	if failure == nil {
		r.refreshTraded(ctx, sorted)
	}
	quotes := []Quote{}
	for _, f := range list {
		n, _ := onChain(networks, f.Asset.Chain)
		if q, ok := r.quote(n, currency, f, prices.Named(ctx)); ok {
			quotes = append(quotes, q)
		}
	}
	if len(quotes) == 0 && failure != nil {
		return nil, failure
	}
	return quotes, nil
}

// refreshAll reads the feeds of the chains, and of the chains that their prices depend on, concurrently. Only errors of the former are returned.
func (r *Reader) refreshAll(ctx context.Context, currency string, chainIDs []string) error {
	var others []string
	for _, chainID := range chainIDs {
		others = append(others, r.Prices.OtherChains(chainID, currency)...)
	}
	slices.Sort(others)
	others = slices.DeleteFunc(slices.Compact(others), func(id string) bool { return slices.Contains(chainIDs, id) })
	defer r.readPrices(ctx, others)()
	errs := make([]error, len(chainIDs))
	var wg routine.WaitGroup
	for i, chainID := range chainIDs {
		wg.Go(ctx, func() { errs[i] = r.refresh(ctx, chainID) }, func(err error) { errs[i] = err })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (r *Reader) quote(n Network, currency string, f TokenRef, d prices.Demand) (Quote, bool) {
	s, known := r.find(n, f)
	if !known {
		return Quote{}, false
	}
	price, known := r.Prices.Price(prices.Asset{Chain: n.ChainID, Address: f.Asset.Address}, currency, d)
	q := Quote{ID: f.ID, Name: s.name, Symbol: s.symbol, Icon: s.icon, Decimals: s.decimals, Price: price}
	return q, known
}

// refreshTraded prices tokens without a feed by their pools, on all chains concurrently.
func (r *Reader) refreshTraded(ctx context.Context, sorted map[string][]TokenRef) {
	ctx, cancel := context.WithTimeout(ctx, pricesTimeout)
	defer cancel()
	var wg routine.WaitGroup
	for chainID, list := range sorted {
		wg.Go(ctx, func() {
			r.findPools(ctx, chainID, list)
			r.pricePools(ctx, chainID, r.withoutFeed(ctx, chainID, list), false)
		})
	}
	wg.Wait()
}

// findPools reads name, symbol and decimals of unknown tokens, as far as they can be read.
func (r *Reader) findPools(ctx context.Context, chainID string, list []TokenRef) {
	var unknown []evm.Address
	for _, f := range list {
		_, listed := r.Tokens.Find(chainID, f.Asset.Address)
		if _, met := r.fact(f.Asset); !listed && !met && f.Asset.Address != evm.Native {
			unknown = append(unknown, f.Asset.Address)
		}
	}
	if len(unknown) == 0 {
		return
	}
	reading, err := r.Nodes.Read(ctx, chainID, evm.TokenFacts(unknown))
	if err != nil {
		return
	}
	for i, fact := range evm.ReadTokenFacts(reading.Answers) {
		r.storeFact(prices.Asset{Chain: chainID, Address: unknown[i]}, fact)
	}
}

// withoutFeed returns the tokens without a price feed.
func (r *Reader) withoutFeed(ctx context.Context, chainID string, list []TokenRef) []prices.Unit {
	var units []prices.Unit
	for _, f := range list {
		s, known := r.find(Network{ChainID: chainID}, f)
		if p, priced := r.Prices.Price(f.Asset, "usd", prices.Named(ctx)); known && f.Asset.Address != evm.Native && (!priced || p.Source == prices.SourcePool) {
			units = append(units, prices.Unit{Token: f.Asset.Address, Decimals: s.decimals})
		}
	}
	return units
}
