package sqlstore

// NextWindows, SharedWindows and Approved are queries of the store.
const (
	NextWindows   = nextWindows
	SharedWindows = sharedWindows
	Approved      = approved
)

// PageQuery returns the query of a page and its arguments, and ListOf the argument for a list of accounts.
var (
	PageQuery = pageQuery
	ListOf    = listOf
)
