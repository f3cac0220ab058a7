package execution

import (
	"testing"

	"github.com/holiman/uint256"
	"pgregory.net/rapid"
)

func anyAmount(t *rapid.T, label string) *uint256.Int {
	n := new(uint256.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 1, 30).Draw(t, label))
	return n.AddUint64(n, 1)
}

func TestTheMinimumBeforeAReferralLeavesExactlyTheMinimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &Referral{BPS: rapid.Uint32Range(1, maxReferralBPS).Draw(t, "bps")}
		minimum := anyAmount(t, "minimum")
		gross := r.before(minimum)
		if left := new(uint256.Int).Sub(gross, r.Fee(gross)); left.Lt(minimum) {
			t.Fatalf("%d of %s leaves %s, less than %s", r.BPS, gross, left, minimum)
		}
		less, underflow := new(uint256.Int).SubOverflow(gross, uint256.NewInt(2))
		if left := new(uint256.Int).Sub(less, r.Fee(less)); !underflow && !left.Lt(minimum) {
			t.Fatalf("%d of %s leaves %s already", r.BPS, less, left)
		}
	})
}

func TestSharesAddUpToTheAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := anyAmount(t, "amount")
		var weights []*uint256.Int
		for range rapid.IntRange(1, 9).Draw(t, "weights") {
			weights = append(weights, anyAmount(t, "weight"))
		}
		sum := new(uint256.Int)
		for i, part := range share(amount, weights) {
			sum.Add(sum, part)
			if part.Gt(amount) {
				t.Fatalf("part %d is %s of %s", i, part, amount)
			}
		}
		if !sum.Eq(amount) {
			t.Fatalf("the parts are %s of %s", sum, amount)
		}
	})
}
