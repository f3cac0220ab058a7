package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// fakeProvider is a provider whose results are set by a test.
type fakeProvider struct {
	name    string
	options func(ramp.Region) (ramp.Options, error)
	quotes  func(context.Context, ramp.Ask) ([]ramp.Quote, error)
	lists   []json.RawMessage
}

func (s *fakeProvider) Name() string { return s.name }

func (s *fakeProvider) Profile() ramp.Profile {
	return ramp.Profile{Title: s.name, Namespaces: []string{"eip155"}}
}

func (s *fakeProvider) Options(_ context.Context, at ramp.Region) (ramp.Options, error) {
	return s.options(at)
}

func (s *fakeProvider) Quotes(ctx context.Context, a ramp.Ask) ([]ramp.Quote, error) {
	return s.quotes(ctx, a)
}

func (s *fakeProvider) Sellers(context.Context, []string) ([]json.RawMessage, error) {
	return s.lists, nil
}

func (s *fakeProvider) Properties(context.Context, ramp.Kind, ramp.Filter) ([]json.RawMessage, error) {
	return s.lists, nil
}

func withOptions(name string, o ramp.Options) *fakeProvider {
	return &fakeProvider{name: name, options: func(ramp.Region) (ramp.Options, error) { return o, nil }}
}

func withQuote(name, purchase string) *fakeProvider {
	return &fakeProvider{name: name, quotes: func(context.Context, ramp.Ask) ([]ramp.Quote, error) { return []ramp.Quote{quote(name, purchase)}, nil }}
}

func failing(name string, err error) *fakeProvider {
	return &fakeProvider{
		name:    name,
		options: func(ramp.Region) (ramp.Options, error) { return ramp.Options{}, err },
		quotes:  func(context.Context, ramp.Ask) ([]ramp.Quote, error) { return nil, err },
	}
}

// quote returns a quote of 100 dollars, including 2 dollars of fees.
func quote(seller, purchase string) ramp.Quote {
	dollars := func(n int64) ramp.Amount { return ramp.Amount{Value: decimal.NewFromInt(n), Currency: "USD"} }
	return ramp.Quote{
		Seller: seller, Total: dollars(100), Subtotal: dollars(98), ProviderFee: dollars(1), NetworkFee: dollars(1),
		Purchase: ramp.Amount{Value: decimal.RequireFromString(purchase), Currency: "ETH"},
	}
}

// catalogOf returns a catalog of providers; failures are counted by provider.
func catalogOf(failures map[string]int, all ...ramp.Provider) *Catalog {
	return NewCatalog(Sellers{All: func() []ramp.Provider { return all }, Patience: 5 * time.Second}, func(provider string, _ error) { failures[provider]++ })
}

func TestTheBestQuoteComesFirst(t *testing.T) {
	m := catalogOf(map[string]int{}, withQuote("a", "0.5"), withQuote("b", "0.50000000000000000001"), withQuote("c", "0.4"))
	quotes, err := m.Quotes(t.Context(), ramp.Ask{})
	if err != nil || len(quotes) != 3 || quotes[0].Seller != "b" || quotes[1].Seller != "a" || quotes[2].Seller != "c" {
		t.Errorf("got %v, %v", quotes, err)
	}
}

func TestOneQuoteIsEnough(t *testing.T) {
	failures := map[string]int{}
	quotes, err := catalogOf(failures, failing("a", ramp.ErrUnavailable), withQuote("b", "1")).Quotes(t.Context(), ramp.Ask{})
	if err != nil || len(quotes) != 1 || failures["a"] != 1 {
		t.Errorf("got %v, %v; failures %v", quotes, err, failures)
	}
}

func TestAnInconsistentQuoteIsDropped(t *testing.T) {
	wrong := quote("a", "1")
	wrong.NetworkFee.Value = decimal.NewFromInt(2)
	m := catalogOf(map[string]int{}, &fakeProvider{name: "a", quotes: func(context.Context, ramp.Ask) ([]ramp.Quote, error) { return []ramp.Quote{wrong}, nil }})
	if quotes, err := m.Quotes(t.Context(), ramp.Ask{}); !errors.Is(err, errDoesNotAddUp) {
		t.Errorf("got %v, %v", quotes, err)
	}
}

func TestPatienceBoundsTheWaitForQuotes(t *testing.T) {
	slow := &fakeProvider{name: "slow", quotes: func(ctx context.Context, _ ramp.Ask) ([]ramp.Quote, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	m := catalogOf(map[string]int{}, slow, withQuote("b", "1"))
	m.sellers.Patience = 50 * time.Millisecond
	if quotes, err := m.Quotes(t.Context(), ramp.Ask{}); err != nil || len(quotes) != 1 {
		t.Errorf("got %v, %v", quotes, err)
	}
}

func TestACancelledCallReturnsCanceled(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	slow := &fakeProvider{name: "slow", quotes: func(context.Context, ramp.Ask) ([]ramp.Quote, error) {
		leave()
		<-t.Context().Done()
		return nil, nil
	}}
	if quotes, err := catalogOf(map[string]int{}, slow).Quotes(ctx, ramp.Ask{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", quotes, err)
	}
}

func TestTheMostHelpfulErrorIsReturned(t *testing.T) {
	dollars := func(n int64) *ramp.Amount { return &ramp.Amount{Value: decimal.NewFromInt(n), Currency: "USD"} }
	low, high := &ramp.LimitError{Min: dollars(10), Max: dollars(100)}, &ramp.LimitError{Min: dollars(20), Max: dollars(500)}
	for _, tt := range []struct {
		behaviour string
		failures  []error
		want      string
	}{
		{"a limit before a silence", []error{ramp.ErrUnavailable, low}, "the amount must be from 10.00 to 100.00 USD"},
		{"the widest of two limits", []error{low, high}, "the amount must be from 10.00 to 500.00 USD"},
		{"a silence before what is not sold", []error{ramp.ErrUnsupported, ramp.ErrCredentials}, ramp.ErrCredentials.Error()},
		{"what is not sold", []error{ramp.ErrUnsupported, ramp.ErrUnsupported}, ramp.ErrUnsupported.Error()},
		{"no seller", nil, ramp.ErrUnavailable.Error()},
	} {
		if got := mostHelpful(tt.failures).Error(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.behaviour, got, tt.want)
		}
	}
}

func TestSellerNamesIgnoreCase(t *testing.T) {
	s := catalogOf(nil, withQuote("harbor-pay", "1")).sellers
	for _, name := range []string{"harbor-pay", "HARBOR-PAY"} {
		if _, _, ok := s.ProviderOf(t.Context(), name); !ok {
			t.Errorf("no seller is behind %s", name)
		}
	}
	if _, _, ok := s.ProviderOf(t.Context(), "harbor"); ok {
		t.Error("somebody is behind a part of a name")
	}
}
