package wallet_test

import (
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/wallet"
)

func TestSettingsForDevelopmentAreFaultsOutsideIt(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*wallet.Config)
		want   string
	}{
		"registries of Farcaster on another network": {func(c *wallet.Config) { c.FarcasterNetwork = "eip155:31337" }, "farcaster_network"},
		"a provider without encryption":              {func(c *wallet.Config) { c.Social.Google.Address = "http://people.example" }, "google.address"},
		"Apple without encryption":                   {func(c *wallet.Config) { c.Social.Apple.Address = "http://people.example" }, "apple.address"},
		"a provider on this machine":                 {func(c *wallet.Config) { c.Social.X.Address = "http://localhost:5175/identity/x" }, ""},
		"a provider behind a proxy":                  {func(c *wallet.Config) { c.Social.Discord.Address = "https://proxy.example/discord" }, ""},
		"the defaults":                               {func(*wallet.Config) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := wallet.DefaultConfig()
			tt.change(&c)
			faults := c.CheckDevelopment()
			if tt.want == "" && len(faults) > 0 || tt.want != "" && (len(faults) != 1 || faults[0].Key != tt.want) {
				t.Errorf("%v", faults)
			}
			c.Development = true
			if faults := c.CheckDevelopment(); len(faults) > 0 {
				t.Errorf("in development: %v", faults)
			}
		})
	}
}

func TestValuesThatAreNoAddressesAreFaults(t *testing.T) {
	for _, network := range []string{"", "10", "solana:HawserDevnet11111111111111111111"} {
		c := wallet.DefaultConfig()
		c.FarcasterNetwork = network
		if faults := c.Check(); len(faults) != 1 || faults[0].Key != "farcaster_network" {
			t.Errorf("%q: %v", network, faults)
		}
	}
	for _, address := range []string{"people.example", "ftp://people.example", "https://", "https://a:b@people.example", "https://people.example?a=1", "https://people.example#a"} {
		c := wallet.DefaultConfig()
		c.Social.GitHub.Address = address
		if faults := c.Social.Check(); len(faults) != 1 || !strings.HasPrefix(faults[0].Key, "github.address") {
			t.Errorf("%q: %v", address, faults)
		}
	}
}
