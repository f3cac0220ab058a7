package buy

import (
	"testing"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

var offered = ramp.Options{Assets: []ramp.Asset{
	{ID: "one", Name: "Ether", Symbol: "ETH", Networks: []ramp.Network{{Name: "ethereum-mainnet", Title: "Ethereum", ChainID: "eip155:1"}}},
	{ID: "one", Name: "USD Coin", Symbol: "USDC", Networks: []ramp.Network{
		{Name: "ethereum-mainnet", Title: "Ethereum", ChainID: "eip155:1", Contract: "0xETHER"},
		{Name: "base-mainnet", Title: "Base", ChainID: "eip155:8453", Contract: "0xBASE"},
	}},
}}

func TestATokenIsNamedInManyWays(t *testing.T) {
	for _, tt := range []struct {
		name, chainID string
		want          Token
	}{
		{"USDC", "", Token{"USDC", ""}},
		{"usdc", "eip155:8453", Token{"USDC", "eip155:8453"}},
		// Two tokens share an id in the lists of AppKit's vendor; the first one is used.
		{"one", "", Token{"ETH", ""}},
		{"USDC_BASE", "", Token{"USDC", "eip155:8453"}},
		{"USDC_ethereum-mainnet", "", Token{"USDC", "eip155:1"}},
		{"USDC_8453", "", Token{"USDC", "eip155:8453"}},
	} {
		if got, err := ParseToken("f", tt.name, tt.chainID, offered); got != tt.want || err != nil {
			t.Errorf("%s on %q: got %v, %v", tt.name, tt.chainID, got, err)
		}
	}
	for _, refused := range []struct{ name, chainID string }{{"DOGE", ""}, {"USDC_MOON", ""}, {"USDC", "8453"}, {"_", ""}, {"", ""}, {"USDC_BASE", "eip155:1"}} {
		if got, err := ParseToken("f", refused.name, refused.chainID, offered); err == nil {
			t.Errorf("%q on %q: got %v", refused.name, refused.chainID, got)
		}
	}
}

func TestANetworkIsNamedInManyWays(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "usdc": "", "base": "eip155:8453", "Base": "eip155:8453", "8453": "eip155:8453", "eip155:1": "eip155:1", "ethereum": "eip155:1",
	} {
		if got, err := ParseNetwork("network", name, "USDC", offered); got != want || err != nil {
			t.Errorf("%q: got %q, %v", name, got, err)
		}
	}
	if got, err := ParseNetwork("network", "solana", "USDC", offered); err == nil {
		t.Errorf("got %q", got)
	}
}
