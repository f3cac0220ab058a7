package ramp

import "github.com/shopspring/decimal"

// Profile describes a provider for display.
type Profile struct {
	// Title is its name, such as Coinbase.
	Title string
	// Website is the URL of its website.
	Website string
	// Namespaces are the CAIP-2 namespaces that it supports: eip155, solana.
	Namespaces []string
	// FeeMin and FeeMax are the range of its fees, in percent of the payment.
	FeeMin, FeeMax decimal.Decimal
	// Sandbox means that no money is transferred.
	Sandbox bool
}
