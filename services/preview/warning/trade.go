package warning

import "math/big"

const (
	// dustPart is the part of a whole token below which an amount without a price is dust, and dustDollars what is dust of others, in US dollars.
	dustPart    = 10_000
	dustDollars = 1
)

// isDust reports whether an amount in base units without a price is too small to be a payment: less than a ten-thousandth of a whole token.
func isDust(amount *big.Int, decimals int) bool {
	whole := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return new(big.Int).Mul(amount, big.NewInt(dustPart)).Cmp(whole) < 0
}

// Worth says whether what a request brings makes up for what it takes.
type Worth int

const (
	// Nothing means that nothing but dust arrives, or less than half of the value that leaves.
	Nothing Worth = iota
	// Uncertain means that something arrives, but not everything has a known price.
	Uncertain
	// Fair means that at least half of the value that leaves arrives.
	Fair
)

// Value is the value of amounts with a known price, in US dollars. Known is false if one has none.
type Value struct {
	Dollars float64
	Known   bool
}

// Add adds an amount in base units of a token whose whole unit has a price in US dollars; 0 is an unknown price.
func (v *Value) Add(amount *big.Int, decimals int, price float64) {
	if price <= 0 {
		v.Known = false
		return
	}
	whole, _ := new(big.Float).Quo(new(big.Float).SetInt(amount), new(big.Float).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))).Float64()
	v.Dollars += whole * price
}

// Arrive adds an amount as Add does, and reports whether more than dust has arrived.
func (v *Value) Arrive(amount *big.Int, decimals int, price float64) bool {
	if price <= 0 && isDust(amount, decimals) {
		return false
	}
	v.Add(amount, decimals, price)
	return price <= 0 || v.Dollars >= dustDollars
}

// WorthOf compares one asset that leaves with what arrives: what other assets that leave do not need must be half of its value. What has no price does not
// pay for what has one. Gains says whether more than dust arrives.
func WorthOf(asset, others, arrives Value, gains bool) Worth {
	isPaid := arrives.Dollars >= others.Dollars+asset.Dollars/2
	switch {
	case asset.Known && others.Known && isPaid && arrives.Dollars > 0:
		return Fair
	case !gains || !isPaid && (asset.Known || arrives.Known):
		return Nothing
	default:
		return Uncertain
	}
}

// AddHidden adds a warning of a transfer to an account that is not in the request. The calls of a trade do not say
// which amounts leave the account, so in a fair trade such a transfer is unusual only if it takes nearly all of an asset.
func (l *List) AddHidden(worth Worth, drains bool, subject, to string) {
	phrase := UnsaidTraded
	if drains {
		phrase = NearlyAllTraded
	}
	switch {
	case worth == Nothing:
		l.Add(HiddenTransfer, Danger, subject, MoreLeaves, to)
	case worth == Uncertain || drains:
		l.Add(HiddenTransfer, Caution, subject, phrase, to)
	default:
		l.Add(HiddenTransfer, Notice, subject, phrase, to)
	}
}
