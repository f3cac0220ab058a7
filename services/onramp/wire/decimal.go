package wire

import (
	"errors"
	"regexp"

	"github.com/shopspring/decimal"
)

// Decimal is an amount in JSON, a number or a string. It is parsed from its digits, without a float in between.
type Decimal struct{ decimal.Decimal }

// decimalForm bounds the exponent, because otherwise a short text could be a number with any number of digits.
var decimalForm = regexp.MustCompile(`^-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?$`)

var errDecimal = errors.New("not a decimal")

// exponentLimit bounds the exponent of a parsed decimal.
const exponentLimit = 36

// ParseDecimal parses a decimal with an optional exponent.
func ParseDecimal(text string) (Decimal, error) {
	if !decimalForm.MatchString(text) {
		return Decimal{}, errDecimal
	}
	d, err := decimal.NewFromString(text)
	if err != nil || d.Exponent() > exponentLimit || d.Exponent() < -2*exponentLimit {
		return Decimal{}, errDecimal
	}
	return Decimal{d}, nil
}

// UnmarshalJSON parses a number or a string.
func (d *Decimal) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	parsed, err := ParseDecimal(text)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}
