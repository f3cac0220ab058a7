package sandbox

import (
	"errors"

	"github.com/shopspring/decimal"
)

// feePercentMax is what a fee is below.
const feePercentMax = 50

// Seller is one who seems to sell.
type Seller struct {
	// Name is lower-case letters, digits and hyphens.
	Name string `yaml:"name"`
	// Title is for people.
	Title string `yaml:"title"`
	// Fee is in percent of what is paid, a decimal.
	Fee string `yaml:"fee"`
	// NetworkFee is what sending the tokens is charged with, in US dollars, a decimal.
	NetworkFee string `yaml:"network_fee"`
}

var errTerms = errors.New("not the terms of a seller")

func (s Seller) terms() (terms, error) {
	percent, err := decimal.NewFromString(s.Fee)
	if err != nil || percent.IsNegative() || percent.GreaterThanOrEqual(decimal.NewFromInt(feePercentMax)) {
		return terms{}, errTerms
	}
	network, err := decimal.NewFromString(s.NetworkFee)
	if err != nil || network.IsNegative() || !network.Equal(network.Truncate(cents)) {
		return terms{}, errTerms
	}
	return terms{percent, network}, nil
}
