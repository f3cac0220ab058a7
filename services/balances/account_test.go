package balances

import (
	"context"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const watchedChain = "eip155:31337"

// events records published events, each id once, as the event stream does.
type events struct {
	mu   sync.Mutex
	byID map[string]proto.Message
}

func (e *events) PublishID(_ context.Context, id string, m proto.Message) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byID == nil {
		e.byID = map[string]proto.Message{}
	}
	e.byID[id] = m
	return nil
}

func (w world) readAccount(t *testing.T, address string, block uint64, currencies ...string) []*balancesv1.PricedBalances {
	t.Helper()
	res, err := w.ReadAccount(t.Context(), &balancesv1.ReadAccountRequest{Address: address, ChainId: watchedChain, Currencies: currencies, Block: block})
	if err != nil {
		t.Fatal(err)
	}
	return res.GetLists()
}

func TestReadAccountBypassesTheCacheAndPublishesAChangeOnce(t *testing.T) {
	w := open(t)
	holder := w.devnet.Accounts[7].Address
	w.chain.Call(t, "anvil_setBalance", holder, "0x5")
	native := func(block uint64) string {
		t.Helper()
		return w.readAccount(t, holder, block, "usd")[0].GetBalances()[0].GetQuantity().GetNumeric()
	}
	if got := native(4710); got != "0.000000000000000005" {
		t.Errorf("first: got %s", got)
	}
	// No new block was published, so only a read that bypasses the cache returns the new amount.
	w.chain.Call(t, "anvil_setBalance", holder, "0x6")
	for range 2 {
		if got := native(4711); got != "0.000000000000000006" {
			t.Errorf("after a block: got %s", got)
		}
	}
	request := &balancesv1.GetBalanceRequest{Address: holder, ChainId: watchedChain, Currency: "usd"}
	before := w.nodes.requests.Load()
	if got := w.ask(t, request)[0].GetQuantity().GetNumeric(); got != "0.000000000000000006" || w.nodes.requests.Load() != before {
		t.Errorf("GetBalance returned %s with %d requests, want the reading from the cache", got, w.nodes.requests.Load()-before)
	}
	want := &balancesv1.BalanceChanged{Account: watchedChain + ":" + strings.ToLower(holder), Block: 4711}
	if len(w.published.byID) != 1 {
		t.Errorf("published %v, want one event", w.published.byID)
	}
	for _, m := range w.published.byID {
		if !proto.Equal(m, want) {
			t.Errorf("published %v, want %v", m, want)
		}
	}
}

func TestOneReadIsPricedInEveryCurrency(t *testing.T) {
	w := open(t)
	account := w.devnet.Accounts[0].Address
	currencies := []string{"usd", "eur", "jpy"}
	lists := w.readAccount(t, account, 1, currencies...)
	if len(lists) != len(currencies) {
		t.Fatalf("got %d lists", len(lists))
	}
	for n, currency := range currencies {
		want := w.ask(t, &balancesv1.GetBalanceRequest{Address: account, ChainId: watchedChain, Currency: currency})
		got := lists[n].GetBalances()
		if lists[n].GetCurrency() != currency || len(got) != len(want) || len(got) == 0 {
			t.Fatalf("%s: got %d tokens of %s, want %d", currency, len(got), lists[n].GetCurrency(), len(want))
		}
		for i := range want {
			if got[i].GetSymbol() != want[i].GetSymbol() || got[i].GetPrice() != want[i].GetPrice() || got[i].GetValue() != want[i].GetValue() {
				t.Errorf("%s: got %v, want %v", currency, got[i], want[i])
			}
		}
	}
}

func TestInvalidAccountRequestsAreRefused(t *testing.T) {
	w := open(t)
	account := w.devnet.Accounts[0].Address
	for name, c := range map[string]struct {
		request *balancesv1.ReadAccountRequest
		reason  faultv1.Reason
	}{
		"unlisted chain":   {&balancesv1.ReadAccountRequest{Address: account, ChainId: "eip155:999999", Currencies: []string{"usd"}}, faultv1.Reason_REASON_CHAIN_UNSUPPORTED},
		"no address":       {&balancesv1.ReadAccountRequest{Address: "0x12", ChainId: watchedChain, Currencies: []string{"usd"}}, faultv1.Reason_REASON_ADDRESS_INVALID},
		"unknown currency": {&balancesv1.ReadAccountRequest{Address: account, ChainId: watchedChain, Currencies: []string{"usd", "irn"}}, faultv1.Reason_REASON_CURRENCY_UNSUPPORTED},
		"no node":          {&balancesv1.ReadAccountRequest{Address: account, ChainId: "eip155:1", Currencies: []string{"usd"}}, faultv1.Reason_REASON_CHAIN_UNAVAILABLE},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.ReadAccount(t.Context(), c.request); fault.From(err).Reason != c.reason {
				t.Errorf("got %v, want %v", err, c.reason)
			}
		})
	}
}
