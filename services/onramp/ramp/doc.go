// Package ramp defines on-ramp providers, which sell tokens for money: their options, quotes, payment pages and order events.
//
// A provider implements [Provider] and some of the capabilities [Lister], [Quoter], [Opener], [Marketplace], [Listener], [Poller] and
// [Directory]. Callers check which ones by a type assertion.
//
// Amounts of money are decimals in whole units of their currency, never floats.
package ramp
