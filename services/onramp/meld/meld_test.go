package meld_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/onramp/meld"
	"github.com/hawser-dev/hawser/services/onramp/meld/meldtest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/ramp/ramptest"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
}

const (
	orderID       = "01JD5K3T8Q9V2W4X6Y8Z0A1B2C"
	account       = "0xe0512E358C347cc2b1A42d057065CE642068b7Ba"
	solanaAccount = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
	solana        = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
)

func open(t testing.TB, s *meldtest.Server) *meld.Meld {
	t.Helper()
	m, err := meld.New(s.Config(), clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func dollars(text string) ramp.Amount {
	return ramp.Amount{Value: decimal.RequireFromString(text), Currency: "USD"}
}

func ask() ramp.Ask {
	return ramp.Ask{Pay: dollars("100.00"), Method: "card", Symbol: "USDC", ChainID: "eip155:8453", Region: ramp.Region{Country: "US"}}
}

func purchase() ramp.Purchase {
	pay := dollars("100.00")
	return ramp.Purchase{
		OrderID: orderID, Seller: "TRANSAK", Pay: &pay, Method: "card", Symbol: "USDC", ChainID: "eip155:8453", Region: ramp.Region{Country: "US"},
		Wallets: []ramp.Wallet{{Address: account}}, Return: "https://shop.test/done?order=1", CallerIP: "203.0.113.7",
	}
}

func TestProvider(t *testing.T) {
	t.Run("EVM", func(t *testing.T) {
		ramptest.Run(t, func(t *testing.T) ramptest.Setup { return setup(t, ask(), purchase()) })
	})
	t.Run("Solana", func(t *testing.T) {
		a, p := ask(), purchase()
		a.Symbol, a.ChainID, p.Symbol, p.ChainID, p.Wallets = "SOL", solana, "SOL", solana, []ramp.Wallet{{Address: account}, {Address: solanaAccount}}
		ramptest.Run(t, func(t *testing.T) ramptest.Setup { return setup(t, a, p) })
	})
}

func setup(t *testing.T, a ramp.Ask, p ramp.Purchase) ramptest.Setup {
	s := meldtest.New(t)
	little, much := dollars("4.99"), dollars("30000.01")
	return ramptest.Setup{
		Provider: open(t, s), Secrets: []string{meldtest.APIKey, meldtest.WebhookSecret}, Region: a.Region, Ask: a, Purchase: p,
		TooLittle: &little, TooMuch: &much, Answer: s.Answer, SetState: s.SetState, Deliver: s.Deliver, States: meldtest.States(), Sign: sign, SignsURL: true,
	}
}

func sign(body []byte, otherKey bool) ramp.Delivery {
	secret := meldtest.WebhookSecret
	if otherKey {
		secret = "hunter3"
	}
	return meldtest.Sign(body, secret, meldtest.WebhookURL, time.Now())
}
