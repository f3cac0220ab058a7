package meldtest

import (
	"encoding/json"
	"net/http"

	"github.com/shopspring/decimal"
)

// prices are used for US dollars and for euros, because tests do not compare the two.
var prices = map[string]decimal.Decimal{
	"USDC": decimal.NewFromInt(1), "USDC_BASE": decimal.NewFromInt(1), "USDC_SOLANA": decimal.NewFromInt(1), "ETH": decimal.NewFromInt(2500),
	"ETH_BASE": decimal.NewFromInt(2500), "SOL": decimal.NewFromInt(140),
}

// shares are the fees of each seller.
var shares = map[string]decimal.Decimal{"TRANSAK": decimal.RequireFromString("0.0299"), "BANXA": decimal.RequireFromString("0.0199")}

// sellers are in the order in which they quote.
var sellers = []string{"TRANSAK", "BANXA"}

var networkFee = decimal.RequireFromString("1.5")

func (s *Server) list(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		call := s.record(r)
		if call.Query.Get("categories") != "CRYPTO_ONRAMP" || call.Query.Get("accountFilter") != "true" {
			s.t.Errorf("%s was asked for more than the key may buy: %s", call.Path, r.URL.RawQuery)
		}
		if call.Query.Get("countries") == "KP" {
			write(w, http.StatusOK, []any{})
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(Fixture(s.t, name))
	}
}

func (s *Server) quotes(w http.ResponseWriter, r *http.Request) {
	call := s.record(r)
	for _, field := range []string{"countryCode", "sourceCurrencyCode", "destinationCurrencyCode"} {
		if text, _ := call.Body[field].(string); text == "" {
			s.t.Errorf("quotes were asked for without %s", field)
			refuse(w, http.StatusBadRequest, "BAD_REQUEST", "["+field+"] must not be blank")
			return
		}
	}
	number, isNumber := call.Body["sourceAmount"].(json.Number)
	total, err := decimal.NewFromString(number.String())
	code, _ := call.Body["destinationCurrencyCode"].(string)
	price, sold := prices[code]
	if !isNumber || err != nil || !sold {
		s.t.Errorf("quotes were asked for %v of %v", call.Body["sourceAmount"], code)
		refuse(w, http.StatusBadRequest, "INVALID_AMOUNT_OR_CURRENCY", "Invalid amount or currency")
		return
	}
	all := make([]any, 0, len(sellers))
	for _, seller := range sellers {
		q := s.quote(call.Body, seller, total, price)
		s.mu.Lock()
		change := s.change
		s.mu.Unlock()
		if change != nil {
			change(q)
		}
		all = append(all, q)
	}
	write(w, http.StatusOK, map[string]any{"quotes": all, "message": nil, "error": nil})
}

func (s *Server) quote(requested map[string]any, seller string, total, price decimal.Decimal) map[string]any {
	fee := total.Mul(shares[seller]).RoundUp(2)
	subtotal := total.Sub(fee).Sub(networkFee)
	q := s.load("quote")
	for name, amount := range map[string]decimal.Decimal{
		"sourceAmount": total, "sourceAmountWithoutFees": subtotal, "fiatAmountWithoutFees": subtotal, "totalFee": fee.Add(networkFee),
		"networkFee": networkFee, "transactionFee": fee, "partnerFee": {}, "destinationAmount": subtotal.DivRound(price, 18).RoundDown(8),
	} {
		s.set(q, name, json.Number(amount.String()))
	}
	for _, name := range []string{"sourceCurrencyCode", "destinationCurrencyCode", "countryCode", "paymentMethodType"} {
		s.set(q, name, requested[name])
	}
	if requested["paymentMethodType"] == nil {
		s.set(q, "paymentMethodType", "CREDIT_DEBIT_CARD")
	}
	s.set(q, "serviceProvider", seller)
	return q
}

func (s *Server) session(w http.ResponseWriter, r *http.Request) {
	call := s.record(r)
	data, _ := call.Body["sessionData"].(map[string]any)
	for _, field := range []string{"walletAddress", "countryCode", "sourceCurrencyCode", "sourceAmount", "destinationCurrencyCode", "serviceProvider"} {
		if text, _ := data[field].(string); text == "" {
			s.t.Errorf("a session was asked for without %s", field)
			refuse(w, http.StatusBadRequest, "BAD_REQUEST", "["+field+"] must not be blank")
			return
		}
	}
	if call.Body["sessionType"] != "BUY" {
		s.t.Errorf("a session was asked for to %v", call.Body["sessionType"])
	}
	const id, token = "WXDq7dUrVcXhw8fxXTs5qv", "WePYLDhjQ9xBCsedwgRGm5"
	write(w, http.StatusOK, map[string]any{
		"id": id, "token": token, "customerId": "W9k9TfNSJRZ6rDBe95bUA2", "externalCustomerId": call.Body["externalCustomerId"],
		"externalSessionId": call.Body["externalSessionId"], "widgetUrl": s.URL + "/widget?token=" + token, "serviceProviderWidgetUrl": nil,
	})
}
