package onramp

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func optionsToProto(o ramp.Options) *onrampv1.GetOptionsResponse {
	res := &onrampv1.GetOptionsResponse{}
	for _, a := range o.Assets {
		currency := &onrampv1.PurchaseCurrency{Id: a.ID, Name: a.Name, Symbol: a.Symbol}
		for _, n := range a.Networks {
			currency.Networks = append(currency.Networks, &onrampv1.PurchaseNetwork{
				Name: n.Name, DisplayName: n.Title, ChainId: reference(n.ChainID), ContractAddress: n.Contract, Caip2: n.ChainID,
			})
		}
		res.PurchaseCurrencies = append(res.PurchaseCurrencies, currency)
	}
	for _, c := range o.Currencies {
		res.PaymentCurrencies = append(res.PaymentCurrencies, &onrampv1.PaymentCurrency{Id: c.ID, PaymentMethodLimits: limitsToProto(c.Limits)})
	}
	return res
}

func buyOptionsToProto(o ramp.Options) *onrampv1.ListBuyOptionsResponse {
	res := &onrampv1.ListBuyOptionsResponse{}
	for _, c := range o.Currencies {
		res.PaymentCurrencies = append(res.PaymentCurrencies, &onrampv1.BuyPaymentCurrency{Id: c.ID, Limits: limitsToProto(c.Limits)})
	}
	for _, a := range o.Assets {
		currency := &onrampv1.BuyPurchaseCurrency{Id: a.ID, Name: a.Name, Symbol: a.Symbol}
		for _, n := range a.Networks {
			currency.Networks = append(currency.Networks, &onrampv1.BuyNetwork{
				Name: n.Name, DisplayName: n.Title, ContractAddress: n.Contract, ChainId: reference(n.ChainID),
			})
		}
		res.PurchaseCurrencies = append(res.PurchaseCurrencies, currency)
	}
	return res
}

func limitsToProto(limits []ramp.Limit) []*onrampv1.PaymentLimit {
	var all []*onrampv1.PaymentLimit
	for _, l := range limits {
		all = append(all, &onrampv1.PaymentLimit{Id: l.Method, Min: money(l.Min), Max: money(l.Max)})
	}
	return all
}

func quoteToProto(q ramp.Quote) *onrampv1.GetQuoteResponse {
	return &onrampv1.GetQuoteResponse{
		PaymentTotal: moneyToProto(q.Total), PaymentSubtotal: moneyToProto(q.Subtotal), PurchaseAmount: moneyToProto(q.Purchase),
		CoinbaseFee: moneyToProto(q.ProviderFee), NetworkFee: moneyToProto(q.NetworkFee), QuoteId: q.ID, ServiceProvider: q.Seller,
	}
}

func buyQuoteToProto(q ramp.Quote) *onrampv1.GetBuyQuoteResponse {
	money := func(a ramp.Amount) *onrampv1.BuyMoney {
		m := moneyToProto(a)
		return &onrampv1.BuyMoney{Value: m.GetAmount(), Currency: m.GetCurrency()}
	}
	return &onrampv1.GetBuyQuoteResponse{
		PaymentTotal: money(q.Total), PaymentSubTotal: money(q.Subtotal), PurchaseAmount: money(q.Purchase),
		CoinbaseFee: money(q.ProviderFee), NetworkFee: money(q.NetworkFee), QuoteId: q.ID,
	}
}

const purchaseType = "CRYPTO_PURCHASE"

func sellerQuoteToProto(q ramp.Quote, code string, sandbox bool) *onrampv1.SellerQuote {
	kind := purchaseType
	fees := q.ProviderFee.Value.Add(q.NetworkFee.Value)
	rate := q.Total.Value.DivRound(q.Purchase.Value, 18)
	without := q.Purchase.Value.Mul(q.Total.Value)
	if q.Subtotal.Value.IsPositive() {
		without = without.DivRound(q.Subtotal.Value, 18)
	}
	res := &onrampv1.SellerQuote{
		DestinationAmount: shown(q.Purchase.Value), DestinationCurrencyCode: code, SourceAmount: shown(q.Total.Value), SourceCurrencyCode: &q.Total.Currency,
		CountryCode: given(q.Country), DestinationAmountWithoutFees: number(without), ExchangeRate: number(rate),
		FiatAmountWithoutFees: number(q.Subtotal.Value), NetworkFee: number(q.NetworkFee.Value), PaymentMethodType: given(q.Method),
		ServiceProvider: given(q.Seller), SourceAmountWithoutFees: number(q.Subtotal.Value), TotalFee: number(fees),
		TransactionFee: number(q.ProviderFee.Value), TransactionType: &kind,
		Exact: &onrampv1.ExactQuote{
			Title: q.Title, ChainId: q.ChainID, PaymentTotal: moneyToProto(q.Total), PaymentSubtotal: moneyToProto(q.Subtotal),
			ProviderFee: moneyToProto(q.ProviderFee), NetworkFee: moneyToProto(q.NetworkFee), PurchaseAmount: moneyToProto(q.Purchase), Sandbox: sandbox,
		},
	}
	if !q.Expires.IsZero() {
		res.Exact.ExpiresAt = written(q.Expires)
	}
	return res
}

// moneyToProto returns an exact amount, with at least two decimal places.
func moneyToProto(a ramp.Amount) *onrampv1.Money {
	return &onrampv1.Money{Amount: money(a.Value), Currency: a.Currency}
}

func money(value decimal.Decimal) string { return ramp.Format(value) }

// reference returns the second part of a CAIP-2 id.
func reference(chainID string) string {
	_, reference, _ := strings.Cut(chainID, ":")
	return reference
}

// shown returns a number for display.
func shown(value decimal.Decimal) float64 { return value.InexactFloat64() }

func number(value decimal.Decimal) *float64 {
	n := shown(value)
	return &n
}

func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func written(t time.Time) string { return t.UTC().Format(time.RFC3339) }
