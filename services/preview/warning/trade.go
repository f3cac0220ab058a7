package warning

import "math/big"

// dustPart is the part of a whole token below which an amount is dust.
const dustPart = 10_000

// IsDust reports whether an amount in base units is too small to be a payment: less than a ten-thousandth of a whole token.
func IsDust(amount *big.Int, decimals int) bool {
	whole := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return new(big.Int).Mul(amount, big.NewInt(dustPart)).Cmp(whole) < 0
}

// AddHidden adds a warning of a transfer to an account that is not in the request. The calls of a trade do not say
// which amounts leave the account, so in a trade such a transfer is unusual only if it takes nearly all of an asset.
func (l *List) AddHidden(isTrade, drains bool, subject, to string) {
	switch {
	case !isTrade:
		l.Add(HiddenTransfer, Danger, subject, MoreLeaves, to)
	case drains:
		l.Add(HiddenTransfer, Caution, subject, NearlyAllTraded, to)
	default:
		l.Add(HiddenTransfer, Notice, subject, UnsaidTraded, to)
	}
}
