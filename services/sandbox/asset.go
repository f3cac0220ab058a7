package sandbox

import (
	"math/big"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/evm"
)

// asset is a token of one chain, or the chain's own currency, that is sold.
type asset struct {
	Symbol, Name string
	ChainID      string
	// ChainName is for people.
	ChainName string
	// Contract is nil for the chain's own currency.
	Contract *evm.Address
	Decimals uint8
	// Price is in US dollars for one unit.
	Price decimal.Decimal
	// Held is what can be sent, in whole units.
	Held decimal.Decimal
}

// contract is the token's address; empty for the chain's own currency.
func (a asset) contract() string {
	if a.Contract == nil {
		return ""
	}
	return a.Contract.String()
}

// code names a token of a chain in a form.
func (a asset) code() string { return a.ChainID + "/" + a.Symbol }

// whole is an amount of base units in whole ones.
func whole(units *big.Int, decimals uint8) decimal.Decimal {
	return decimal.NewFromBigInt(units, -int32(decimals))
}

// base is an amount in base units.
func base(amount decimal.Decimal, decimals uint8) *big.Int {
	return amount.Shift(int32(decimals)).BigInt()
}

func sameSymbol(a, b string) bool { return strings.EqualFold(a, b) }

// slug spells a chain's name as providers do.
func slug(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }
