package catalog

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onramp/buy"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

var (
	base  = ramp.Network{Name: "base-mainnet", Title: "Base", ChainID: "eip155:8453", Contract: "0xBASE"}
	ether = ramp.Network{Name: "ethereum-mainnet", Title: "Ethereum", ChainID: "eip155:1", Contract: "0xETHER"}
	known = ramp.Options{Assets: []ramp.Asset{
		{ID: "one", Name: "Ether", Symbol: "ETH", Networks: []ramp.Network{{Name: "ethereum-mainnet", Title: "Ethereum", ChainID: "eip155:1"}}},
		{ID: "one", Name: "USD Coin", Symbol: "USDC", Networks: []ramp.Network{ether, base}},
	}}
)

func limitOf(method string, least, most int64) ramp.Limit {
	return ramp.Limit{Method: method, Min: decimal.NewFromInt(least), Max: decimal.NewFromInt(most)}
}

func TestOptionsAreTheUnionOfAllProviders(t *testing.T) {
	first := ramp.Options{
		Assets:     []ramp.Asset{{ID: "a", Symbol: "USDC", Networks: []ramp.Network{ether}}},
		Currencies: []ramp.Currency{{ID: "USD", Limits: []ramp.Limit{limitOf("card", 20, 500)}}},
	}
	second := ramp.Options{
		Assets:     []ramp.Asset{{ID: "b", Symbol: "usdc", Networks: []ramp.Network{ether, base}}, {ID: "c", Symbol: "SOL"}},
		Currencies: []ramp.Currency{{ID: "USD", Limits: []ramp.Limit{limitOf("card", 10, 400), limitOf("bank", 1, 2)}}, {ID: "EUR"}},
	}
	want := ramp.Options{
		Assets:     []ramp.Asset{{ID: "a", Symbol: "USDC", Networks: []ramp.Network{ether, base}}, {ID: "c", Symbol: "SOL"}},
		Currencies: []ramp.Currency{{ID: "USD", Limits: []ramp.Limit{limitOf("card", 10, 500), limitOf("bank", 1, 2)}}, {ID: "EUR"}},
	}
	got, err := catalogOf(map[string]int{}, withOptions("one", first), withOptions("two", second)).Options(t.Context(), ramp.Region{})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if len(first.Assets[0].Networks) != 1 || !first.Currencies[0].Limits[0].Min.Equal(decimal.NewFromInt(20)) {
		t.Error("what a seller said was changed")
	}
}

func TestACancelledCallerDoesNotCancelTheSharedRequest(t *testing.T) {
	requested, answer := make(chan struct{}), make(chan struct{})
	m := catalogOf(map[string]int{}, &fakeProvider{name: "a", options: func(ramp.Region) (ramp.Options, error) {
		close(requested)
		<-answer
		return known, nil
	}})
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := m.Options(ctx, ramp.Region{})
		left <- err
	}()
	<-requested
	leave()
	got := make(chan error, 1)
	go func() {
		_, err := m.Options(t.Context(), ramp.Region{})
		got <- err
	}()
	select {
	case err := <-left:
		t.Errorf("the question ended with its first caller: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(answer)
	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestCompleteOptionsAreCached(t *testing.T) {
	requested := 0
	m := catalogOf(map[string]int{}, &fakeProvider{name: "a", options: func(ramp.Region) (ramp.Options, error) { requested++; return known, nil }})
	for range 3 {
		if _, err := m.Options(t.Context(), ramp.Region{Country: "US"}); err != nil {
			t.Fatal(err)
		}
	}
	if requested != 1 {
		t.Errorf("requested %d times", requested)
	}
}

func TestOptionsFailWhenAllProvidersFail(t *testing.T) {
	if _, err := catalogOf(map[string]int{}, failing("a", ramp.ErrUnavailable)).Options(t.Context(), ramp.Region{}); err == nil {
		t.Error("options of no seller")
	}
}

func TestDuplicateListEntriesKeepTheFirst(t *testing.T) {
	one := &fakeProvider{name: "one", lists: []json.RawMessage{json.RawMessage(`{"countryCode":"US","name":"first"}`)}}
	two := &fakeProvider{name: "two", lists: []json.RawMessage{json.RawMessage(`{"countryCode":"US","name":"second"}`), json.RawMessage(`{"countryCode":"DE"}`)}}
	got, err := NewDirectory(catalogOf(map[string]int{}, one, two)).Properties(t.Context(), ramp.Countries, ramp.Filter{})
	if err != nil || len(got) != 2 || string(got[0]) != `{"countryCode":"US","name":"first"}` || string(got[1]) != `{"countryCode":"DE"}` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestAnUnknownTokenIsUnavailableWhileAProviderIsUnavailable(t *testing.T) {
	for failure, want := range map[error]faultv1.Reason{
		ramp.ErrUnavailable: faultv1.Reason_REASON_ONRAMP_UNAVAILABLE,
		ramp.ErrUnsupported: faultv1.Reason_REASON_ONRAMP_UNSUPPORTED,
	} {
		o, err := catalogOf(map[string]int{}, withOptions("a", known), failing("b", failure)).Options(t.Context(), ramp.Region{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := buy.ParseToken("purchaseCurrency", "DOGE", "", o); fault.From(err).Reason != want {
			t.Errorf("%v: %v", failure, err)
		}
		if _, err := buy.ParseNetwork("network", "doge", "USDC", o); fault.From(err).Reason != want {
			t.Errorf("%v: %v", failure, err)
		}
	}
}
