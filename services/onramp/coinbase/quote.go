package coinbase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
)

// quoteRequest is the body of POST /v1/buy/quote.
type quoteRequest struct {
	PurchaseCurrency string `json:"purchaseCurrency"`
	PurchaseNetwork  string `json:"purchaseNetwork"`
	PaymentAmount    string `json:"paymentAmount"`
	PaymentCurrency  string `json:"paymentCurrency"`
	PaymentMethod    string `json:"paymentMethod"`
	Country          string `json:"country"`
	Subdivision      string `json:"subdivision,omitempty"`
}

// buyQuote is the response.
type buyQuote struct {
	PaymentTotal    money  `json:"paymentTotal"`
	PaymentSubtotal money  `json:"paymentSubtotal"`
	PurchaseAmount  money  `json:"purchaseAmount"`
	CoinbaseFee     money  `json:"coinbaseFee"`
	NetworkFee      money  `json:"networkFee"`
	QuoteID         string `json:"quoteId"`
}

// Quotes returns Coinbase's quote, for a card if no payment method is given.
func (c *Coinbase) Quotes(ctx context.Context, a ramp.Ask) ([]ramp.Quote, error) {
	at, method := usual(a.Region), cmp.Or(wire.Method(a.Method), wire.Card)
	options, err := c.Options(ctx, at)
	if err != nil {
		return nil, err
	}
	asset, network, err := find(options, a.Symbol, a.ChainID)
	if err != nil {
		return nil, err
	}
	if err := wire.Within(options, a.Pay, method); err != nil {
		return nil, err
	}
	var answer either[buyQuote]
	err = c.api.Post(ctx, "/v1/buy/quote", quoteRequest{
		PurchaseCurrency: asset.ID, PurchaseNetwork: network.Name, PaymentAmount: formatAmount(a.Pay.Value), PaymentCurrency: a.Pay.Currency,
		PaymentMethod: strings.ToUpper(method), Country: at.Country, Subdivision: at.Subdivision,
	}, &answer)
	if err != nil {
		return nil, err
	}
	quote, err := answer.is.quote(a, asset)
	if err != nil {
		return nil, err
	}
	quote.Method, quote.Country, quote.ChainID = method, at.Country, network.ChainID
	return []ramp.Quote{quote}, nil
}

var errQuote = errors.New("the quote is about something else, or does not add up")

// quote converts the quote. It fails if the quote is not about the purchase, or does not add up.
func (b buyQuote) quote(a ramp.Ask, asset ramp.Asset) (ramp.Quote, error) {
	q := ramp.Quote{ID: b.QuoteID, Seller: seller, Title: title}
	for into, from := range map[*ramp.Amount]money{
		&q.Total: b.PaymentTotal, &q.Subtotal: b.PaymentSubtotal, &q.ProviderFee: b.CoinbaseFee, &q.NetworkFee: b.NetworkFee, &q.Purchase: b.PurchaseAmount,
	} {
		if from.Value == nil {
			return ramp.Quote{}, fmt.Errorf("%w: an amount of the quote is missing", ramp.ErrUnavailable)
		}
		*into = ramp.Amount{Value: from.Value.Decimal, Currency: strings.ToUpper(from.Currency)}
	}
	if q.Total.Currency != a.Pay.Currency {
		return ramp.Quote{}, ramp.ErrUnsupported
	}
	if !isToken(b.PurchaseAmount.Currency, asset) || q.Total.Value.GreaterThan(a.Pay.Value) || !q.AddsUp() {
		return ramp.Quote{}, fmt.Errorf("%w: %w", ramp.ErrUnavailable, errQuote)
	}
	q.Purchase.Currency = asset.Symbol
	return q, nil
}

// isToken reports whether a response names the asset, by symbol or by id.
func isToken(named string, asset ramp.Asset) bool {
	return strings.EqualFold(named, asset.Symbol) || named == asset.ID
}
