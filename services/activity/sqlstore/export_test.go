package sqlstore

// NextWindows and SharedWindows are queries of the store.
const (
	NextWindows   = nextWindows
	SharedWindows = sharedWindows
)
