package sandbox

import (
	"errors"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/seller"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func TestTheDefaultConfigurationIsValid(t *testing.T) {
	if faults := DefaultConfig().Check(); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
}

func TestAnInvalidConfigurationIsRejected(t *testing.T) {
	tests := map[string]struct {
		change func(*Config)
		key    string
	}{
		"no key":                   {func(c *Config) { c.Treasury = "secret words" }, "treasury"},
		"a short secret":           {func(c *Config) { c.WebhookSecret = "short" }, "webhook_secret"},
		"no rate":                  {func(c *Config) { c.DollarsPerEuro = "0" }, "dollars_per_euro"},
		"a moment":                 {func(c *Config) { c.Lifetime = 1 }, "lifetime"},
		"a name in capitals":       {func(c *Config) { c.Sellers[0].Name = "Harbor" }, "sellers[0].name"},
		"a name twice":             {func(c *Config) { c.Sellers[1].Name = c.Sellers[0].Name }, "sellers[1].name"},
		"no title":                 {func(c *Config) { c.Sellers[0].Title = "" }, "sellers[0].title"},
		"a fee of all":             {func(c *Config) { c.Sellers[0].Fee = "100" }, "sellers[0]"},
		"a fee in words":           {func(c *Config) { c.Sellers[0].Fee = "one" }, "sellers[0]"},
		"a part of a cent for gas": {func(c *Config) { c.Sellers[0].NetworkFee = "0.005" }, "sellers[0]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			cfg := DefaultConfig()
			test.change(&cfg)
			faults := cfg.Check()
			if len(faults) != 1 || faults[0].Key != test.key {
				t.Fatalf("the faults are %v, want one of %s", faults, test.key)
			}
			if strings.Contains(faults[0].Error(), "secret words") {
				t.Error("the fault says the key")
			}
		})
	}
}

func TestWhichSellerIsBetterDependsOnTheAmount(t *testing.T) {
	sellers := DefaultConfig().Sellers
	buys := func(s seller.Config, dollars int64) decimal.Decimal {
		terms, err := s.Fees()
		if err != nil {
			t.Fatal(err)
		}
		o, err := terms.Offer(ramp.Amount{Value: decimal.NewFromInt(dollars), Currency: "USD"}, decimal.NewFromInt(1), checkout.Asset{Price: decimal.NewFromInt(1), Decimals: 6})
		if err != nil {
			t.Fatal(err)
		}
		return o.Purchase
	}
	if !buys(sellers[0], 100).LessThan(buys(sellers[1], 100)) || !buys(sellers[0], 500).GreaterThan(buys(sellers[1], 500)) {
		t.Error("one is better for every amount")
	}
}

func TestMoneyHasTwoDecimalPlaces(t *testing.T) {
	terms, err := DefaultConfig().Sellers[0].Fees()
	if err != nil {
		t.Fatal(err)
	}
	_, err = terms.Offer(ramp.Amount{Value: decimal.RequireFromString("100.001"), Currency: "USD"}, decimal.NewFromInt(1), checkout.Asset{Price: decimal.NewFromInt(1), Decimals: 6})
	if !errors.Is(err, ramp.ErrUnsupported) {
		t.Errorf("a tenth of a cent is taken: %v", err)
	}
}
