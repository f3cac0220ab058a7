package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
)

// basis is how many basis points the whole has.
const basis = 10_000

// maxReferralBPS is the most that the routers let anyone take.
const maxReferralBPS = 100

// Referral is what the operator takes of the bought token, where a router can pay it out: SwapRouter02 and SwapRouter. The plain v2
// routers cannot, and take nothing.
type Referral struct {
	// BPS is in hundredths of a percent, from 1 to 100.
	BPS       uint32
	Recipient evm.Address
}

// Fee is what is taken of an output, in base units.
func (r *Referral) Fee(out *uint256.Int) *uint256.Int {
	fee, _ := new(uint256.Int).MulDivOverflow(out, uint256.NewInt(uint64(r.BPS)), uint256.NewInt(basis))
	return fee
}

// before is the least output, to a unit, of which the minimum is left after the fee: the routers check it before they take theirs.
func (r *Referral) before(minimum *uint256.Int) *uint256.Int {
	whole, left := uint256.NewInt(basis), uint256.NewInt(basis-uint64(r.BPS))
	gross, overflow := new(uint256.Int).MulDivOverflow(minimum, whole, left)
	if overflow {
		return new(uint256.Int).Not(new(uint256.Int))
	}
	for one := uint256.NewInt(1); new(uint256.Int).Sub(gross, r.Fee(gross)).Lt(minimum); {
		gross.Add(gross, one)
	}
	return gross
}
