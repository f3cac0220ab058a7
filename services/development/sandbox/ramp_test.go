package sandbox

import (
	"context"
	"net/http"
	"testing"

	"github.com/shopspring/decimal"

	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/seller"
	"github.com/hawser-dev/hawser/services/development/sandbox/webhook"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/ramp/ramptest"
	"github.com/hawser-dev/hawser/services/onramp/ramp/remote"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

func TestSellersAreProviders(t *testing.T) {
	for i, one := range DefaultConfig().Sellers {
		t.Run(one.Name, func(t *testing.T) {
			w := onSQLite(t)
			ramptest.Run(t, func(t *testing.T) ramptest.Setup { return w.promises(t, w.sellers[i]) })
		})
	}
}

// TestSellersAreProvidersOverRPC uses the sellers as the onramp service does.
func TestSellersAreProvidersOverRPC(t *testing.T) {
	for i, one := range DefaultConfig().Sellers {
		t.Run(one.Name, func(t *testing.T) {
			w := onSQLite(t)
			ramptest.Run(t, func(t *testing.T) ramptest.Setup {
				promises := w.promises(t, w.sellers[i])
				var channel run.Local
				sandboxv1.RegisterSellerServiceServer(&channel, remote.Serve(w.providers))
				promises.Provider = remote.NewClient(sandboxv1.NewSellerServiceClient(&channel), w.clock).Providers()[i]
				return promises
			})
		})
	}
}

// promises returns a seller whose orders reach their states without a payment.
func (w *world) promises(t *testing.T, s *seller.Seller) ramptest.Setup {
	dollars := func(n int64) *ramp.Amount { return &ramp.Amount{Value: decimal.NewFromInt(n), Currency: "USD"} }
	p := purchase("tUSD", one)
	return ramptest.Setup{
		Provider: s, Secrets: []string{treasuryKey, treasuryKey[2:]}, Region: ramp.Region{Country: "US", Subdivision: "NY"},
		Ask: ramp.Ask{Pay: *p.Pay, Symbol: p.Symbol, ChainID: p.ChainID, Method: checkout.MethodCard}, Purchase: p,
		TooLittle: dollars(9), TooMuch: dollars(7501),
		SetState: func(orderID string, state ramp.State) { w.tell(t, s, orderID, state) },
		Deliver: func(orderID string, state ramp.State) ramp.Delivery {
			body, err := webhook.Encode(s.Name(), event(orderID, state, w))
			if err != nil {
				t.Fatal(err)
			}
			return w.signed(s.Key, []byte(body))
		},
		Sign: func(body []byte, otherKey bool) ramp.Delivery {
			key := s.Key
			if otherKey {
				key = webhook.Key("another secret", s.Name())
			}
			return w.signed(key, body)
		},
		States: []ramp.State{ramp.Pending, ramp.Paid, ramp.Cancelled, ramp.Failed, ramp.Completed, ramp.Refunded},
	}
}

func event(orderID string, state ramp.State, w *world) ramp.Event {
	c := checkout.Checkout{OrderID: orderID}
	return c.Event(state, w.clock.Now())
}

// tell stores an event as a checkout does.
func (w *world) tell(t *testing.T, s *seller.Seller, orderID string, state ramp.State) {
	t.Helper()
	err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
		return w.store.AddEvents(context.WithoutCancel(t.Context()), tx, checkout.Checkout{OrderID: orderID, Seller: s.Name()}, []ramp.Event{event(orderID, state, w)})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) signed(key, body []byte) ramp.Delivery {
	header := http.Header{"Content-Type": {"application/json"}}
	header.Set(webhook.SignatureHeader, webhook.Sign(key, body, w.clock.Now()))
	return ramp.Delivery{URL: w.cfg.Gateway + ramp.WebhookPath, Header: header, Body: body, At: w.clock.Now()}
}
