package prices

import (
	"time"

	"github.com/hawser-dev/hawser/services/balances/depth"
)

// The sources of prices.
const (
	// SourceStatic is the configuration.
	SourceStatic = "static"
	// SourceFeed is a feed or an oracle on chain.
	SourceFeed = "feed"
	// SourcePool is a pool of a decentralised exchange that is deep enough.
	SourcePool = "pool"
)

// Price is the price of one whole unit, for display.
type Price struct {
	// Amount is in the requested currency.
	Amount float64
	// Source is one of the constants above, or the name of a vendor.
	Source string
	// At is the time of the price at its source; zero for a configured price.
	At time.Time
	// Market limits what a holding is worth at a price of pools; nil for other sources, and if the vendor's price agrees.
	Market *depth.Market
}

// Reasons why pools give a token no price.
const (
	// ThinPools means that no pool is deep enough.
	ThinPools = "thin"
	// YoungPools means that all pools that are deep enough were created within the last hour.
	YoungPools = "young"
	// LargeSupply means that all of the token would be worth far more than what is in its pools.
	LargeSupply = "supply"
)

// Age returns the age of the price in whole seconds; false for a configured price.
func (p Price) Age(now time.Time) (uint32, bool) {
	if p.At.IsZero() {
		return 0, false
	}
	return uint32(max(0, now.Sub(p.At)/time.Second)), true
}

// In converts a price in US dollars to a currency of which one unit costs rate dollars; false if the result is no price.
func (p Price) In(rate float64) (Price, bool) {
	p.Amount /= rate
	if rate != 1 {
		p.Market = p.Market.In(rate)
	}
	return p, depth.ValidPrice(p.Amount)
}
