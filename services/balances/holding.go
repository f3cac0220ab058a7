package balances

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/balances/evm"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/balances/tokens"
)

// Holding is how much of one token an account has.
type Holding struct {
	ChainID string
	// Address is the token's CAIP-10 id; empty for the native currency.
	Address  string
	Name     string
	Symbol   string
	Icon     string
	Decimals uint8
	// Units is the amount in base units.
	Units *big.Int
	// Price is that of one whole unit in the currency asked; 0 when it is not known.
	Price float64
	// Priced says whether Price is known.
	Priced bool
}

// Value is what the holding is worth; false when the price is not known.
func (h Holding) Value() (float64, bool) {
	if !h.Priced {
		return 0, false
	}
	return Value(h.Units, h.Decimals, h.Price), true
}

// subject is a token to be counted.
type subject struct {
	asset    prices.Asset
	id       string // CAIP-10, spelled as it will be answered; empty for the native currency
	name     string
	symbol   string
	icon     string
	decimals uint8
	// forced tokens are listed even when nothing of them is held.
	forced bool
}

func nativeSubject(n Network) subject {
	return subject{asset: prices.Asset{Chain: n.ChainID, Address: evm.Native}, name: n.Name, symbol: n.Symbol, decimals: n.Decimals}
}

func tokenSubject(chainID string, t tokens.Token) subject {
	return subject{
		asset: prices.Asset{Chain: chainID, Address: t.Address}, id: chainID + ":" + t.Address.String(),
		name: t.Name, symbol: t.Symbol, icon: t.Icon, decimals: t.Decimals,
	}
}

// holding counts units of the subject; false when there is nothing to list.
func (s subject) holding(units *big.Int, known bool, price func(prices.Asset) (float64, bool)) (Holding, bool) {
	if !known || units.Sign() == 0 && !s.forced {
		return Holding{}, false
	}
	h := Holding{ChainID: s.asset.Chain, Address: s.id, Name: s.name, Symbol: s.symbol, Icon: s.icon, Decimals: s.decimals, Units: units}
	h.Price, h.Priced = price(s.asset)
	return h, true
}

// sortHoldings puts native currencies first, then what is worth most, then what has no known price by symbol.
func sortHoldings(holdings []Holding) {
	type ranked struct {
		Holding
		value float64
	}
	rows := make([]ranked, len(holdings))
	for i, h := range holdings {
		value, known := h.Value()
		if !known {
			value = -1
		}
		rows[i] = ranked{h, value}
	}
	slices.SortStableFunc(rows, func(a, b ranked) int {
		return cmp.Or(
			cmp.Compare(min(1, len(a.Address)), min(1, len(b.Address))),
			cmp.Compare(b.value, a.value),
			cmp.Compare(a.Symbol, b.Symbol),
			cmp.Compare(a.Address, b.Address),
		)
	})
	for i, r := range rows {
		holdings[i] = r.Holding
	}
}
