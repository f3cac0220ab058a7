package onramp

import (
	"context"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/buy"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// GetOptions lists what can be bought and with what.
func (s *server) GetOptions(ctx context.Context, r *onrampv1.GetOptionsRequest) (*onrampv1.GetOptionsResponse, error) {
	at, err := buy.ParseRegion("country", r.GetCountry(), r.GetSubdivision())
	if err != nil {
		return nil, err
	}
	o, err := s.catalog.Options(ctx, at)
	if err != nil {
		return nil, buy.Explain("", err)
	}
	return optionsToProto(o), nil
}

// ListBuyOptions returns the same for a country, in another form.
func (s *server) ListBuyOptions(ctx context.Context, r *onrampv1.ListBuyOptionsRequest) (*onrampv1.ListBuyOptionsResponse, error) {
	if r.GetCountry() == "" {
		return nil, missing("country")
	}
	at, err := buy.ParseRegion("country", r.GetCountry(), r.GetSubdivision())
	if err != nil {
		return nil, err
	}
	o, err := s.catalog.Options(ctx, at)
	if err != nil {
		return nil, buy.Explain("", err)
	}
	return buyOptionsToProto(o), nil
}

// GetQuote returns the best quote.
func (s *server) GetQuote(ctx context.Context, r *onrampv1.GetQuoteRequest) (*onrampv1.GetQuoteResponse, error) {
	q, err := s.best(ctx, buy.Description{
		TokenField: "purchaseCurrency", Token: buy.SymbolOf(r.GetPurchaseCurrency()), Network: r.GetNetwork(),
		AmountField: "amount", Amount: buy.MoneyText(r.GetAmount()),
		CurrencyField: "paymentCurrency", Currency: buy.SymbolOf(r.GetPaymentCurrency()),
		CountryField: "country", Country: r.GetCountry(), Subdivision: r.GetSubdivision(),
		MethodField: "paymentMethod", Method: r.GetPaymentMethod(),
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
	q, err := s.best(ctx, buy.Description{
		TokenField: "purchaseCurrency", Token: r.GetPurchaseCurrency(), Network: r.GetPurchaseNetwork(),
		AmountField: "paymentAmount", Amount: r.GetPaymentAmount(),
		CurrencyField: "paymentCurrency", Currency: r.GetPaymentCurrency(),
		CountryField: "country", Country: r.GetCountry(), Subdivision: r.GetSubdivision(),
		MethodField: "paymentMethod", Method: r.GetPaymentMethod(),
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
		country = buy.DefaultCountry
	}
	a, err := s.parseAsk(ctx, buy.Description{
		TokenField: "destinationCurrencyCode", Token: r.GetDestinationCurrencyCode(), ChainID: r.GetChainId(),
		AmountField: "sourceAmount", Amount: buy.MoneyText(r.GetSourceAmount()),
		CurrencyField: "sourceCurrencyCode", Currency: r.GetSourceCurrencyCode(),
		CountryField: "countryCode", Country: country, Subdivision: r.GetSubdivision(),
		MethodField: "paymentMethodType", Method: r.GetPaymentMethodType(),
		WalletField: "walletAddress", Wallet: r.GetWalletAddress(),
		ExcludeField: "excludeProviders", Exclude: r.GetExcludeProviders(),
	})
	if err != nil {
		return nil, err
	}
	quotes, err := s.catalog.Quotes(ctx, a)
	if err != nil {
		return nil, buy.Explain("sourceAmount", err)
	}
	res := &onrampv1.ListQuotesResponse{}
	for _, q := range quotes {
		res.Quotes = append(res.Quotes, sellerQuoteToProto(q, r.GetDestinationCurrencyCode(), s.isSandboxSeller(ctx, q.Seller)))
	}
	return res, nil
}

// best returns the best quote.
func (s *server) best(ctx context.Context, d buy.Description) (ramp.Quote, error) {
	a, err := s.parseAsk(ctx, d)
	if err != nil {
		return ramp.Quote{}, err
	}
	quotes, err := s.catalog.Quotes(ctx, a)
	if err != nil {
		return ramp.Quote{}, buy.Explain(d.AmountField, err)
	}
	return quotes[0], nil
}

// isSandboxSeller reports whether a seller belongs to the sandbox.
func (s *server) isSandboxSeller(ctx context.Context, seller string) bool {
	p, _, ok := s.sellers.ProviderOf(ctx, seller)
	return ok && p.Profile().Sandbox
}

// parseAsk parses a described purchase.
func (s *server) parseAsk(ctx context.Context, d buy.Description) (ramp.Ask, error) {
	return buy.Parse(d, func(at ramp.Region) (ramp.Options, error) {
		known, err := s.catalog.Options(ctx, at)
		return known, buy.Explain("", err)
	})
}
