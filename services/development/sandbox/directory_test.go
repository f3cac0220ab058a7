package sandbox

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func TestTheListsHaveTheMembersThatClientsRead(t *testing.T) {
	w := onSQLite(t)
	members := map[ramp.Kind][]string{
		ramp.Countries:           {"countryCode", "name", "flagImageUrl"},
		ramp.CryptoCurrencies:    {"currencyCode", "name", "chainCode", "symbolImageUrl"},
		ramp.FiatCurrencies:      {"currencyCode", "name", "symbolImageUrl"},
		ramp.PaymentMethods:      {"paymentMethod", "name", "paymentType"},
		ramp.FiatPurchasesLimits: {"currencyCode", "defaultAmount", "minimumAmount", "maximumAmount"},
		ramp.CountriesDefaults:   {"countryCode", "defaultCurrencyCode"},
	}
	for kind, wanted := range members {
		list, err := w.sellers[0].Properties(t.Context(), kind, ramp.Filter{})
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d, %v", kind, len(list), err)
		}
		seen := map[string]bool{}
		for _, object := range list {
			var has map[string]any
			decode(t, object, &has)
			for _, name := range wanted {
				if has[name] == nil {
					t.Errorf("%s: %s has no %s", kind, object, name)
				}
			}
			key, _ := json.Marshal(has[wanted[0]])
			if seen[string(key)] {
				t.Errorf("%s: %s is there twice", kind, key)
			}
			seen[string(key)] = true
		}
	}
}

func TestListsAreNarrowed(t *testing.T) {
	w := onSQLite(t)
	list, err := w.sellers[0].Properties(t.Context(), ramp.Countries, ramp.Filter{Countries: []string{"DE", "XX"}})
	if err != nil || len(list) != 1 || !strings.Contains(string(list[0]), `"DE"`) {
		t.Errorf("%s, %v", list, err)
	}
	if list, err := w.sellers[0].Properties(t.Context(), ramp.Countries, ramp.Filter{Without: []string{"HARBOR-PAY"}}); err != nil || len(list) != 0 {
		t.Errorf("without the seller: %s, %v", list, err)
	}
	if _, err := w.sellers[0].Properties(t.Context(), "prices", ramp.Filter{}); !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("a list that there is not: %v", err)
	}
}

func TestOnlyTokensWithAPriceAndABalanceAreSold(t *testing.T) {
	w := onSQLite(t)
	o, err := w.sellers[0].Options(t.Context(), ramp.Region{Country: "DE"})
	if err != nil {
		t.Fatal(err)
	}
	var symbols []string
	for _, a := range o.Assets {
		symbols = append(symbols, a.Symbol)
	}
	slices.Sort(symbols)
	if want := []string{"ETH", "WETH", "WIDE", "tDAI", "tEUR", "tGOLD", "tUSD", "tUSDT"}; !slices.Equal(symbols, want) {
		t.Errorf("it sells %v, want %v", symbols, want)
	}
	ether := o.Assets[slices.IndexFunc(o.Assets, func(a ramp.Asset) bool { return a.Symbol == "ETH" })]
	if len(ether.Networks) != 2 || ether.Networks[0].ChainID != one || ether.Networks[0].Contract != "" || ether.Networks[0].Decimals != 18 {
		t.Errorf("ether is sold as %+v", ether)
	}
}

func TestASellerLooksAlikeOnTheListAndAtItsCheckout(t *testing.T) {
	w := onSQLite(t)
	startWork(t, w.Sandbox)
	id := w.begin(t, purchase("tUSD", one))
	for _, s := range w.sellers {
		list, err := s.Sellers(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var named struct {
			Name  string
			Logos struct{ Dark string }
		}
		decode(t, list[0], &named)
		logo, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(named.Logos.Dark, "data:image/svg+xml;base64,"))
		if err != nil || strings.Contains(string(logo), "<text") {
			t.Errorf("the list shows %s, %v", logo, err)
		}
		page := w.page(t, id)
		if !strings.Contains(page, "<h1>"+named.Name) {
			continue
		}
		if !strings.Contains(page, string(logo)) {
			t.Errorf("%s has another mark at its checkout:\n%s", named.Name, page[:2000])
		}
		return
	}
	t.Error("no seller of the list has this checkout")
}
