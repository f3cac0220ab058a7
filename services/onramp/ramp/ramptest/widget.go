package ramptest

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func widgets(t *testing.T, open func(t *testing.T) Setup) {
	t.Run("open a page", func(t *testing.T) {
		w := open(t)
		page, err := openWidget(t.Context(), w, w.Purchase)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(page.URL)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Hostname() != "127.0.0.1" && u.Hostname() != "localhost" {
			t.Errorf("it opens %s", page.URL)
		}
		if !page.Expires.IsZero() && !page.Expires.After(time.Now()) {
			t.Errorf("it expired at %s", page.Expires)
		}
		mute(t, w, page.URL)
	})
	t.Run("are refused for a token that is not sold", func(t *testing.T) {
		w := open(t)
		for name, change := range map[string]func(*ramp.Purchase){
			"token":    func(p *ramp.Purchase) { p.Symbol = "NOSUCHTOKEN" },
			"chain":    func(p *ramp.Purchase) { p.ChainID = "eip155:999999999" },
			"currency": func(p *ramp.Purchase) { p.Pay = &ramp.Amount{Value: p.Pay.Value, Currency: "XTS"} },
			"wallet": func(p *ramp.Purchase) {
				p.Wallets = []ramp.Wallet{{Address: "bc1qrdvlkt8rqsyj229thqzhm0q39edwdj2k7yps6x"}}
			},
		} {
			p := w.Purchase
			change(&p)
			if page, err := openWidget(t.Context(), w, p); !errors.Is(err, ramp.ErrUnsupported) {
				t.Errorf("another %s: %+v, %v", name, page, err)
			}
		}
	})
	t.Run("are refused outside the limits", func(t *testing.T) {
		w := open(t)
		for _, amount := range []*ramp.Amount{w.TooLittle, w.TooMuch} {
			if amount == nil {
				continue
			}
			p := w.Purchase
			p.Pay, p.Receive = amount, nil
			_, err := openWidget(t.Context(), w, p)
			outside(t, *amount, err)
		}
	})
}

func openWidget(ctx context.Context, w Setup, p ramp.Purchase) (ramp.Widget, error) {
	return w.Provider.(ramp.Opener).Open(ctx, p)
}
