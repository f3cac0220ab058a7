package orders

import (
	"context"

	"github.com/hawser-dev/hawser/services/platform/bus"
)

// Follow does once what [Book.Work] does every second.
func (b *Book) Follow(ctx context.Context) error { return b.follow(ctx) }

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

// SetBus makes the book tell on b.
func (b *Book) SetBus(to *bus.Bus) { b.deps.Bus = to }
