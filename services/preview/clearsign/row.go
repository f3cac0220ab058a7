package clearsign

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

// maxRows bounds the rows of the description of one call or message, with those of the calls within it.
const maxRows = 100

// Kind is what the value of a row is. Its values are those of the API.
type Kind int

// The kinds of values.
const (
	// Text is plain text.
	Text Kind = iota + 1
	// Number is an integer without a unit.
	Number
	// Flag is true for a Number of 1.
	Flag
	// Bytes are hex digits, cut after the first ones.
	Bytes
	// Address is an account or a contract.
	Address
	// Amount is a Number of base units of Asset.
	Amount
	// Collectible is Asset, which has an id.
	Collectible
	// Token is the token of Asset.
	Token
	// Time is a Number of seconds since 1970, and Duration one of seconds.
	Time
	Duration
	// Quantity is a Number, divided by ten to the power of Decimals, of Unit.
	Quantity
	// Called is Inner, a call of Address. Inner is nil for one that is not described.
	Called
)

// Row is one labelled value.
type Row struct {
	Label   string
	Kind    Kind
	Text    string
	Number  *big.Int
	Address evm.Address
	Asset   effect.Asset
	// IsOver is set for an amount that is so large that Message is shown instead; empty for the usual word for that, unlimited.
	IsOver  bool
	Message string
	// Decimals and Unit are those of a quantity.
	Decimals int
	Unit     string
	Inner    *Description

	from *field
}

// Part is a part of a sentence: text, or the value of a row.
type Part struct {
	Text string
	// Row is the index of a row; -1 for text.
	Row int
}

// Description is what a call or a message asks, in the words of a descriptor. All text is plain text.
type Description struct {
	// Owner and Contract are names: of who runs the contract, and of the contract. They may be empty.
	Owner, Contract string
	// Intent is what it does, such as `Send`. It may be empty.
	Intent string
	// Sentence says the same with values of rows; empty if there is none.
	Sentence []Part
	Rows     []Row
	// IsBundled is set if the descriptor is one of this repository.
	IsBundled bool
}

// All iterates over the rows, with those of the calls within them.
func (d *Description) All() func(yield func(Row) bool) {
	return func(yield func(Row) bool) { d.each(yield) }
}

func (d *Description) each(yield func(Row) bool) bool {
	for _, row := range d.Rows {
		if !yield(row) || row.Inner != nil && !row.Inner.each(yield) {
			return false
		}
	}
	return true
}

// Size returns the number of rows, with those of the calls within them.
func (d *Description) Size() (n int) {
	for range d.All() {
		n++
	}
	return n
}
