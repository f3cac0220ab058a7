package meld

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
)

type quoteRequest struct {
	CountryCode             string      `json:"countryCode"`
	Subdivision             string      `json:"subdivision,omitempty"`
	SourceCurrencyCode      string      `json:"sourceCurrencyCode"`
	SourceAmount            json.Number `json:"sourceAmount"`
	DestinationCurrencyCode string      `json:"destinationCurrencyCode"`
	PaymentMethodType       string      `json:"paymentMethodType,omitempty"`
	WalletAddress           string      `json:"walletAddress,omitempty"`
}

// cryptoQuote is one seller's quote in Meld's form.
type cryptoQuote struct {
	ServiceProvider         string        `json:"serviceProvider"`
	TransactionType         string        `json:"transactionType"`
	PaymentMethodType       string        `json:"paymentMethodType"`
	SourceAmount            *wire.Decimal `json:"sourceAmount"`
	SourceCurrencyCode      string        `json:"sourceCurrencyCode"`
	SourceAmountWithoutFees *wire.Decimal `json:"sourceAmountWithoutFees"`
	FiatAmountWithoutFees   *wire.Decimal `json:"fiatAmountWithoutFees"`
	TotalFee                *wire.Decimal `json:"totalFee"`
	NetworkFee              *wire.Decimal `json:"networkFee"`
	TransactionFee          *wire.Decimal `json:"transactionFee"`
	PartnerFee              *wire.Decimal `json:"partnerFee"`
	DestinationAmount       *wire.Decimal `json:"destinationAmount"`
	DestinationCurrencyCode string        `json:"destinationCurrencyCode"`
}

// rounding is the tolerance between the fees and the amount without fees, because each is rounded separately.
var rounding = decimal.New(2, -2)

// Quotes returns one quote of each seller. Quotes that do not add up are left out.
func (m *Meld) Quotes(ctx context.Context, a ramp.Ask) ([]ramp.Quote, error) {
	country := cmp.Or(a.Country, usualCountry)
	options, err := m.Options(ctx, a.Region)
	if err != nil {
		return nil, err
	}
	coins, err := m.coinsIn(ctx, country)
	if err != nil {
		return nil, err
	}
	bought, err := find(coins, a.Symbol, a.ChainID)
	if err != nil {
		return nil, err
	}
	if err := wire.Within(options, a.Pay, wire.Method(a.Method)); err != nil {
		return nil, err
	}
	var answer struct {
		Quotes []cryptoQuote `json:"quotes"`
	}
	err = m.api.Post(ctx, "/payments/crypto/quote", quoteRequest{
		CountryCode: country, Subdivision: a.Subdivision, SourceCurrencyCode: a.Pay.Currency, SourceAmount: json.Number(a.Pay.Value.String()),
		DestinationCurrencyCode: bought.code, PaymentMethodType: method(a.Method), WalletAddress: a.Wallet,
	}, &answer)
	if err != nil {
		return nil, err
	}
	return m.chosen(ctx, a, bought, country, answer.Quotes)
}

// chosen returns the valid quotes of the requested sellers, one of each.
func (m *Meld) chosen(ctx context.Context, a ramp.Ask, bought coin, country string, received []cryptoQuote) ([]ramp.Quote, error) {
	var quotes []ramp.Quote
	broken := false
	for _, s := range received {
		q, err := s.quote(a, bought)
		twice := slices.ContainsFunc(quotes, func(other ramp.Quote) bool { return other.Seller == s.ServiceProvider })
		switch {
		case err != nil:
			broken = true
		case !twice && !slices.Contains(a.Without, q.Seller):
			q.Country, q.Title = country, m.title(ctx, q.Seller)
			quotes = append(quotes, q)
		}
	}
	switch {
	case len(quotes) > 0:
		return quotes, nil
	case broken:
		return nil, fmt.Errorf("%w: %w", ramp.ErrUnavailable, errQuote)
	}
	return nil, ramp.ErrUnsupported
}

var errQuote = errors.New("no quote is about the purchase, and adds up")

// quote converts the quote. It fails if the quote is not about the purchase, or does not add up.
func (s cryptoQuote) quote(a ramp.Ask, bought coin) (ramp.Quote, error) {
	subtotal, ok := s.subtotal()
	about := sellerForm.MatchString(s.ServiceProvider) && (s.TransactionType == "" || s.TransactionType == "CRYPTO_PURCHASE") &&
		strings.EqualFold(s.SourceCurrencyCode, a.Pay.Currency) && strings.EqualFold(s.DestinationCurrencyCode, bought.code)
	if !ok || !about || s.SourceAmount.GreaterThan(a.Pay.Value) || s.DestinationAmount == nil {
		return ramp.Quote{}, errQuote
	}
	money := func(value decimal.Decimal) ramp.Amount { return ramp.Amount{Value: value, Currency: a.Pay.Currency} }
	network := or0(s.NetworkFee)
	q := ramp.Quote{
		Seller: s.ServiceProvider, Method: wire.Method(cmp.Or(s.PaymentMethodType, a.Method)), ChainID: bought.network.ChainID,
		Total: money(s.SourceAmount.Decimal), Subtotal: money(subtotal), NetworkFee: money(network),
		// The remainder is the seller's fee, which includes those of Meld and of the partner.
		ProviderFee: money(s.SourceAmount.Sub(subtotal).Sub(network)),
		Purchase:    ramp.Amount{Value: s.DestinationAmount.Decimal, Currency: bought.symbol},
	}
	if !q.AddsUp() {
		return ramp.Quote{}, errQuote
	}
	return q, nil
}

// subtotal returns the amount without fees, and false if it contradicts the fees.
func (s cryptoQuote) subtotal() (decimal.Decimal, bool) {
	if s.SourceAmount == nil {
		return decimal.Decimal{}, false
	}
	fees := or0(s.NetworkFee).Add(or0(s.TransactionFee)).Add(or0(s.PartnerFee))
	itemized := s.NetworkFee != nil || s.TransactionFee != nil || s.PartnerFee != nil
	if s.TotalFee != nil {
		fees = s.TotalFee.Decimal
	}
	left := s.SourceAmount.Sub(fees)
	for _, said := range []*wire.Decimal{s.SourceAmountWithoutFees, s.FiatAmountWithoutFees} {
		if said == nil {
			continue
		}
		if (itemized || s.TotalFee != nil) && said.Sub(left).Abs().GreaterThan(rounding) {
			return decimal.Decimal{}, false
		}
		return said.Decimal, true
	}
	return left, itemized || s.TotalFee != nil
}

func or0(d *wire.Decimal) decimal.Decimal {
	if d == nil {
		return decimal.Decimal{}
	}
	return d.Decimal
}
