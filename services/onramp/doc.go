// Package onramp lets visitors buy tokens for money, from sellers that the operator chose.
//
// The service asks all sellers what they offer and what it costs, opens the page of the chosen one, and keeps an order of every page it
// opened: the sellers tell by webhook what becomes of it, and are asked where a webhook is missing. What sellers have in common is package
// ramp; each has a package of its own; package orders keeps the record.
//
// Money is decimal text in whole units of its currency. No card number, name or e-mail address of a visitor ever reaches this service: one
// pays at the seller's.
package onramp
