package ramp

import (
	"errors"
	"fmt"
)

// Errors of providers.
var (
	// ErrUnavailable means that the provider does not respond, or not in its documented form.
	ErrUnavailable = errors.New("the provider does not answer")
	// ErrCredentials means that the provider rejects the operator's keys.
	ErrCredentials = errors.New("the provider refuses the keys")
	// ErrUnsupported means that the provider does not sell the token, or not in the region, or not for the currency and
	// method.
	ErrUnsupported = errors.New("the provider does not offer this")
	// ErrSignature means that a delivery was not signed by the provider.
	ErrSignature = errors.New("the signature is wrong")
	// ErrStale means that a delivery was signed too long ago, or in the future.
	ErrStale = errors.New("the delivery is too old")
	// ErrMalformed means that a delivery is signed, but is not in the documented form.
	ErrMalformed = errors.New("the delivery is not in the documented form")
)

// LimitError means that an amount is below or above the limits of one purchase.
type LimitError struct {
	// Method is the payment method to which the limit applies; empty for all.
	Method string
	// Min and Max bound the amount; nil if unknown.
	Min, Max *Amount
}

func (e *LimitError) Error() string {
	switch {
	case e.Min != nil && e.Max != nil:
		return fmt.Sprintf("the amount must be from %s to %s %s", Format(e.Min.Value), Format(e.Max.Value), e.Max.Currency)
	case e.Min != nil:
		return fmt.Sprintf("the amount must be at least %s %s", Format(e.Min.Value), e.Min.Currency)
	case e.Max != nil:
		return fmt.Sprintf("the amount must be at most %s %s", Format(e.Max.Value), e.Max.Currency)
	}
	return "the amount is outside what is sold at once"
}
