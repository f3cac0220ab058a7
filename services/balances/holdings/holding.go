package holdings

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
)

// Numeric prints an amount in base units as whole units with all its decimal places: 10^17 with 18 decimals is
// `0.100000000000000000`, and 5 with none is `5`.
func Numeric(units *big.Int, decimals uint8) string {
	digits := units.String()
	if decimals == 0 {
		return digits
	}
	places := int(decimals)
	if missing := places + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole := len(digits) - places
	return digits[:whole] + "." + digits[whole:]
}

// Value returns the value of an amount in base units at a price per whole unit, for display. It multiplies decimals, so that 100 units at 0.07
// are 7 and not 7.000000000000001.
func Value(units *big.Int, decimals uint8, price float64) float64 {
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(price, 'g', -1, 64))
	if !ok {
		return 0
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	value, _ := exact.Mul(exact, new(big.Rat).SetFrac(units, scale)).Float64()
	return value
}

// LimitSale is the reason of a value below quantity times price: the pools of the token would pay less, or hold too little.
const LimitSale = "sale"

// Worth returns the value of an amount in base units, for display: at most what the pools pay for it that made the price. limited is set if that is less
// than nine tenths of its value at the price.
func Worth(units *big.Int, decimals uint8, price prices.Price) (value float64, limited bool) {
	value = Value(units, decimals, price.Amount)
	if price.Market == nil {
		return value, false
	}
	amount, _ := new(big.Float).SetInt(units).Float64()
	most := price.Market.Limit(amount)
	return min(value, most), most < 0.9*value
}

// Holding is the amount of one token that an account has.
type Holding struct {
	ChainID string
	asset   prices.Asset
	// Native marks the native currency.
	Native bool
	// Address is the token's CAIP-10 id; empty for the native currency of eip155.
	Address  string
	Name     string
	Symbol   string
	Icon     string
	Decimals uint8
	// Units is the amount in base units.
	Units *big.Int
	// Price is that of one whole unit in the requested currency.
	Price prices.Price
	// Value is the value of the holding in that currency, for display.
	Value float64
	// Priced reports whether Price and Value are known.
	Priced bool
	// Limit is the reason why there is no value, or less than quantity times price: LimitSale or a reason of [prices.Table.Unpriced]; empty for none.
	Limit string
	// Hidden is the reason to hide the token by default; empty to show it.
	Hidden string
}

// pricing returns the price of one whole unit of a token; false if it is unknown.
type pricing func(prices.Asset) (prices.Price, bool)

// candidate is a token whose balance is read.
type candidate struct {
	asset    prices.Asset
	id       string // CAIP-10, in the caller's spelling; empty for the native currency
	name     string
	symbol   string
	icon     string
	decimals uint8
	// forced tokens are listed with a zero balance too.
	forced bool
	// listed tokens are native currencies and those of the token lists; the name and symbol of others come from their contracts.
	listed bool
	// nameless candidates have no known name and symbol yet; nothing marks contracts that are not tokens.
	nameless, nothing bool
}

func nativeCandidate(n Network) candidate {
	return candidate{asset: prices.Asset{Chain: n.ChainID, Address: evm.Native}, name: n.Name, symbol: n.Symbol, decimals: n.Decimals, listed: true}
}

func tokenCandidate(chainID string, t tokens.Token) candidate {
	return candidate{
		asset: prices.Asset{Chain: chainID, Address: t.Address}, id: t.ID,
		name: t.Name, symbol: t.Symbol, icon: t.Icon, decimals: t.Decimals,
	}
}

// holding returns the holding of an amount; false if it must not be listed.
func (s candidate) holding(units *big.Int, known bool, price pricing) (Holding, bool) {
	if !known || s.nothing || units.Sign() == 0 && !s.forced {
		return Holding{}, false
	}
	h := Holding{ChainID: s.asset.Chain, asset: s.asset, Native: s.asset.Address == evm.Native, Address: s.id, Name: s.name, Symbol: s.symbol, Icon: s.icon, Decimals: s.decimals, Units: units}
	h.Price, h.Priced = price(s.asset)
	h.Appraise()
	return h, true
}

// Appraise sets the value of a holding at its price.
func (h *Holding) Appraise() {
	h.Value, h.Limit = 0, ""
	if !h.Priced {
		return
	}
	var limited bool
	if h.Value, limited = Worth(h.Units, h.Decimals, h.Price); limited {
		h.Limit = LimitSale
	}
}

// Sort sorts native currencies first, then by value, then tokens without a price by symbol, then hidden tokens.
func Sort(holdings []Holding) {
	slices.SortStableFunc(holdings, func(a, b Holding) int {
		return cmp.Or(
			cmp.Compare(a.rank(), b.rank()),
			cmp.Compare(b.Value, a.Value),
			cmp.Compare(a.Symbol, b.Symbol),
			cmp.Compare(a.Address, b.Address),
		)
	})
}

// rank is 0 for native currencies, 1 for tokens with a known price, 2 for those without, 3 for hidden ones.
func (h Holding) rank() int {
	switch {
	case h.Hidden != "":
		return 3
	case h.Native:
		return 0
	case h.Priced:
		return 1
	default:
		return 2
	}
}
