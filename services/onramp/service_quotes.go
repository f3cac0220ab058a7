package onramp

import (
	"context"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/ramp"
)

// GetOptions lists what can be bought and with what.
func (s *server) GetOptions(ctx context.Context, r *onrampv1.GetOptionsRequest) (*onrampv1.GetOptionsResponse, error) {
	at, err := parseRegion("country", r.GetCountry(), r.GetSubdivision())
	if err != nil {
		return nil, err
	}
	o, err := s.catalog.Options(ctx, at)
	if err != nil {
		return nil, explain("", err)
	}
	return optionsToProto(o), nil
}

// ListBuyOptions returns the same for a country, in another form.
func (s *server) ListBuyOptions(ctx context.Context, r *onrampv1.ListBuyOptionsRequest) (*onrampv1.ListBuyOptionsResponse, error) {
	if r.GetCountry() == "" {
		return nil, missing("country")
	}
	at, err := parseRegion("country", r.GetCountry(), r.GetSubdivision())
	if err != nil {
		return nil, err
	}
	o, err := s.catalog.Options(ctx, at)
	if err != nil {
		return nil, explain("", err)
	}
	return buyOptionsToProto(o), nil
}

// GetQuote returns the best quote.
func (s *server) GetQuote(ctx context.Context, r *onrampv1.GetQuoteRequest) (*onrampv1.GetQuoteResponse, error) {
	q, err := s.best(ctx, described{
		tokenField: "purchaseCurrency", token: named(r.GetPurchaseCurrency()), network: r.GetNetwork(),
		amountField: "amount", amount: moneyText(r.GetAmount()),
		currencyField: "paymentCurrency", currency: named(r.GetPaymentCurrency()),
		countryField: "country", country: r.GetCountry(), subdivision: r.GetSubdivision(),
		methodField: "paymentMethod", method: r.GetPaymentMethod(),
	})
	if err != nil {
		return nil, err
	}
	return quoteToProto(q), nil
}

// GetBuyQuote returns the same for a country, in another form.
func (s *server) GetBuyQuote(ctx context.Context, r *onrampv1.GetBuyQuoteRequest) (*onrampv1.GetBuyQuoteResponse, error) {
	for _, given := range []struct{ field, value string }{
		{"purchaseCurrency", r.GetPurchaseCurrency()}, {"paymentAmount", r.GetPaymentAmount()}, {"paymentCurrency", r.GetPaymentCurrency()},
		{"paymentMethod", r.GetPaymentMethod()}, {"country", r.GetCountry()},
	} {
		if given.value == "" {
			return nil, missing(given.field)
		}
	}
	q, err := s.best(ctx, described{
		tokenField: "purchaseCurrency", token: r.GetPurchaseCurrency(), network: r.GetPurchaseNetwork(),
		amountField: "paymentAmount", amount: r.GetPaymentAmount(),
		currencyField: "paymentCurrency", currency: r.GetPaymentCurrency(),
		countryField: "country", country: r.GetCountry(), subdivision: r.GetSubdivision(),
		methodField: "paymentMethod", method: r.GetPaymentMethod(),
	})
	if err != nil {
		return nil, err
	}
	return buyQuoteToProto(q), nil
}

// ListQuotes returns the quotes of all sellers.
func (s *server) ListQuotes(ctx context.Context, r *onrampv1.ListQuotesRequest) (*onrampv1.ListQuotesResponse, error) {
	country := r.GetCountryCode()
	if country == "" {
		country = defaultCountry
	}
	a, err := s.parseAsk(ctx, described{
		tokenField: "destinationCurrencyCode", token: r.GetDestinationCurrencyCode(), chainID: r.GetChainId(),
		amountField: "sourceAmount", amount: moneyText(r.GetSourceAmount()),
		currencyField: "sourceCurrencyCode", currency: r.GetSourceCurrencyCode(),
		countryField: "countryCode", country: country, subdivision: r.GetSubdivision(),
		methodField: "paymentMethodType", method: r.GetPaymentMethodType(),
		walletField: "walletAddress", wallet: r.GetWalletAddress(),
		excludeField: "excludeProviders", exclude: r.GetExcludeProviders(),
	})
	if err != nil {
		return nil, err
	}
	quotes, err := s.catalog.Quotes(ctx, a)
	if err != nil {
		return nil, explain("sourceAmount", err)
	}
	res := &onrampv1.ListQuotesResponse{}
	for _, q := range quotes {
		res.Quotes = append(res.Quotes, sellerQuoteToProto(q, r.GetDestinationCurrencyCode(), s.plays(ctx, q.Seller)))
	}
	return res, nil
}

// best returns the best quote.
func (s *server) best(ctx context.Context, d described) (ramp.Quote, error) {
	a, err := s.parseAsk(ctx, d)
	if err != nil {
		return ramp.Quote{}, err
	}
	quotes, err := s.catalog.Quotes(ctx, a)
	if err != nil {
		return ramp.Quote{}, explain(d.amountField, err)
	}
	return quotes[0], nil
}

// plays reports whether a seller is of the sandbox.
func (s *server) plays(ctx context.Context, seller string) bool {
	p, _, ok := s.sellers.behind(ctx, seller)
	return ok && p.Profile().Sandbox
}

// parseAsk parses a described purchase.
func (s *server) parseAsk(ctx context.Context, d described) (ramp.Ask, error) {
	return parseAsk(d, func(at ramp.Region) (ramp.Options, error) {
		known, err := s.catalog.Options(ctx, at)
		return known, explain("", err)
	})
}
