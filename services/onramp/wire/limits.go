package wire

import (
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Within checks an amount against the limits of a payment method, or of any method if it is empty. It fails with [ramp.ErrUnsupported] if
// the currency or the method is not accepted, or with a [ramp.LimitError].
func Within(o ramp.Options, pay ramp.Amount, method string) error {
	i := slices.IndexFunc(o.Currencies, func(c ramp.Currency) bool { return c.ID == pay.Currency })
	if i < 0 {
		return ramp.ErrUnsupported
	}
	var limit *ramp.Limit
	for _, l := range o.Currencies[i].Limits {
		if method != "" && l.Method != method {
			continue
		}
		if !pay.Value.LessThan(l.Min) && !pay.Value.GreaterThan(l.Max) {
			return nil
		}
		limit = wider(limit, l)
	}
	if limit == nil {
		return ramp.ErrUnsupported
	}
	return &ramp.LimitError{
		Method: method, Min: &ramp.Amount{Value: limit.Min, Currency: pay.Currency}, Max: &ramp.Amount{Value: limit.Max, Currency: pay.Currency},
	}
}

func wider(a *ramp.Limit, b ramp.Limit) *ramp.Limit {
	if a == nil {
		return &b
	}
	if b.Min.LessThan(a.Min) {
		a.Min = b.Min
	}
	if b.Max.GreaterThan(a.Max) {
		a.Max = b.Max
	}
	return a
}

// Payment methods that all providers have.
const (
	Card = "card"
	ACH  = "ach_bank_account"
)

// aliases are other names of methods that providers and clients use.
var aliases = map[string]string{"credit_debit_card": Card, "debit_card": Card, "ach": ACH}

// Method returns a payment method in the spelling of [ramp.Limit]: card, ach_bank_account, or the provider's own name in lower case.
func Method(name string) string {
	name = strings.ToLower(name)
	if usual, ok := aliases[name]; ok {
		return usual
	}
	return name
}
