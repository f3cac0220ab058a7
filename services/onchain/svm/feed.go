package svm

import (
	"math"
	"time"
)

var (
	// priceProgram owns price accounts: Pyth's receiver.
	priceProgram = MustAddress("rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ")
	// feedProgram updates the price account of each feed: Pyth's push oracle.
	feedProgram = MustAddress("pythWSnswVUd12oZpeFP8e9CVaEqJg25g1Vtc2biRsT")

	priceKind = KindOf("PriceUpdateV2")
)

// fullyVerified is the verification level of a price that enough guardians signed.
const fullyVerified = 1

// FeedAccount returns the shared price account (shard 0) of a feed of Pyth.
func FeedAccount(feed [32]byte) Address { return Derive(feedProgram, []byte{0, 0}, feed[:]) }

// FeedPrice is a price of a feed, for display.
type FeedPrice struct {
	Amount float64
	At     time.Time
}

// ParseFeed parses the price account of a feed. A price that is not fully verified, or that is not positive, is an error.
func ParseFeed(feed [32]byte, program Address, data []byte) (FeedPrice, error) {
	if program != priceProgram || !priceKind.Of(data) {
		return FeedPrice{}, ErrLayout
	}
	c := NewCursor(data, len(priceKind))
	c.Skip(32) // the account that may write it
	level, id := c.Uint8(), c.Address()
	amount := float64(c.Int64())
	c.Skip(8) // the confidence interval
	amount *= math.Pow10(int(c.Int32()))
	p := FeedPrice{Amount: amount, At: time.Unix(c.Int64(), 0)}
	if c.Err() != nil || level != fullyVerified || id != Address(feed) || !(amount > 0) || math.IsInf(amount, 0) {
		return FeedPrice{}, ErrLayout
	}
	return p, nil
}
