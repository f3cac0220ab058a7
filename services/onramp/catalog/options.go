// Package catalog requests options, quotes and lists from all on-ramp providers in parallel and joins their answers.
package catalog

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

const (
	// optionsLifetime is how long the options of a region are cached, and partialLifetime how long if a provider did
	// not answer.
	optionsLifetime, partialLifetime = 5 * time.Minute, 10 * time.Second
	// maxRegions bounds the cache; there are fewer regions.
	maxRegions = 1000
)

// Catalog caches the options of all providers by region.
type Catalog struct {
	sellers   Sellers
	onFailure func(provider string, err error)
	cache     *cache.Cache[ramp.Region, ramp.Options]
}

// NewCatalog returns an empty cache. onFailure is called with each provider that fails.
func NewCatalog(s Sellers, onFailure func(provider string, err error)) *Catalog {
	return &Catalog{sellers: s, onFailure: onFailure, cache: cache.New(cache.Options[ramp.Region, ramp.Options]{
		MaxEntries: maxRegions,
		LifetimeOf: func(o ramp.Options) time.Duration {
			if o.Partial {
				return partialLifetime
			}
			return optionsLifetime
		},
	})}
}

// Options returns what is sold in a region. It fails only if no provider answers. Concurrent callers share one request,
// which continues if a caller's context ends.
func (c *Catalog) Options(ctx context.Context, at ramp.Region) (ramp.Options, error) {
	return c.cache.GetOrLoad(context.WithoutCancel(ctx), at, func(ctx context.Context) (ramp.Options, error) { return c.load(ctx, at) })
}

func (c *Catalog) load(ctx context.Context, at ramp.Region) (ramp.Options, error) {
	all := QueryAll(ctx, c.sellers, func(ctx context.Context, l ramp.Lister) (ramp.Options, error) { return l.Options(ctx, at) })
	var o ramp.Options
	var failures []error
	for _, s := range all {
		if s.Err != nil {
			c.onFailure(s.Provider.Name(), s.Err)
			failures = append(failures, s.Err)
			o.Partial = o.Partial || !errors.Is(s.Err, ramp.ErrUnsupported)
			continue
		}
		o = merged(o, s.Value)
	}
	if len(failures) == len(all) {
		return ramp.Options{}, mostHelpful(failures)
	}
	return o, nil
}

// merged returns the union of options: every network of a token, and the widest limits of a currency.
func merged(a, b ramp.Options) ramp.Options {
	all := ramp.Options{Assets: slices.Clone(a.Assets), Currencies: slices.Clone(a.Currencies), Partial: a.Partial || b.Partial}
	for _, asset := range b.Assets {
		i := slices.IndexFunc(all.Assets, func(other ramp.Asset) bool { return strings.EqualFold(other.Symbol, asset.Symbol) })
		if i < 0 {
			all.Assets = append(all.Assets, asset)
			continue
		}
		all.Assets[i].Networks = mergedNetworks(all.Assets[i].Networks, asset.Networks)
	}
	for _, currency := range b.Currencies {
		i := slices.IndexFunc(all.Currencies, func(other ramp.Currency) bool { return other.ID == currency.ID })
		if i < 0 {
			all.Currencies = append(all.Currencies, currency)
			continue
		}
		all.Currencies[i].Limits = mergedLimits(all.Currencies[i].Limits, currency.Limits)
	}
	return all
}

func mergedNetworks(a, b []ramp.Network) []ramp.Network {
	all := slices.Clone(a)
	for _, n := range b {
		known := func(other ramp.Network) bool { return other.ChainID == n.ChainID }
		if !slices.ContainsFunc(all, known) {
			all = append(all, n)
		}
	}
	return all
}

func mergedLimits(a, b []ramp.Limit) []ramp.Limit {
	all := slices.Clone(a)
	for _, l := range b {
		i := slices.IndexFunc(all, func(other ramp.Limit) bool { return other.Method == l.Method })
		if i < 0 {
			all = append(all, l)
			continue
		}
		all[i].Min, all[i].Max = decimal.Min(all[i].Min, l.Min), decimal.Max(all[i].Max, l.Max)
	}
	return all
}
