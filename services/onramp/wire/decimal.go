package wire

import (
	"errors"
	"regexp"

	"github.com/shopspring/decimal"
)

// Decimal is an amount in JSON, as a number or as text. It is read from its digits, and never was a float.
type Decimal struct{ decimal.Decimal }

// decimalForm bounds what is read: an exponent would make a short text a number of any length.
var decimalForm = regexp.MustCompile(`^-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?$`)

var errDecimal = errors.New("not a decimal")

// exponentLimit is how far the point may be moved.
const exponentLimit = 36

// ParseDecimal reads digits, a point, an exponent of few places.
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

// UnmarshalJSON reads a number or text.
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
