// Package wire is what all who translate providers' wire formats share: a careful way to ask, decimals that never were floats, names of ways
// to pay, and lists that are kept for a while.
package wire
