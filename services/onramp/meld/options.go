package meld

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
)

// Paths of the lists.
const (
	serviceProviders = "/service-providers"
	countries        = "/service-providers/properties/countries"
	cryptoCurrencies = "/service-providers/properties/crypto-currencies"
	fiatCurrencies   = "/service-providers/properties/fiat-currencies"
	paymentMethods   = "/service-providers/properties/payment-methods"
	purchaseLimits   = "/service-providers/limits/fiat-currency-purchases"
	countryDefaults  = "/service-providers/properties/defaults/by-country"
)

// usualCountry is the default country, as it is Meld's.
const usualCountry = "US"

// narrowed returns the query for what the key may buy in some countries.
func narrowed(countries ...string) url.Values {
	query := url.Values{"categories": {"CRYPTO_ONRAMP"}, "accountFilter": {"true"}}
	if in := strings.Join(countries, ","); in != "" {
		query.Set("countries", in)
	}
	return query
}

type purchaseLimit struct {
	CurrencyCode  string        `json:"currencyCode"`
	MinimumAmount *wire.Decimal `json:"minimumAmount"`
	MaximumAmount *wire.Decimal `json:"maximumAmount"`
}

// Options returns what is sold in a country, cached for an hour. Meld has limits by currency; they are returned for
// every payment method.
func (m *Meld) Options(ctx context.Context, at ramp.Region) (ramp.Options, error) {
	country := cmp.Or(at.Country, usualCountry)
	return m.options.Get(ctx, country, func(ctx context.Context) (ramp.Options, error) {
		coins, err := m.coinsIn(ctx, country)
		if err != nil {
			return ramp.Options{}, err
		}
		var methods []struct {
			PaymentMethod string `json:"paymentMethod"`
		}
		if err := m.api.Get(ctx, paymentMethods, narrowed(country), &methods); err != nil {
			return ramp.Options{}, err
		}
		var limits []purchaseLimit
		if err := m.api.Get(ctx, purchaseLimits, narrowed(country), &limits); err != nil {
			return ramp.Options{}, err
		}
		o := ramp.Options{Assets: assets(coins)}
		for _, l := range limits {
			if l.CurrencyCode == "" || l.MinimumAmount == nil || l.MaximumAmount == nil || l.MinimumAmount.GreaterThan(l.MaximumAmount.Decimal) {
				continue
			}
			paid := ramp.Currency{ID: strings.ToUpper(l.CurrencyCode)}
			for _, method := range methods {
				paid.Limits = append(paid.Limits, ramp.Limit{
					Method: wire.Method(method.PaymentMethod), Min: l.MinimumAmount.Decimal, Max: l.MaximumAmount.Decimal,
				})
			}
			o.Currencies = append(o.Currencies, paid)
		}
		if len(o.Assets) == 0 || len(o.Currencies) == 0 || len(methods) == 0 {
			return ramp.Options{}, ramp.ErrUnsupported
		}
		return o, nil
	})
}

// assets returns the coins by symbol, each with its networks; of two coins on one network, the first is used.
func assets(coins []coin) []ramp.Asset {
	var all []ramp.Asset
	for _, c := range coins {
		i := slices.IndexFunc(all, func(a ramp.Asset) bool { return a.Symbol == c.symbol })
		if i < 0 {
			i = len(all)
			all = append(all, ramp.Asset{ID: c.code, Name: cmp.Or(c.name, c.symbol), Symbol: c.symbol})
		}
		if _, there := all[i].On(c.network.ChainID); !there {
			all[i].Networks = append(all[i].Networks, c.network)
		}
	}
	return all
}

// method returns a payment method in Meld's spelling.
func method(name string) string {
	switch name = wire.Method(name); name {
	case wire.Card:
		return "CREDIT_DEBIT_CARD"
	case wire.ACH:
		return "ACH"
	}
	return strings.ToUpper(name)
}
