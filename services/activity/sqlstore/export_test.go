package sqlstore

// NextWindows, SharedWindows and Approved are queries of the store.
const (
	NextWindows   = nextWindows
	SharedWindows = sharedWindows
	Approved      = approved
)
