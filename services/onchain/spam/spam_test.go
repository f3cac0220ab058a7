package spam

import "testing"

func TestNameHasLink(t *testing.T) {
	for name, want := range map[string]bool{
		"Claim at https://x.y": true, "visit usdc-claim.com": true, "$1000 at WWW.x": true, "t.me/airdrop": true, "$5,000 on rich.example": true,
		"rich.xyz": true, "reward: Pool.Finance": true,
		"": false, "Ether": false, "USDC.e": false, "Curve.fi USD": false, "Gift of vitalik.eth": false, "yearn.finance": false, "Free Ross": false,
	} {
		if got := NameHasLink(name); got != want {
			t.Errorf("NameHasLink(%q) = %v", name, got)
		}
	}
}

func TestSymbolHasLink(t *testing.T) {
	for symbol, want := range map[string]bool{"rich.example": true, "t.me/x": true, "USDC.e": false, "USD₮0": false, "": false} {
		if got := SymbolHasLink(symbol); got != want {
			t.Errorf("SymbolHasLink(%q) = %v", symbol, got)
		}
	}
}

func FuzzNameHasLink(f *testing.F) {
	f.Add("Claim at https://x.y")
	f.Fuzz(func(t *testing.T, name string) {
		if NameHasLink(name) && !SymbolHasLink(name) {
			t.Errorf("%q has a link as a name and none as a symbol", name)
		}
	})
}
