// Package ramp is what all who sell tokens for money have in common: what they sell, what it costs, where it is paid, and what became of it.
//
// A seller is a [Provider] and whatever else it can do: [Lister], [Quoter], [Opener], [Listener], [Poller], [Directory]. Nobody has to be
// able to do everything; whoever asks looks what the provider in hand implements.
//
// Money is decimal, in whole units of its currency, and never a float.
package ramp
