package orders

import "context"

// Follow does once what [Orders.Work] does every second.
func (b *Orders) Follow(ctx context.Context) error { return b.follow(ctx) }

// Cursors of pages.
var (
	CursorAfter = cursorAfter
	ReadCursor  = readCursor
)

// Bounds of how often a provider is asked.
const (
	Soonest = soonest
	Latest  = latest
)
