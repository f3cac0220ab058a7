// Package analytics counts what visitors do in the modal, by project, day and event, for the operator.
//
// It stores counts only: no addresses, no URLs, nothing about a visitor. Names of events, and the few properties that
// are counted, are from a fixed list, so that callers cannot add rows without bound. Counts are collected in memory and
// added to the database every second, and when the process stops; a killed process loses the counts since the last
// write.
package analytics
