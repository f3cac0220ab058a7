package bait

import "testing"

func TestName(t *testing.T) {
	for name, want := range map[string]bool{
		"Claim at https://x.y": true, "visit usdc-claim.com": true, "$1000 at WWW.x": true, "t.me/airdrop": true, "$5,000 on rich.example": true,
		"rich.xyz": true, "reward: Pool.Finance": true,
		"": false, "Ether": false, "USDC.e": false, "Curve.fi USD": false, "Gift of vitalik.eth": false, "yearn.finance": false, "Free Ross": false,
	} {
		if got := Name(name); got != want {
			t.Errorf("Name(%q) = %v", name, got)
		}
	}
}

func TestSymbol(t *testing.T) {
	for symbol, want := range map[string]bool{"rich.example": true, "t.me/x": true, "USDC.e": false, "USD₮0": false, "": false} {
		if got := Symbol(symbol); got != want {
			t.Errorf("Symbol(%q) = %v", symbol, got)
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("Claim at https://x.y")
	f.Fuzz(func(t *testing.T, name string) {
		if Name(name) && !Symbol(name) {
			t.Errorf("%q is bait as a name and none as a symbol", name)
		}
	})
}
