package solana

import (
	"context"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/balances/solprices"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// priced adds the price in US dollars to a holding.
func (r *Reader) priced(ctx context.Context, h holdings.Holding, mint svm.Address) holdings.Holding {
	if h.Price, h.Priced = r.Prices.Price(solprices.Asset{Chain: h.ChainID, Mint: mint}, prices.Held(ctx)); h.Priced {
		h.Appraise()
	}
	return h
}

// Convert returns holdings with prices in another currency than US dollars, sorted. Without a rate the prices are
// unknown.
func (r *Reader) Convert(ctx context.Context, currency string, held []holdings.Holding) []holdings.Holding {
	held = slices.Clone(held)
	if currency != holdings.AccountCurrency && len(held) > 0 {
		rate, known := r.Rate(ctx, currency)
		for i := range held {
			h := &held[i]
			if h.Priced = h.Priced && known; !h.Priced {
				h.Price.Amount, h.Value = 0, 0
				continue
			}
			h.Price, _ = h.Price.In(rate)
			h.Appraise()
		}
	}
	holdings.Sort(held)
	return held
}

// readFeeds starts to read the price accounts of a chain if they are stale; wait returns when they are read. Prices that cannot be read stay unknown.
func (r *Reader) readFeeds(ctx context.Context, chainID string) (wait func()) {
	due := r.Prices.FeedsDue(chainID)
	var wg routine.WaitGroup
	if len(due.Addresses) > 0 {
		wg.Go(ctx, func() {
			ctx, cancel := context.WithTimeout(ctx, pricesTimeout)
			defer cancel()
			if accounts, err := svm.ReadAccounts(ctx, r.Connect(chainID), due.Addresses, due.Size); err == nil {
				r.Prices.StoreFeeds(chainID, accounts)
			}
		})
	}
	return wg.Wait
}

// readPools reads the pools of tokens that have no feed or configured price.
func (r *Reader) readPools(ctx context.Context, chainID string, mints []svm.Address, described map[svm.Address]description) {
	ctx, cancel := context.WithTimeout(ctx, pricesTimeout)
	defer cancel()
	var units []solprices.Unit
	for _, mint := range mints {
		if d, ok := described[mint]; ok && !d.nft {
			units = append(units, solprices.Unit{Mint: mint, Decimals: d.decimals})
		}
	}
	r.Prices.ReadPools(ctx, r.Connect(chainID), chainID, units)
}

// Quotes returns prices of tokens in US dollars, in the order of list, without those that are unknown. The error is a
// [holdings.UnknownChainError], or wraps [holdings.ErrUnavailable] if no token could be read.
func (r *Reader) Quotes(ctx context.Context, list []Asset) ([]holdings.Quote, error) {
	networks, err := r.Networks.Networks(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", holdings.ErrUnavailable, err)
	}
	byChain := map[string][]svm.Address{}
	for _, a := range list {
		if _, served := find(networks, a.Chain); !served {
			return nil, &holdings.UnknownChainError{ID: a.Chain}
		}
		if a.Mint != svm.Native {
			byChain[a.Chain] = append(byChain[a.Chain], a.Mint)
		} else if byChain[a.Chain] == nil {
			byChain[a.Chain] = []svm.Address{}
		}
	}
	described := map[string]map[svm.Address]description{}
	var failure error
	for chainID, mints := range byChain {
		wait := r.readFeeds(ctx, chainID)
		soon, cancel := context.WithTimeout(ctx, pricesTimeout)
		found, err := r.describe(soon, chainID, mints)
		cancel()
		wait()
		if err != nil {
			failure = fmt.Errorf("%w: %s: %w", holdings.ErrUnavailable, chainID, err)
		}
		described[chainID] = found
		r.readPools(ctx, chainID, mints, found)
	}
	quotes := []holdings.Quote{}
	for _, a := range list {
		n, _ := find(networks, a.Chain)
		d, known := described[a.Chain][a.Mint]
		if a.Mint == svm.Native {
			d, known = description{name: n.Name, symbol: n.Symbol, decimals: n.Decimals}, true
		}
		if price, priced := r.Prices.Price(a.Asset, prices.Named(ctx)); known && priced {
			quotes = append(quotes, holdings.Quote{ID: a.ID, Name: d.name, Symbol: d.symbol, Icon: d.icon, Decimals: d.decimals, Price: price})
		}
	}
	if len(quotes) == 0 && failure != nil {
		return nil, failure
	}
	return quotes, nil
}
