package checkout

import (
	"math/big"
	"strings"

	"github.com/shopspring/decimal"
)

// Asset is a token of a chain that is sold, or the chain's native currency.
type Asset struct {
	Symbol, Name string
	ChainID      string
	// ChainName is the name to display.
	ChainName string
	// Contract is the address of the token, on Solana of its mint; empty for the native currency.
	Contract string
	Decimals uint8
	// Price is in US dollars for one whole unit.
	Price decimal.Decimal
	// Held is the amount that can be sold, in whole units.
	Held decimal.Decimal
}

// Code returns the value of the asset in a form: chain id, slash, symbol.
func (a Asset) Code() string { return a.ChainID + "/" + a.Symbol }

// FromBaseUnits converts base units to whole units.
func FromBaseUnits(units *big.Int, decimals uint8) decimal.Decimal {
	return decimal.NewFromBigInt(units, -int32(decimals))
}

// BaseUnits converts whole units to base units.
func BaseUnits(amount decimal.Decimal, decimals uint8) *big.Int {
	return amount.Shift(int32(decimals)).BigInt()
}

// SameSymbol compares symbols without case.
func SameSymbol(a, b string) bool { return strings.EqualFold(a, b) }

// Slug returns a chain's name as providers write it.
func Slug(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }
