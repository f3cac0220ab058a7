package ramp

import (
	"time"

	"github.com/shopspring/decimal"
)

// Purchase is what a visitor is about to pay for.
type Purchase struct {
	// OrderID is ours; the provider hands it back with all that it tells.
	OrderID string
	// Seller is who was chosen, as [Quote] names it.
	Seller string
	// Pay is what is paid in all; an absent amount is left to the visitor.
	Pay *Amount
	// Receive is how much of the token is wanted, instead of Pay; absent otherwise.
	Receive *decimal.Decimal
	// Method is how it is paid; empty leaves it to the visitor.
	Method string
	// Symbol and ChainID, CAIP-2, are what is bought and where; empty leaves it to the visitor.
	Symbol, ChainID string
	Region
	// Wallets are where tokens may go, validated; the first is the visitor's account. At least one.
	Wallets []Wallet
	// Return is where the visitor's browser goes afterwards; empty for nowhere. Its origin was allowed by the project.
	Return string
	// CallerIP is the visitor's address, for providers that bind a session to it; empty when it is not known.
	CallerIP string
}

// Wallet is an account that tokens may be sent to.
type Wallet struct {
	// Address is spelled as its namespace does.
	Address string
	// ChainIDs are where, CAIP-2; empty for every chain of the address's namespace.
	ChainIDs []string
	// Symbols are what may be sent; empty for everything.
	Symbols []string
}

// Widget is where a visitor pays.
type Widget struct {
	// URL is https, or http where the provider runs on this machine.
	URL string
	// Ref is how the provider calls the session; empty when it gave it no name.
	Ref string
	// Expires is when the URL stops working; zero when the provider does not say.
	Expires time.Time
}

// Placed is an order as its provider needs it to find it again.
type Placed struct {
	OrderID string
	// Ref is what [Widget] and events called it last; may be empty.
	Ref string
	// At is when it was placed.
	At time.Time
}
