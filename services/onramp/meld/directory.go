package meld

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// paths are the paths of the lists.
var paths = map[ramp.Kind]string{
	ramp.Countries: countries, ramp.CryptoCurrencies: cryptoCurrencies, ramp.FiatCurrencies: fiatCurrencies, ramp.PaymentMethods: paymentMethods,
	ramp.FiatPurchasesLimits: purchaseLimits, ramp.CountriesDefaults: countryDefaults,
}

// Sellers lists the sellers that the key may use, in Meld's form.
func (m *Meld) Sellers(ctx context.Context, countries []string) ([]json.RawMessage, error) {
	return m.list(ctx, serviceProviders, narrowed(countries...))
}

// Properties returns one list in Meld's form.
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

// without returns all sellers except the given ones, because Meld's filter can only include sellers.
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
