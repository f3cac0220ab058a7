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

// ReportOverdue returns a function that does one report of [Orders.Work] about overdue orders.
func (s *Orders) ReportOverdue() func(ctx context.Context) error {
	late := newOverdue()
	return func(ctx context.Context) error { return late.report(ctx, s.store, s.deps.Clock.Now()) }
}
