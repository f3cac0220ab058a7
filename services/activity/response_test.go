package activity

import (
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestAnNFTOfACollectionWithALinkIsMarked(t *testing.T) {
	const chain = "eip155:31337"
	contract := evm.Address{1}
	for name, want := range map[string]bool{"Anchors": false, "Claim at https://elsewhere.invalid": true} {
		p := Page{Names: wellKnown{}, Tokens: map[tokenKey]index.Token{{chain, contract}: {Contract: contract, Name: name}}}
		got := p.transfer(chain, index.Transfer{Asset: index.Asset{Standard: index.ERC721, Contract: contract, TokenID: "1"}, Direction: index.In, Units: big.NewInt(1)})
		if got.GetNftInfo().GetFlags().GetIsSpam() != want {
			t.Errorf("%q: %v", name, got.GetNftInfo())
		}
	}
}

// wellKnown names contracts by their first byte.
type wellKnown struct{}

func (wellKnown) Name(_ string, contract evm.Address) (string, bool) {
	name, ok := map[byte]string{4: "Harbour", 1: "another name"}[contract[0]]
	return name, ok
}

func TestOnlyListedTokensAndWellKnownContractsAreApplications(t *testing.T) {
	const chain = "eip155:31337"
	known, other, unknown, router := evm.Address{1}, evm.Address{2}, evm.Address{3}, evm.Address{4}
	p := Page{Names: wellKnown{}, Tokens: map[tokenKey]index.Token{{chain, known}: {Name: "Test USD", Listed: true}, {chain, other}: {Name: "Uniswap"}}}
	for _, c := range []struct {
		what string
		row  index.Row
		want string
	}{
		{"an approval", index.Row{Place: index.Place{ChainID: chain}, Detail: index.Detail{To: &known, Operation: index.Approve}}, "Test USD"},
		{"a transfer", index.Row{Place: index.Place{ChainID: chain}, Detail: index.Detail{To: &known, Operation: index.Send}}, ""},
		{"a contract that returns a name", index.Row{Place: index.Place{ChainID: chain}, Detail: index.Detail{To: &other, Operation: index.Mint}}, ""},
		{"an unknown contract", index.Row{Place: index.Place{ChainID: chain}, Detail: index.Detail{To: &unknown, Operation: index.Execute}}, ""},
		{"a swap by a well-known router", index.Row{Place: index.Place{ChainID: chain}, Detail: index.Detail{To: &router, Operation: index.Trade}}, "Harbour"},
		{"a transfer from a well-known contract", index.Row{Place: index.Place{ChainID: chain}, Detail: index.Detail{To: &router, Operation: index.Receive}}, ""},
		{"a deployment", index.Row{Place: index.Place{ChainID: chain}, Detail: index.Detail{Operation: index.Deploy}}, ""},
	} {
		if got := p.application(c.row).GetName(); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
