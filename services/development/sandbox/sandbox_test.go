package sandbox

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestAPaymentReceivesTheQuotedTokens(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		startWork(t, w.Sandbox)
		for _, bought := range []struct{ symbol, chainID string }{{"ETH", one}, {"tUSD", one}, {"tUSDT", one}, {"WIDE", one}, {"WETH", one}, {"tEUR", two}, {"ETH", two}} {
			t.Run(bought.symbol+" on "+bought.chainID, func(t *testing.T) {
				p := purchase(bought.symbol, bought.chainID)
				quotes, err := w.sellers[0].Quotes(t.Context(), ramp.Ask{Pay: *p.Pay, Symbol: p.Symbol, ChainID: p.ChainID})
				if err != nil {
					t.Fatal(err)
				}
				id := w.begin(t, p)
				w.submit(t, id, ActionPay, card("4242 4242 4242 4242"))
				c := w.ends(t, id)
				if c.Stage != checkout.Completed || c.Terms.Purchase.Cmp(quotes[0].Purchase.Value) != 0 {
					t.Fatalf("it is %s: %s of %s", c.Stage, c.Terms.Purchase, quotes[0].Purchase.Value)
				}
				want := checkout.BaseUnits(quotes[0].Purchase.Value, c.Terms.Decimals)
				if got := w.units(t, p.ChainID, p.Symbol, p.Wallets[0].Address); got.Cmp(want) != 0 {
					t.Errorf("the wallet got %s, want %s", got, want)
				}
				events := w.listener.eventsOf(p.OrderID)
				last := events[slices.IndexFunc(events, func(e ramp.Event) bool { return e.State == ramp.Completed })]
				if last.Transaction != c.Transaction || len(last.Transaction) != 66 || last.ChainID != p.ChainID || !last.Received.Value.Equal(quotes[0].Purchase.Value) {
					t.Errorf("it was reported as %+v", last)
				}
			})
		}
		if len(w.listener.failed) > 0 {
			t.Errorf("webhooks that are none: %v", w.listener.failed)
		}
	})
}

func TestEveryTestNumberDoesWhatThePageSays(t *testing.T) {
	w := onSQLite(t)
	startWork(t, w.Sandbox)
	ends := map[checkout.Scenario]struct {
		stage    checkout.Stage
		reported []ramp.State
	}{
		checkout.Success:            {checkout.Completed, []ramp.State{ramp.Pending, ramp.Paid, ramp.Completed}},
		checkout.Decline:            {checkout.Failed, []ramp.State{ramp.Pending, ramp.Failed}},
		checkout.InsufficientFunds:  {checkout.Failed, []ramp.State{ramp.Pending, ramp.Failed}},
		checkout.Confirmation:       {checkout.Completed, []ramp.State{ramp.Pending, ramp.Paid, ramp.Completed}},
		checkout.Slow:               {checkout.Completed, []ramp.State{ramp.Pending, ramp.Paid, ramp.Completed}},
		checkout.RefundAfterPayment: {checkout.Refunded, []ramp.State{ramp.Pending, ramp.Paid, ramp.Refunded}},
		checkout.PayoutFailure:      {checkout.Refunded, []ramp.State{ramp.Pending, ramp.Paid, ramp.Failed, ramp.Refunded}},
		checkout.LostWebhooks:       {checkout.Completed, nil},
	}
	try := func(n checkout.TestNumber, method string, fields map[string]string) {
		t.Run(method+" "+string(n.Scenario), func(t *testing.T) {
			p := purchase("tUSD", one)
			p.Method = method
			id := w.begin(t, p)
			w.submit(t, id, ActionPay, fields)
			if n.Scenario == checkout.Confirmation {
				w.submit(t, id, ActionConfirm, map[string]string{checkout.FieldCode: " 123456 "})
			}
			if n.Scenario == checkout.Slow && w.record(t, id).Stage != checkout.Settling {
				t.Errorf("a slow payment is %s at once", w.record(t, id).Stage)
			}
			w.clock.Pass(checkout.Slowness)
			c, want := w.ends(t, id), ends[n.Scenario]
			if c.Stage != want.stage {
				t.Errorf("it is %s (%s), want %s", c.Stage, c.Reason, want.stage)
			}
			reported := states(w.listener.eventsOf(p.OrderID))
			slices.Sort(reported)
			expected := slices.Sorted(slices.Values(want.reported))
			if !slices.Equal(reported, expected) {
				t.Errorf("reported as %v, want %v", reported, expected)
			}
			paidOut := w.units(t, one, "tUSD", p.Wallets[0].Address).Sign() > 0
			if paidOut != (want.stage == checkout.Completed) {
				t.Errorf("tokens were sent: %t", paidOut)
			}
			known, err := w.sellers[0].Poll(t.Context(), ramp.Placed{OrderID: p.OrderID})
			if err != nil || len(known) < 2 {
				t.Fatalf("a request returns %v, %v", known, err)
			}
			last := known[len(known)-1]
			if c.Stage == checkout.Failed && (c.Reason == "" || !c.Failure.Known() || last.Reason != c.Reason || last.Failure != c.Failure) {
				t.Errorf("it failed for %q (%s), and is reported as %+v", c.Reason, c.Failure, last)
			}
		})
	}
	for _, n := range checkout.TestCards {
		try(n, checkout.MethodCard, card(n.Digits))
	}
	for _, n := range checkout.TestAccounts {
		try(n, checkout.MethodBank, map[string]string{checkout.FieldRouting: "110000000", checkout.FieldAccount: n.Digits, checkout.FieldName: "Ada Lovelace"})
	}
}

func TestWithoutATreasuryOrAChainThereIsNoSandboxAndNoFailure(t *testing.T) {
	w := onSQLite(t)
	for name, change := range map[string]func(*Config, *nodes){
		"no treasury":                func(c *Config, _ *nodes) { c.Treasury = "" },
		"no development network":     func(_ *Config, n *nodes) { n.devnet = &devnettest.Devnet{} },
		"networks without contracts": func(_ *Config, n *nodes) { n.bare.Store(true) },
	} {
		t.Run(name, func(t *testing.T) {
			cfg, known := w.cfg, w.nodes
			w.nodes = &nodes{devnet: w.devnet}
			change(&w.cfg, w.nodes)
			s := w.replica(t)
			w.cfg, w.nodes = cfg, known
			if got := s.providers(); len(got) != 0 {
				t.Errorf("there are %d sellers", len(got))
			}
			if _, err := s.Show(t.Context(), "nobody"); !errors.Is(err, sqlstore.ErrUnknown) {
				t.Errorf("a page: %v", err)
			}
			startWork(t, s)()
		})
	}
}

func TestSellersAreMarkedAsSandbox(t *testing.T) {
	w := onSQLite(t)
	providers := w.providers()
	if len(providers) != 2 || providers[0].Name() != "harbor-pay" || providers[1].Name() != "beacon-pay" {
		t.Fatalf("the sellers are %v", providers)
	}
	for _, p := range providers {
		if !p.Profile().Sandbox || p.Profile().Title == "" {
			t.Errorf("%s is shown as %+v", p.Name(), p.Profile())
		}
	}
}

func TestAnUnpaidCheckoutExpires(t *testing.T) {
	w := onSQLite(t)
	startWork(t, w.Sandbox)
	untouched, requested := purchase("tUSD", one), purchase("tUSD", one)
	first, second := w.begin(t, untouched), w.begin(t, requested)
	w.submit(t, second, ActionPay, card("4000000000003220"))
	w.clock.Pass(w.cfg.Lifetime + time.Second)
	if c := w.ends(t, first); c.Stage != checkout.Expired || !slices.Equal(states(w.listener.eventsOf(untouched.OrderID)), []ramp.State{ramp.Expired}) {
		t.Errorf("it is %s, reported as %v", c.Stage, states(w.listener.eventsOf(untouched.OrderID)))
	}
	// An order that was reported as pending is not reported as expired, because pending outweighs expired.
	if c := w.ends(t, second); c.Stage != checkout.Cancelled || !slices.Equal(slices.Sorted(slices.Values(states(w.listener.eventsOf(requested.OrderID)))), []ramp.State{ramp.Cancelled, ramp.Pending}) {
		t.Errorf("it is %s, reported as %v", c.Stage, states(w.listener.eventsOf(requested.OrderID)))
	}
	w.submit(t, first, ActionPay, card("4242424242424242"))
	if c := w.record(t, first); c.Stage != checkout.Expired {
		t.Errorf("after it has expired, a payment makes it %s", c.Stage)
	}
}

func TestAnOrderThatIsOpenedTwiceHasOneCheckout(t *testing.T) {
	w := onSQLite(t)
	p := purchase("tUSD", one)
	if first, second := w.begin(t, p), w.begin(t, p); first != second {
		t.Errorf("it has %s and %s", first, second)
	}
}
