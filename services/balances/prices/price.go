package prices

import "time"

// Where a price comes from.
const (
	// SourceStatic is the operator's configuration.
	SourceStatic = "static"
	// SourceFeed is a feed or an oracle on chain.
	SourceFeed = "feed"
	// SourcePool is a pool of a decentralised exchange, deep enough to sell into.
	SourcePool = "pool"
)

// Price is what one whole unit is worth, for display.
type Price struct {
	// Amount is in the currency asked.
	Amount float64
	// Source is one of the constants above.
	Source string
	// At is when the source said so; zero for one that does not age.
	At time.Time
}

// Age is how long ago the source said so, in whole seconds; false for a price that does not age.
func (p Price) Age(now time.Time) (uint32, bool) {
	if p.At.IsZero() {
		return 0, false
	}
	return uint32(max(0, now.Sub(p.At)/time.Second)), true
}

// in counts the price, which is in US dollars, in a currency of which one unit is worth rate dollars.
func (p Price) in(rate float64) (Price, bool) {
	p.Amount /= rate
	return p, believable(p.Amount)
}
