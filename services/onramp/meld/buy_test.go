package meld_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/meld"
	"github.com/hawser-dev/hawser/services/onramp/meld/meldtest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

func TestCurrencyCodesAreSplitIntoSymbolAndChain(t *testing.T) {
	o, err := open(t, meldtest.New(t)).Options(t.Context(), ramp.Region{Country: "US"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range o.Assets {
		for _, n := range a.Networks {
			got = append(got, strings.Join([]string{a.Symbol, n.ChainID, n.Contract}, " "))
		}
	}
	want := []string{
		"ETH eip155:1 ", "ETH eip155:8453 ",
		"USDC eip155:1 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC eip155:8453 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
		"USDC " + solana + " EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "SOL " + solana + " ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q: what is on other ledgers is left out, also where they number their chains as the EVM does", got, want)
	}
}

func TestARegionWithoutOptionsIsUnsupported(t *testing.T) {
	if o, err := open(t, meldtest.New(t)).Options(t.Context(), ramp.Region{Country: "KP"}); !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestEverySellerQuotesOnce(t *testing.T) {
	s := meldtest.New(t)
	quotes, err := open(t, s).Quotes(t.Context(), ask())
	if err != nil || len(quotes) != 2 {
		t.Fatalf("%+v, %v", quotes, err)
	}
	q := quotes[0]
	amounts := []string{q.Total.Value.String(), q.Subtotal.Value.String(), q.ProviderFee.Value.String(), q.NetworkFee.Value.String(), q.Purchase.Value.String()}
	if !slices.Equal(amounts, []string{"100", "95.51", "2.99", "1.5", "95.51"}) || q.Seller != "TRANSAK" || q.Title != "Transak" || q.Method != "card" || q.Country != "US" {
		t.Errorf("%+v", q)
	}
	last := s.Calls()[len(s.Calls())-2]
	if last.Path != "/payments/crypto/quote" || last.Body["sourceAmount"] != json.Number("100") || last.Body["destinationCurrencyCode"] != "USDC_BASE" {
		t.Errorf("it asked %+v", last)
	}
}

func TestExcludedSellersDoNotQuote(t *testing.T) {
	m, a := open(t, meldtest.New(t)), ask()
	a.Without = []string{"TRANSAK"}
	if quotes, err := m.Quotes(t.Context(), a); err != nil || len(quotes) != 1 || quotes[0].Seller != "BANXA" {
		t.Errorf("%+v, %v", quotes, err)
	}
	a.Without = []string{"TRANSAK", "BANXA"}
	if quotes, err := m.Quotes(t.Context(), a); !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("%+v, %v", quotes, err)
	}
}

// quotesWith returns the quotes for a response in which some numbers are replaced.
func quotesWith(t *testing.T, numbers map[string]any) ([]ramp.Quote, error) {
	t.Helper()
	s := meldtest.New(t)
	s.ChangeQuotes(func(q map[string]any) {
		for name, value := range numbers {
			q[name] = value
		}
	})
	return open(t, s).Quotes(t.Context(), ask())
}

func TestThePartnerFeeIsPartOfTheProviderFee(t *testing.T) {
	quotes, err := quotesWith(t, map[string]any{
		"sourceAmount": json.Number("50"), "sourceAmountWithoutFees": json.Number("43.97"), "fiatAmountWithoutFees": nil, "totalFee": json.Number("6.03"),
		"networkFee": json.Number("3.53"), "transactionFee": json.Number("2"), "partnerFee": json.Number("0.5"),
	})
	if err != nil || len(quotes) == 0 || quotes[0].ProviderFee.Value.String() != "2.5" || !quotes[0].AddsUp() {
		t.Errorf("%+v, %v", quotes, err)
	}
}

func TestNumbersAreParsedExactly(t *testing.T) {
	quotes, err := quotesWith(t, map[string]any{"destinationAmount": json.Number("6.6413000000000000001E-4")})
	if err != nil || len(quotes) == 0 || quotes[0].Purchase.Value.String() != "0.00066413000000000000001" {
		t.Errorf("%+v, %v", quotes, err)
	}
}

func TestAnInvalidQuoteIsRejected(t *testing.T) {
	tests := map[string]map[string]any{
		"fees are forgotten":               {"totalFee": json.Number("1")},
		"more is left than is paid":        {"sourceAmountWithoutFees": json.Number("101"), "totalFee": json.Number("-1")},
		"a fee is negative":                {"networkFee": json.Number("-1.5")},
		"the received amount is zero":      {"destinationAmount": json.Number("0")},
		"the amount received is missing":   {"destinationAmount": nil},
		"the amount after fees is missing": {"sourceAmountWithoutFees": nil, "fiatAmountWithoutFees": nil, "totalFee": nil, "networkFee": nil, "transactionFee": nil, "partnerFee": nil},
		"more is paid than requested":      {"sourceAmount": json.Number("1000")},
		"it is another token":              {"destinationCurrencyCode": "BTC"},
		"it is other money":                {"sourceCurrencyCode": "EUR"},
		"it is a sale":                     {"transactionType": "CRYPTO_SELL"},
		"the seller is not a name":         {"serviceProvider": "../TRANSAK"},
	}
	for name, numbers := range tests {
		if quotes, err := quotesWith(t, numbers); !errors.Is(err, ramp.ErrUnavailable) {
			t.Errorf("%s: %+v, %v", name, quotes, err)
		}
	}
}

func TestASessionIsForOneWallet(t *testing.T) {
	s := meldtest.New(t)
	p := purchase()
	p.ChainID, p.Wallets = solana, []ramp.Wallet{{Address: account}, {Address: solanaAccount}}
	widget, err := open(t, s).Open(t.Context(), p)
	if err != nil || widget.Ref == "" {
		t.Fatalf("%+v, %v", widget, err)
	}
	call := s.Calls()[len(s.Calls())-1]
	data, _ := call.Body["sessionData"].(map[string]any)
	if data["walletAddress"] != solanaAccount || data["destinationCurrencyCode"] != "USDC_SOLANA" || data["sourceAmount"] != "100" || data["redirectUrl"] != p.Return {
		t.Errorf("it asked %+v", data)
	}
	locked, _ := data["lockFields"].([]any)
	if call.Body["externalSessionId"] != orderID || call.Body["externalCustomerId"] != orderID || !slices.Contains(locked, any("walletAddress")) {
		t.Errorf("it asked %+v", call.Body)
	}
}

func TestAnInvalidPurchaseOpensNoSession(t *testing.T) {
	amount := decimal.NewFromInt(1)
	for name, change := range map[string]func(*ramp.Purchase){
		"the seller":        func(p *ramp.Purchase) { p.Seller = "../TRANSAK" },
		"what is paid":      func(p *ramp.Purchase) { p.Pay = nil },
		"a fixed amount":    func(p *ramp.Purchase) { p.Receive = &amount },
		"the order":         func(p *ramp.Purchase) { p.OrderID = "a,b" },
		"the wallet's home": func(p *ramp.Purchase) { p.Wallets[0].ChainIDs = []string{"eip155:1"} },
	} {
		s, p := meldtest.New(t), purchase()
		change(&p)
		if widget, err := open(t, s).Open(t.Context(), p); !errors.Is(err, ramp.ErrUnsupported) {
			t.Errorf("%s: %+v, %v", name, widget, err)
		}
	}
}

func TestAPageWithoutTLSIsRejected(t *testing.T) {
	for _, page := range []string{"http://pay.example/x", "javascript:alert(1)", "//pay.example", "", "https://user:hunter2@pay.example/"} {
		s := meldtest.New(t)
		m := open(t, s)
		if _, err := m.Options(t.Context(), ramp.Region{Country: "US"}); err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(map[string]string{"id": "1", "widgetUrl": page})
		if err != nil {
			t.Fatal(err)
		}
		s.Answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
		if widget, err := m.Open(t.Context(), purchase()); !errors.Is(err, ramp.ErrUnavailable) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %+v, %v", page, widget, err)
		}
	}
}

func TestAPollReturnsTransactionAndAmounts(t *testing.T) {
	s := meldtest.New(t)
	s.SetState(orderID, ramp.Completed)
	events, err := open(t, s).Poll(t.Context(), ramp.Placed{OrderID: orderID})
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	e := events[0]
	if e.Transaction != meldtest.Hash || e.ChainID != "eip155:8453" || e.Paid == nil || e.Paid.Value.String() != "100" || e.Received == nil ||
		e.Received.Value.String() != "95.51" || e.Received.Currency != "USDC" {
		t.Errorf("%+v, paid %v, received %v", e, e.Paid, e.Received)
	}
}

func TestAPollReturnsTheOtherTransactionsThanAMalformedOne(t *testing.T) {
	s := meldtest.New(t)
	s.Answer(func(w http.ResponseWriter, _ *http.Request) {
		const sound = `{"id":"2","status":"SETTLED","externalSessionId":"` + orderID + `"}`
		_, _ = io.WriteString(w, `{"transactions":[{"id":"1","status":"SETTLED","externalSessionId":"`+orderID+`","sourceAmount":"1,5"},`+sound+`]}`)
	})
	events, err := open(t, s).Poll(t.Context(), ramp.Placed{OrderID: orderID})
	if err != nil || len(events) != 2 || events[0].State != "" || events[1].State != ramp.Completed {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestSellersBehindMeldAreKnown(t *testing.T) {
	s := meldtest.New(t)
	m := open(t, s)
	for seller, want := range map[string]bool{"TRANSAK": true, "BANXA": true, "COINBASE": false, "transak": false, "../x": false, "": false} {
		if _, got := m.Resells(t.Context(), seller); got != want {
			t.Errorf("%q is resold: %t", seller, !want)
		}
	}
	if n := len(s.Calls()); n != 1 {
		t.Errorf("it asked %d times", n)
	}
}

func TestListsArePassedOn(t *testing.T) {
	s := meldtest.New(t)
	m := open(t, s)
	for kind, member := range map[ramp.Kind]string{
		ramp.Countries: "countryCode", ramp.CryptoCurrencies: "chainCode", ramp.FiatCurrencies: "currencyCode", ramp.PaymentMethods: "paymentType",
		ramp.FiatPurchasesLimits: "minimumAmount", ramp.CountriesDefaults: "defaultCurrencyCode",
	} {
		all, err := m.Properties(t.Context(), kind, ramp.Filter{Countries: []string{"US", "DE"}, Without: []string{"BANXA"}})
		if err != nil || len(all) < 2 || !strings.Contains(string(all[0]), member) {
			t.Errorf("%s: %s, %v", kind, all, err)
		}
		last := s.Calls()[len(s.Calls())-1]
		if last.Query.Get("countries") != "US,DE" || last.Query.Get("serviceProviders") != "TRANSAK" {
			t.Errorf("%s: it asked %v", kind, last.Query)
		}
	}
	if all, err := m.Properties(t.Context(), "shoe-sizes", ramp.Filter{}); !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("%s, %v", all, err)
	}
	if all, err := m.Properties(t.Context(), ramp.Countries, ramp.Filter{Without: []string{"BANXA", "TRANSAK"}}); err != nil || len(all) != 0 {
		t.Errorf("of no one: %s, %v", all, err)
	}
	if all, err := m.Sellers(t.Context(), []string{"US"}); err != nil || len(all) != 2 {
		t.Errorf("%s, %v", all, err)
	}
}

func TestListsAreCachedForAnHour(t *testing.T) {
	s, w := meldtest.New(t), clocktest.StoppedAt(time.Now())
	m, err := meld.New(s.Config(), w)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for range 5 {
			if _, err := m.Options(t.Context(), ramp.Region{Country: "US"}); err != nil {
				t.Fatal(err)
			}
		}
		w.Pass(time.Hour)
	}
	if n := len(s.Calls()); n != 9 {
		t.Errorf("it asked %d times, want three lists three times", n)
	}
}

func TestAnInvalidConfigurationIsRejected(t *testing.T) {
	if faults := meld.DefaultConfig().Check(); len(faults) != 0 {
		t.Errorf("the default is refused: %v", faults)
	}
	for name, change := range map[string]func(*meld.Config){
		"environment": func(c *meld.Config) { c.Environment = "staging" },
		"url":         func(c *meld.Config) { c.URL = "https://api.meld.io/?key=hunter2" },
		"version":     func(c *meld.Config) { c.Version = "latest" },
	} {
		cfg := meld.DefaultConfig()
		change(&cfg)
		if faults := cfg.Check(); len(faults) != 1 {
			t.Errorf("%s: %v", name, faults)
		}
	}
}
