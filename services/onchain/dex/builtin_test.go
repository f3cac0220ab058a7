package dex

import (
	"slices"
	"testing"
)

func TestPricesReadTheirPartOfTheTable(t *testing.T) {
	pricing, err := BuiltInPricing()
	if err != nil {
		t.Fatal(err)
	}
	if len(pricing) != len(served) {
		t.Errorf("got %d chains, want %d", len(pricing), len(served))
	}
	base := pricing["eip155:8453"]
	if len(base.Anchors) != 1 || base.Anchors[0].Decimals != 6 {
		t.Errorf("anchors of Base: got %v, want the one hub with a feed", base.Anchors)
	}
	pairs := []PairFactory{
		{"Uniswap", "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6", 3000}, // of two routers
		{"SushiSwap", "0x71524B4f93c58fcbF659783284E38825f0622859", 3000},
	}
	if !slices.Equal(base.Pairs, pairs) {
		t.Errorf("pairs of Base: got %v, want %v", base.Pairs, pairs)
	}
	bnb := pricing["eip155:56"]
	if len(bnb.Pairs) != 1 || bnb.Pairs[0].Fee != 2500 || len(bnb.Pools) != 2 {
		t.Errorf("BNB Smart Chain: got %v and %v, want PancakeSwap's pairs alone", bnb.Pairs, bnb.Pools)
	}
	for chainID, p := range pricing {
		for _, f := range p.Pools {
			for _, fee := range f.Fees {
				if UsualSpacing(fee) == 0 {
					t.Errorf("%s %s: fee %d has no spacing", chainID, f.Name, fee)
				}
			}
		}
	}
}
