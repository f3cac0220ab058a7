package orders

import "context"

// RunDue does once what [Orders.Work] does every second.
func (s *Orders) RunDue(ctx context.Context) error { return s.runDue(ctx) }

// Cursors of pages.
var (
	CursorAfter = cursorAfter
	ReadCursor  = readCursor
)

// Bounds of how often a provider is asked.
const (
	MinPollDelay = minPollDelay
	MaxPollDelay = maxPollDelay
)
