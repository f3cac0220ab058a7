package coinbase_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/coinbase"
	"github.com/hawser-dev/hawser/services/onramp/coinbase/coinbasetest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

func TestOnlyTokensOnEVMAndSolanaAreListed(t *testing.T) {
	s := coinbasetest.New(t)
	o, err := open(t, s).Options(t.Context(), ramp.Region{Country: "US", Subdivision: "NY"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range o.Assets {
		for _, n := range a.Networks {
			got = append(got, strings.Join([]string{a.Symbol, n.Name, n.ChainID, n.Contract}, " "))
		}
	}
	want := []string{
		"USDC base eip155:8453 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USDC ethereum eip155:1 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
		"USDC solana " + mainnet + " EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		"ETH ethereum eip155:1 ", "ETH base eip155:8453 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if q := s.Calls()[0].Query; q.Get("country") != "US" || q.Get("subdivision") != "NY" {
		t.Errorf("it asked %v", q)
	}
	limit := o.Currencies[0].Limits[1]
	if o.Currencies[0].ID != "USD" || limit.Method != "ach_bank_account" || limit.Min.String() != "10" || limit.Max.String() != "25000" {
		t.Errorf("it takes %+v", o.Currencies[0])
	}
}

func TestARegionWithoutOptionsIsUnsupported(t *testing.T) {
	if o, err := open(t, coinbasetest.New(t)).Options(t.Context(), ramp.Region{Country: "KP"}); !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestTheQuoteTotalIncludesFees(t *testing.T) {
	s := coinbasetest.New(t)
	quotes, err := open(t, s).Quotes(t.Context(), ask())
	if err != nil || len(quotes) != 1 {
		t.Fatalf("%+v, %v", quotes, err)
	}
	q := quotes[0]
	amounts := []string{q.Total.Value.String(), q.Subtotal.Value.String(), q.ProviderFee.Value.String(), q.NetworkFee.Value.String(), q.Purchase.Value.String()}
	if !slices.Equal(amounts, []string{"100", "98.32", "1.49", "0.19", "98.32"}) || q.Seller != "COINBASE" || q.ID == "" || q.Method != "card" || q.Country != "US" {
		t.Errorf("%+v, %q", q, amounts)
	}
	want := map[string]any{
		"purchaseCurrency": "2b92315d-eab7-5bef-84fa-089a131333f5", "purchaseNetwork": "base", "paymentAmount": "100.00", "paymentCurrency": "USD",
		"paymentMethod": "CARD", "country": "US", "subdivision": "NY",
	}
	if got := s.Calls()[1].Body; !reflect.DeepEqual(got, want) {
		t.Errorf("it asked %v", got)
	}
}

func TestAnInvalidQuoteIsRejected(t *testing.T) {
	tests := map[string]struct {
		path, value string
		want        error
	}{
		"it does not add up":          {"coinbase_fee.value", "1.48", ramp.ErrUnavailable},
		"a fee is negative":           {"network_fee.value", "-0.19", ramp.ErrUnavailable},
		"a fee is in other money":     {"network_fee.currency", "EUR", ramp.ErrUnavailable},
		"the received amount is zero": {"purchase_amount.value", "0", ramp.ErrUnavailable},
		"it is another token":         {"purchase_amount.currency", "BTC", ramp.ErrUnavailable},
		"an amount is not a number":   {"payment_total.value", "lots", ramp.ErrUnavailable},
		"an amount is endless":        {"payment_total.value", "1e999999999", ramp.ErrUnavailable},
		"it fell back to dollars":     {"payment_total.currency", "GBP", ramp.ErrUnsupported},
		"more is paid than wanted":    {"payment_total.value", "1000", ramp.ErrUnavailable},
	}
	for name, test := range tests {
		s := coinbasetest.New(t)
		s.ChangeQuotes(func(set func(path, value string)) { set(test.path, test.value) })
		if quotes, err := open(t, s).Quotes(t.Context(), ask()); !errors.Is(err, test.want) {
			t.Errorf("%s: %+v, %v", name, quotes, err)
		}
	}
}

func TestWalletsAreBoundToTheSession(t *testing.T) {
	s := coinbasetest.New(t)
	widget, err := open(t, s).Open(t.Context(), purchase())
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(widget.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	for name, want := range map[string]string{
		"partnerUserRef": orderID, "defaultAsset": "USDC", "defaultNetwork": "base", "presetFiatAmount": "100.00", "fiatCurrency": "USD",
		"defaultPaymentMethod": "CARD", "redirectUrl": "https://shop.test/done?order=1", "presetCryptoAmount": "",
	} {
		if got := q.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if strings.Contains(strings.ToLower(widget.URL), strings.ToLower(account)) {
		t.Errorf("the account is in %s", widget.URL)
	}
	session, ok := s.Session(q.Get("sessionToken"))
	want := coinbasetest.Session{
		Addresses: []coinbasetest.Address{{Address: account, Blockchains: []string{"base"}}}, Assets: []string{"USDC"}, ClientIP: "203.0.113.7",
	}
	if !ok || !reflect.DeepEqual(session, want) {
		t.Errorf("got  %+v\nwant %+v", session, want)
	}
}

func TestEachNetworkHasOneWallet(t *testing.T) {
	const other = "0x1234567890AbcdEF1234567890aBcdef12345678"
	s, p := coinbasetest.New(t), purchase()
	p.Symbol, p.ChainID, p.CallerIP = "", "", "10.0.0.7"
	p.Wallets = []ramp.Wallet{{Address: account, ChainIDs: []string{"eip155:8453"}, Symbols: []string{"USDC", "ETH"}}, {Address: other}, {Address: solanaAccount}, {Address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}}
	widget, err := open(t, s).Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(widget.URL)
	if err != nil {
		t.Fatal(err)
	}
	session, _ := s.Session(u.Query().Get("sessionToken"))
	want := coinbasetest.Session{
		Addresses: []coinbasetest.Address{
			{Address: account, Blockchains: []string{"base"}}, {Address: other, Blockchains: []string{"ethereum"}}, {Address: solanaAccount, Blockchains: []string{"solana"}},
		},
		Assets: []string{"ETH", "USDC"},
	}
	if !reflect.DeepEqual(session, want) {
		t.Errorf("got  %+v\nwant %+v: of two for one network the first, and no address of a network of its own", session, want)
	}
}

func TestATokenOnSolanaIsPaidToASolanaWallet(t *testing.T) {
	s, p := coinbasetest.New(t), purchase()
	p.ChainID = mainnet
	if widget, err := open(t, s).Open(t.Context(), p); !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("an EVM wallet: %+v, %v", widget, err)
	}
	p.Wallets = []ramp.Wallet{{Address: account}, {Address: solanaAccount}}
	widget, err := open(t, s).Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(widget.URL)
	if err != nil {
		t.Fatal(err)
	}
	session, _ := s.Session(u.Query().Get("sessionToken"))
	if want := []coinbasetest.Address{{Address: solanaAccount, Blockchains: []string{"solana"}}}; !reflect.DeepEqual(session.Addresses, want) {
		t.Errorf("got  %+v\nwant %+v", session.Addresses, want)
	}
	if network := u.Query().Get("defaultNetwork"); network != "solana" {
		t.Errorf("the network is %s", network)
	}
}

func TestAnAmountOfTheTokenIsPreset(t *testing.T) {
	s, p := coinbasetest.New(t), purchase()
	amount := decimal.RequireFromString("0.04")
	p.Pay, p.Receive, p.Symbol = nil, &amount, "ETH"
	widget, err := open(t, s).Open(t.Context(), p)
	if err != nil || !strings.Contains(widget.URL, "presetCryptoAmount=0.04") || strings.Contains(widget.URL, "presetFiatAmount") {
		t.Errorf("%+v, %v", widget, err)
	}
}

func TestAnOrderIDThatIsNoReferenceIsRejected(t *testing.T) {
	c, p := open(t, coinbasetest.New(t)), purchase()
	for _, id := range []string{"", "..", "a/b", strings.Repeat("x", 50)} {
		p.OrderID = id
		if _, err := c.Open(t.Context(), p); !errors.Is(err, ramp.ErrUnsupported) {
			t.Errorf("%q opens: %v", id, err)
		}
		if _, err := c.Poll(t.Context(), ramp.Placed{OrderID: id}); !errors.Is(err, ramp.ErrUnsupported) {
			t.Errorf("%q is looked for: %v", id, err)
		}
	}
}

func TestAPollAndAWebhookReturnTheSameEvent(t *testing.T) {
	s := coinbasetest.New(t)
	c := open(t, s)
	s.SetState(orderID, ramp.Completed)
	found, err := c.Poll(t.Context(), ramp.Placed{OrderID: orderID})
	received, err2 := c.Read(s.Deliver(orderID, ramp.Completed))
	if err != nil || err2 != nil || len(found) != 1 || !reflect.DeepEqual(found, received) {
		t.Errorf("found %+v, %v\nread  %+v, %v", found, err, received, err2)
	}
}

func TestAPollReturnsTheOtherTransactionsThanAMalformedOne(t *testing.T) {
	s := coinbasetest.New(t)
	s.Answer(func(w http.ResponseWriter, _ *http.Request) {
		const sound = `{"transaction_id":"2","status":"ONRAMP_TRANSACTION_STATUS_SUCCESS","partner_user_ref":"` + orderID + `"}`
		_, _ = io.WriteString(w, `{"transactions":[{"status":"ONRAMP_TRANSACTION_STATUS_SUCCESS"},{"transaction_id":"1","payment_total":"1,5"},7,`+sound+`]}`)
	})
	events, err := open(t, s).Poll(t.Context(), ramp.Placed{OrderID: orderID})
	if err != nil || len(events) != 4 || events[3].State != ramp.Completed || events[3].Ref != "2" {
		t.Fatalf("%+v, %v", events, err)
	}
	for _, e := range events[:3] {
		if e.State != "" || e.OrderID != orderID {
			t.Errorf("%+v", e)
		}
	}
}

func TestAKeyIsReadFromAFile(t *testing.T) {
	for name, s := range map[string]*coinbasetest.Server{"Ed25519": coinbasetest.New(t), "EC": coinbasetest.NewEC(t)} {
		cfg := s.Config()
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, []byte(cfg.KeySecret+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg.KeySecret = "file:" + path
		c, err := coinbase.New(cfg, clock.System{})
		if err != nil || len(cfg.Check()) != 0 {
			t.Fatalf("%s: %v, %v", name, err, cfg.Check())
		}
		if _, err := c.Quotes(t.Context(), ask()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAKeyOnOneLineIsRead(t *testing.T) {
	cfg := coinbasetest.NewEC(t).Config()
	cfg.KeySecret = strings.ReplaceAll(cfg.KeySecret, "\n", `\n`)
	if _, err := coinbase.New(cfg, clock.System{}); err != nil {
		t.Error(err)
	}
}

func TestAnInvalidConfigurationIsRejected(t *testing.T) {
	if faults := coinbase.DefaultConfig().Check(); len(faults) != 0 || coinbase.DefaultConfig().Enabled() {
		t.Errorf("the default is refused: %v", faults)
	}
	for name, change := range map[string]func(*coinbase.Config){
		"no key":      func(c *coinbase.Config) { c.KeySecret = "" },
		"another key": func(c *coinbase.Config) { c.KeySecret = "aHVudGVyMg==" },
		"no address":  func(c *coinbase.Config) { c.URL = "api.developer.coinbase.com" },
		"no page":     func(c *coinbase.Config) { c.PayURL = "https://pay.coinbase.com/?appId=hunter2" },
	} {
		cfg := coinbasetest.New(t).Config()
		change(&cfg)
		if faults := cfg.Check(); len(faults) != 1 {
			t.Errorf("%s: %v", name, faults)
		}
		if _, err := coinbase.New(cfg, clock.System{}); err == nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "aHVudGVyMg==") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
