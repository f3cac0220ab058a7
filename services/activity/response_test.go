package activity

import (
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/balances/evm"
)

func TestAnNFTWhoseCollectionBaitsIsMarked(t *testing.T) {
	const chain = "eip155:31337"
	contract := evm.Address{1}
	for name, want := range map[string]bool{"Anchors": false, "Claim at https://elsewhere.invalid": true} {
		p := Page{Tokens: map[tokenKey]Token{{chain, contract}: {Contract: contract, Name: name}}}
		got := p.transfer(chain, Transfer{Asset: Asset{Standard: ERC721, Contract: contract, TokenID: "1"}, Direction: In, Units: big.NewInt(1)})
		if got.GetNftInfo().GetFlags().GetIsSpam() != want {
			t.Errorf("%q: %v", name, got.GetNftInfo())
		}
	}
}
