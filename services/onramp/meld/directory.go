package meld

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/ramp"
)

// paths are where each list is.
var paths = map[ramp.Kind]string{
	ramp.Countries: countries, ramp.CryptoCurrencies: cryptoCurrencies, ramp.FiatCurrencies: fiatCurrencies, ramp.PaymentMethods: paymentMethods,
	ramp.FiatPurchasesLimits: purchaseLimits, ramp.CountriesDefaults: countryDefaults,
}

// Sellers are those that the key may use, as Meld lists them.
func (m *Meld) Sellers(ctx context.Context, countries []string) ([]json.RawMessage, error) {
	return m.list(ctx, serviceProviders, narrowed(countries...))
}

// Properties is a list as Meld has it.
func (m *Meld) Properties(ctx context.Context, kind ramp.Kind, f ramp.Filter) ([]json.RawMessage, error) {
	path, known := paths[kind]
	if !known {
		return nil, ramp.ErrUnsupported
	}
	query := narrowed(f.Countries...)
	if len(f.Without) > 0 {
		with, err := m.without(ctx, f.Without)
		if err != nil {
			return nil, err
		}
		if len(with) == 0 {
			return []json.RawMessage{}, nil
		}
		query.Set("serviceProviders", strings.Join(with, ","))
	}
	return m.list(ctx, path, query)
}

// without are all sellers but some: Meld can be told only whom to ask.
func (m *Meld) without(ctx context.Context, some []string) ([]string, error) {
	names, err := m.known(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(seller string) bool { return slices.Contains(some, seller) }), nil
}

func (m *Meld) list(ctx context.Context, path string, query url.Values) ([]json.RawMessage, error) {
	var all []json.RawMessage
	err := m.api.Get(ctx, path, query, &all)
	return all, err
}
