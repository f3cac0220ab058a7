package sqlstore

// NextWindow is the query of [Store.NextWindow].
const NextWindow = nextWindow
