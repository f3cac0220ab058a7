package nfts

import (
	"testing"

	"github.com/hawser-dev/hawser/services/nfts/metadata"
)

func TestBait(t *testing.T) {
	for name, want := range map[string]string{
		"Anchors": "", "vitalik.eth": "", "freedom.eth": "", "Mr. Anchor": "", "No.1 Club": "", "v2.0": "", "3.14": "", "Concert no 5. Live": "", "Freedom": "",
		"Loot (for Adventurers)": "", "Mirror.xyz Editions": "", "Dr.Who": "",
		"Claim at https://x.y": "link", "visit usdc-claim.com": "link", "$1000 at WWW.x": "link", "t.me/airdrop": "link", "gift-eth.network now": "link",
		"$5,000 on rich.example": "link", "rich.xyz": "link", "reward: Pool.Finance": "link",
	} {
		if got := hidden(Collection{Name: name}); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	say := func(names ...string) Collection {
		c := Collection{Name: "Shared"}
		for _, n := range names {
			c.Items = append(c.Items, Item{Metadata: &metadata.Document{Name: n}})
		}
		return c
	}
	if got := hidden(say("claim.xyz", "claim.xyz 2", "")); got != "link" {
		t.Errorf("all links: got %q", got)
	}
	if got := hidden(say("claim.xyz", "Art")); got != "" {
		t.Errorf("one honest token among them: got %q", got)
	}
}
