package activity

import (
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/evm"
)

func TestAnNFTWhoseCollectionBaitsIsMarked(t *testing.T) {
	const chain = "eip155:31337"
	contract := evm.Address{1}
	for name, want := range map[string]bool{"Anchors": false, "Claim at https://elsewhere.invalid": true} {
		p := Page{Named: wellKnown{}, Tokens: map[tokenKey]Token{{chain, contract}: {Contract: contract, Name: name}}}
		got := p.transfer(chain, Transfer{Asset: Asset{Standard: ERC721, Contract: contract, TokenID: "1"}, Direction: In, Units: big.NewInt(1)})
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

func TestARowIsAboutAListedTokenOrAWellKnownContractOnly(t *testing.T) {
	const chain = "eip155:31337"
	known, other, unknown, router := evm.Address{1}, evm.Address{2}, evm.Address{3}, evm.Address{4}
	p := Page{Named: wellKnown{}, Tokens: map[tokenKey]Token{{chain, known}: {Name: "Test USD", Listed: true}, {chain, other}: {Name: "Uniswap"}}}
	for _, c := range []struct {
		what string
		row  Row
		want string
	}{
		{"an approval", Row{Place: Place{ChainID: chain}, Detail: Detail{To: &known, Operation: Approve}}, "Test USD"},
		{"a transfer", Row{Place: Place{ChainID: chain}, Detail: Detail{To: &known, Operation: Send}}, ""},
		{"a contract that names itself", Row{Place: Place{ChainID: chain}, Detail: Detail{To: &other, Operation: Mint}}, ""},
		{"a contract nobody knows", Row{Place: Place{ChainID: chain}, Detail: Detail{To: &unknown, Operation: Execute}}, ""},
		{"a swap by a well-known router", Row{Place: Place{ChainID: chain}, Detail: Detail{To: &router, Operation: Trade}}, "Harbour"},
		{"what a well-known contract sends", Row{Place: Place{ChainID: chain}, Detail: Detail{To: &router, Operation: Receive}}, ""},
		{"a deployment", Row{Place: Place{ChainID: chain}, Detail: Detail{Operation: Deploy}}, ""},
	} {
		if got := p.application(c.row).GetName(); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
