package coinbasetest

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// prices are used for US dollars and for euros, because tests do not compare the two.
var prices = map[string]decimal.Decimal{
	"2b92315d-eab7-5bef-84fa-089a131333f5": decimal.NewFromInt(1),
	"d85dce9b-5b73-5c3c-8978-522ce1d1c1b4": decimal.NewFromInt(2500),
}

var (
	feeShare   = decimal.RequireFromString("0.0149")
	networkFee = decimal.RequireFromString("0.19")
)

func (s *Server) options(w http.ResponseWriter, r *http.Request) {
	call := s.record(r)
	country := call.Query.Get("country")
	switch {
	case len(country) != 2 || strings.ToUpper(country) != country:
		s.t.Errorf("options were asked for the country %q", country)
		refuse(w, http.StatusBadRequest, "invalid country")
	case country == "KP":
		write(w, http.StatusOK, map[string]any{"payment_currencies": []any{}, "purchase_currencies": []any{}})
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(Fixture(s.t, "options"))
	}
}

func (s *Server) quote(w http.ResponseWriter, r *http.Request) {
	call := s.record(r)
	for _, field := range []string{"purchaseCurrency", "paymentAmount", "paymentCurrency", "paymentMethod", "country"} {
		if text, _ := call.Body[field].(string); text == "" {
			s.t.Errorf("a quote was asked for without %s", field)
			refuse(w, http.StatusBadRequest, "missing "+field)
			return
		}
	}
	currency, _ := call.Body["purchaseCurrency"].(string)
	text, _ := call.Body["paymentAmount"].(string)
	price, sold := prices[currency]
	total, err := decimal.NewFromString(text)
	if !sold || err != nil {
		refuse(w, http.StatusBadRequest, "invalid purchase currency or payment amount")
		return
	}
	fee := total.Mul(feeShare).RoundUp(2)
	subtotal := total.Sub(fee).Sub(networkFee)
	paid, _ := call.Body["paymentCurrency"].(string)
	d := load(s.t, "quote")
	for field, amount := range map[string]decimal.Decimal{"payment_total": total, "payment_subtotal": subtotal, "coinbase_fee": fee, "network_fee": networkFee} {
		d.set(s.t, field+".value", amount.StringFixed(2))
		d.set(s.t, field+".currency", paid)
	}
	d.set(s.t, "purchase_amount.value", subtotal.DivRound(price, 18).RoundDown(6).String())
	d.set(s.t, "purchase_amount.currency", symbolOf(s, currency))
	s.mu.Lock()
	change := s.change
	s.mu.Unlock()
	if change != nil {
		change(d)
	}
	write(w, http.StatusOK, d)
}

func symbolOf(s *Server, id string) string {
	all, _ := load(s.t, "options")["purchase_currencies"].([]any)
	for _, one := range all {
		if asset, _ := one.(map[string]any); asset["id"] == id {
			symbol, _ := asset["symbol"].(string)
			return symbol
		}
	}
	return ""
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	call := s.record(r)
	var session Session
	raw, err := json.Marshal(call.Body)
	if err == nil {
		err = json.Unmarshal(raw, &session)
	}
	if err != nil || !s.whole(session) {
		s.t.Errorf("a session was asked for with %s", raw)
		refuse(w, http.StatusBadRequest, "invalid addresses")
		return
	}
	token := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[token] = session
	write(w, http.StatusOK, map[string]any{"token": token, "channel_id": ""})
}

// whole reports whether each address is for a network, no network has two addresses, and the client's address is
// public.
func (s *Server) whole(session Session) bool {
	var taken []string
	for _, a := range session.Addresses {
		taken = append(taken, a.Blockchains...)
		if a.Address == "" || len(a.Blockchains) == 0 {
			return false
		}
	}
	networks := len(taken)
	slices.Sort(taken)
	if session.ClientIP != "" {
		if ip, err := netip.ParseAddr(session.ClientIP); err != nil || ip.IsPrivate() || ip.IsLoopback() {
			return false
		}
	}
	return networks > 0 && len(slices.Compact(taken)) == networks
}

// Session returns the session of a token. A token can be used once.
func (s *Server) Session(token string) (Session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session, ok := s.sessions[token]
	delete(s.sessions, token)
	return session, ok
}

// page serves the page where visitors pay, once for each token.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.Session(r.URL.Query().Get("sessionToken")); !ok || len(r.URL.Query().Get("partnerUserRef")) >= 50 {
		http.Error(w, "the session is over", http.StatusForbidden)
		return
	}
	_, _ = w.Write([]byte("<!doctype html><title>Coinbase</title>"))
}
