package ramp

import (
	"time"

	"github.com/shopspring/decimal"
)

// Purchase is a purchase that a visitor is about to pay for.
type Purchase struct {
	// OrderID is the id of the order, which the provider repeats in its events.
	OrderID string
	// Seller is the name of the chosen seller, as in [Quote].
	Seller string
	// Pay is the total payment; nil leaves it to the visitor.
	Pay *Amount
	// Receive is the amount of the token, instead of Pay; nil otherwise.
	Receive *decimal.Decimal
	// Method is the payment method; empty leaves it to the visitor.
	Method string
	// Symbol and ChainID (CAIP-2) are the token and its chain; empty leaves them to the visitor.
	Symbol, ChainID string
	Region
	// Wallets are validated wallets that may receive the tokens; the first is the visitor's account. At least one.
	Wallets []Wallet
	// Return is the URL to which the visitor's browser is redirected afterwards; empty for none. The project allows its
	// origin.
	Return string
	// CallerIP is the visitor's address, for providers that bind a session to it; empty if unknown.
	CallerIP string
}

// Wallet is an account to which tokens may be sent.
type Wallet struct {
	// Address is in the form of its namespace.
	Address string
	// ChainIDs are CAIP-2 ids of the allowed chains; empty for every chain of the address's namespace.
	ChainIDs []string
	// Symbols are the allowed tokens; empty for all.
	Symbols []string
}

// Widget is the page where a visitor pays.
type Widget struct {
	// URL is an https URL, or an http URL if the provider runs on this machine.
	URL string
	// Ref is the provider's id of the session; empty if it has none.
	Ref string
	// Expires is when the URL stops working; zero if unknown.
	Expires time.Time
}

// Placed identifies an order to its provider.
type Placed struct {
	OrderID string
	// Ref is the last reference from [Widget] or an event; may be empty.
	Ref string
	// At is when the order was placed.
	At time.Time
}
