package holdings

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/tokens"
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

// Value is what an amount in base units is worth at a price per whole unit, for display. The price counts as the decimal it is shown
// as, so that 100 units at 0.07 are 7 and not 7.000000000000001.
func Value(units *big.Int, decimals uint8, price float64) float64 {
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(price, 'g', -1, 64))
	if !ok {
		return 0
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	value, _ := exact.Mul(exact, new(big.Rat).SetFrac(units, scale)).Float64()
	return value
}

// Holding is how much of one token an account has.
type Holding struct {
	ChainID string
	asset   prices.Asset
	// Address is the token's CAIP-10 id; empty for the native currency.
	Address  string
	Name     string
	Symbol   string
	Icon     string
	Decimals uint8
	// Units is the amount in base units.
	Units *big.Int
	// Price is that of one whole unit in the currency asked.
	Price prices.Price
	// Value is what the holding is worth in that currency, for display.
	Value float64
	// Priced says whether Price and Value are known.
	Priced bool
	// Hidden is why the token is better not shown at first; empty when nothing speaks against it.
	Hidden string
}

// pricing tells what one unit of a token is worth; false when it is not known.
type pricing func(prices.Asset) (prices.Price, bool)

// candidate is a token to be counted.
type candidate struct {
	asset    prices.Asset
	id       string // CAIP-10, spelled as it will be answered; empty for the native currency
	name     string
	symbol   string
	icon     string
	decimals uint8
	// forced tokens are listed even when nothing of them is held.
	forced bool
	// listed tokens, and native currencies, are known to this installation; the others only say of themselves what they are.
	listed bool
	// nameless subjects have not said yet what they are; nothing ones turned out to be no token.
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

// holding counts units of the subject; false when there is nothing to list.
func (s candidate) holding(units *big.Int, known bool, price pricing) (Holding, bool) {
	if !known || s.nothing || units.Sign() == 0 && !s.forced {
		return Holding{}, false
	}
	h := Holding{ChainID: s.asset.Chain, asset: s.asset, Address: s.id, Name: s.name, Symbol: s.symbol, Icon: s.icon, Decimals: s.decimals, Units: units}
	if h.Price, h.Priced = price(s.asset); h.Priced {
		h.Value = Value(units, s.decimals, h.Price.Amount)
	}
	return h, true
}

// sortHoldings puts native currencies first, then what is worth most, then what has no known price by symbol, then what is hidden.
func sortHoldings(holdings []Holding) {
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
	case h.Address == "":
		return 0
	case h.Priced:
		return 1
	default:
		return 2
	}
}
