package orders

import "context"

// RunDue does one iteration of [Orders.Work].
func (s *Orders) RunDue(ctx context.Context) error { return s.runDue(ctx) }

// Cursors of pages.
var (
	CursorAfter = cursorAfter
	ReadCursor  = readCursor
)

// Bounds of the polling interval.
const (
	MinPollDelay = minPollDelay
	MaxPollDelay = maxPollDelay
)
