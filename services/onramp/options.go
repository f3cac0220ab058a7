package onramp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/ramp"
)

const (
	// keepOptions is how long it is kept what is sold in a place, and keepPart how long where a provider did not answer.
	keepOptions, keepPart = 5 * time.Minute, 10 * time.Second
	// placesKept bounds how many places are remembered: there are fewer.
	placesKept = 1000
)

// market knows what is sold where, over all providers.
type market struct {
	sellers sellers
	told    func(provider string, err error)
	kept    *otter.Cache[ramp.Place, ramp.Options]
}

func newMarket(s sellers, told func(provider string, err error)) *market {
	return &market{sellers: s, told: told, kept: otter.Must(&otter.Options[ramp.Place, ramp.Options]{
		MaximumSize: placesKept,
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[ramp.Place, ramp.Options]) time.Duration {
			if e.Value.Partial {
				return keepPart
			}
			return keepOptions
		}),
	})}
}

// Options returns what is sold in a place. It fails only when no provider answers. Callers of the same moment share one question, so that
// none who leaves ends it.
func (m *market) Options(ctx context.Context, at ramp.Place) (ramp.Options, error) {
	return m.kept.Get(context.WithoutCancel(ctx), at, otter.LoaderFunc[ramp.Place, ramp.Options](m.ask))
}

func (m *market) ask(ctx context.Context, at ramp.Place) (ramp.Options, error) {
	all := everyone(ctx, m.sellers, func(ctx context.Context, l ramp.Lister) (ramp.Options, error) { return l.Options(ctx, at) })
	var o ramp.Options
	var failures []error
	for _, s := range all {
		if s.err != nil {
			m.told(s.by.Name(), s.err)
			failures = append(failures, s.err)
			o.Partial = o.Partial || !errors.Is(s.err, ramp.ErrUnsupported)
			continue
		}
		o = merged(o, s.is)
	}
	if len(failures) == len(all) {
		return ramp.Options{}, worst(failures)
	}
	return o, nil
}

// merged is what is sold by either: of one token, every network; of one currency, the widest limits.
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
