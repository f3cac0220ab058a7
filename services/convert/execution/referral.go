package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// basis is 100 percent in basis points.
const basis = 10_000

// maxReferralBPS is the largest fee that routers pay out, in basis points.
const maxReferralBPS = 100

// Referral is the operator's share of the bought token. Routers that trade only v2 pools cannot pay it, so nothing is
// deducted there.
type Referral struct {
	// BPS is in hundredths of a percent, from 1 to 100.
	BPS       uint32
	Recipient evm.Address
}

// Fee returns the share of an output, in base units.
func (r *Referral) Fee(out *uint256.Int) *uint256.Int {
	fee, _ := new(uint256.Int).MulDivOverflow(out, uint256.NewInt(uint64(r.BPS)), uint256.NewInt(basis))
	return fee
}

// before returns the smallest output that leaves the minimum after the fee: routers check their minimum before they deduct it.
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
