package ramp

import "github.com/shopspring/decimal"

// Profile is how a provider is shown to people.
type Profile struct {
	// Title is its name, such as Coinbase.
	Title string
	// Website is where it presents itself.
	Website string
	// Namespaces are those of CAIP-2 of which it serves chains: eip155, solana.
	Namespaces []string
	// FeeMin and FeeMax are the range of its fees, in percent of what is paid.
	FeeMin, FeeMax decimal.Decimal
	// Sandbox says that no money moves.
	Sandbox bool
}
