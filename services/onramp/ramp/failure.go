package ramp

import "slices"

// Failure is why a purchase failed, for pages that say it in their own language.
type Failure string

// The failures.
const (
	// PaymentDeclined means that the payment was declined.
	PaymentDeclined Failure = "payment_declined"
	// PaymentLate means that the payment was not confirmed in time.
	PaymentLate Failure = "payment_late"
	// PaymentFailed means that the payment did not succeed, for a reason that the provider does not name.
	PaymentFailed Failure = "payment_failed"
	// FundsLow means that the paying account does not hold enough.
	FundsLow Failure = "funds_low"
	// PaymentUnapproved means that the bank did not approve the payment.
	PaymentUnapproved Failure = "payment_unapproved"
	// CodeWrong means that the bank's code was entered wrongly too often.
	CodeWrong Failure = "code_wrong"
	// TokensUnsent means that the tokens could not be sent.
	TokensUnsent Failure = "tokens_unsent"
	// Unexplained means that the provider does not say why.
	Unexplained Failure = "unexplained"
)

var failures = []Failure{PaymentDeclined, PaymentLate, PaymentFailed, FundsLow, PaymentUnapproved, CodeWrong, TokensUnsent, Unexplained}

// Known reports whether f is one of the failures.
func (f Failure) Known() bool { return slices.Contains(failures, f) }
