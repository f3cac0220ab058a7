package route

import (
	"context"
	"testing"

	"github.com/holiman/uint256"
)

// The number of UniswapV2Library.getAmountOut for 1e18 in at reserves of 100e18 and 300e18.
func TestConstantProductPaysAsThePair(t *testing.T) {
	pool, err := NewConstantProduct(uint256.MustFromDecimal("100000000000000000000"), uint256.MustFromDecimal("300000000000000000000"), 997, 1000)
	if err != nil {
		t.Fatal(err)
	}
	market, err := NewMarket(2, []Pool{{Token0: 0, Token1: 1, Model: pool}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := market.Search(context.Background(), Request{From: 0, To: 1, Amount: *uint256.MustFromDecimal("1000000000000000000")})
	if err != nil {
		t.Fatal(err)
	}
	if got := plan.Out.Dec(); got != "2961474103191183896" {
		t.Fatalf("paid %s", got)
	}
	if again, err := market.Replay(plan); err != nil || again.Out != plan.Out {
		t.Fatalf("replayed %s: %v", again.Out.Dec(), err)
	}
}
