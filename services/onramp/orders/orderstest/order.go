package orderstest

import (
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Start is the time at which orders of this package were placed.
var Start = time.UnixMilli(1_700_002_800_000).UTC()

// Owner and provider of the orders of this package.
const (
	Provider = "wharf"
	Project  = "00000000000000000000000000000001"
	Proof    = "a digest"
)

// ID returns the id of an order; greater numbers were placed later.
func ID(n int) string {
	var id ulid.ULID
	if err := id.SetTime(uint64(Start.UnixMilli()) + uint64(n)); err != nil {
		panic(err)
	}
	return id.String()
}

// Order returns an order that was just placed.
func Order(n int) orders.Order {
	return orders.Order{
		ID: ID(n), Project: Project, Proof: Proof, Provider: Provider, Seller: "WHARF", Title: "Wharf", State: ramp.Created,
		Wallet: fmt.Sprintf("0x%040x", n), ChainID: "eip155:31337", Payment: Amount("100", "USD"), Purchase: Amount("97.5", "USDC"),
		CreatedAt: Start, UpdatedAt: Start, ExpiresAt: Start.Add(time.Hour),
	}
}

// Owner returns the owner of a wallet's orders of this package, with their proof.
func Owner(wallet string) orders.Owner {
	return orders.Owner{Project: Project, Wallet: wallet, Proofs: []string{"another", Proof}}
}

// Event returns an event of [Provider] about an order.
func Event(o orders.Order, id string, state ramp.State) ramp.Event {
	return ramp.Event{ID: id, OrderID: o.ID, State: state, At: Start.Add(time.Minute)}
}

// Amount returns an amount of a currency.
func Amount(value, currency string) *ramp.Amount {
	return &ramp.Amount{Value: decimal.RequireFromString(value), Currency: currency}
}
