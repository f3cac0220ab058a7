package ramp

import (
	"errors"
	"fmt"
)

// Why a provider does not do what it is asked.
var (
	// ErrUnavailable: it does not answer, or not in its documented form.
	ErrUnavailable = errors.New("the provider does not answer")
	// ErrCredentials: it does not accept the operator's keys.
	ErrCredentials = errors.New("the provider refuses the keys")
	// ErrUnsupported: it does not sell this, there, or for that.
	ErrUnsupported = errors.New("the provider does not offer this")
	// ErrSignature: a delivery was not signed by it.
	ErrSignature = errors.New("the signature is wrong")
	// ErrStale: a delivery was signed too long ago, or in the future.
	ErrStale = errors.New("the delivery is too old")
	// ErrMalformed: a delivery is signed, but is not in the documented form.
	ErrMalformed = errors.New("the delivery is not in the documented form")
)

// LimitError refuses an amount that is below or above what is sold at once.
type LimitError struct {
	// Method is what the limit counts for; empty for all.
	Method string
	// Min and Max bound the amount; nil when the provider does not say.
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
