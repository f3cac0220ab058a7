package coinbase_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/onramp/coinbase"
	"github.com/hawser-dev/hawser/services/onramp/coinbase/coinbasetest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/ramp/ramptest"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
}

const (
	orderID = "01JD5K3T8Q9V2W4X6Y8Z0A1B2C"
	account = "0xe0512E358C347cc2b1A42d057065CE642068b7Ba"

	solanaAccount = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
	mainnet       = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
)

func open(t *testing.T, s *coinbasetest.Server) *coinbase.Coinbase {
	t.Helper()
	c, err := coinbase.New(s.Config(), clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func dollars(text string) ramp.Amount {
	return ramp.Amount{Value: decimal.RequireFromString(text), Currency: "USD"}
}

func ask() ramp.Ask {
	return ramp.Ask{Pay: dollars("100.00"), Method: "card", Symbol: "USDC", ChainID: "eip155:8453", Region: ramp.Region{Country: "US", Subdivision: "NY"}}
}

func purchase() ramp.Purchase {
	pay := dollars("100.00")
	return ramp.Purchase{
		OrderID: orderID, Seller: "COINBASE", Pay: &pay, Method: "card", Symbol: "USDC", ChainID: "eip155:8453", Region: ramp.Region{Country: "US", Subdivision: "NY"},
		Wallets: []ramp.Wallet{{Address: account}}, Return: "https://shop.test/done?order=1", CallerIP: "203.0.113.7",
	}
}

func TestProvider(t *testing.T) {
	for kind, start := range map[string]func(testing.TB) *coinbasetest.Server{"Ed25519": coinbasetest.New, "EC": coinbasetest.NewEC} {
		t.Run(kind, func(t *testing.T) {
			ramptest.Run(t, func(t *testing.T) ramptest.Setup { return setup(t, start(t)) })
		})
	}
}

func setup(t *testing.T, s *coinbasetest.Server) ramptest.Setup {
	little, much := dollars("1.99"), dollars("7500.01")
	return ramptest.Setup{
		Provider: open(t, s), Secrets: []string{s.Config().KeySecret, coinbasetest.WebhookSecret, "Bearer"},
		Region: ramp.Region{Country: "US", Subdivision: "NY"}, Ask: ask(), Purchase: purchase(), TooLittle: &little, TooMuch: &much,
		Answer: s.Answer, SetState: s.SetState, Deliver: s.Deliver, States: coinbasetest.States(), Sign: sign,
	}
}
