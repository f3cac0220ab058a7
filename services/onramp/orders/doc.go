// Package orders is the order book: what visitors are about to buy, bought, or did not buy after all.
//
// An order is placed before its provider is asked, so that nothing a provider tells is about an order that nobody knows. From then on it is
// what was told of it: by webhooks, and by asking the provider from time to time, so that a lost webhook delays and loses nothing.
//
// What is told is folded into the order ([Order.Hear]), and the fold does not depend on the order in which messages arrive, or on how often:
// the weightiest state counts ([ramp.State.Outweighs]), and of every other field what the weightiest message said, the newest among equals.
// Therefore an event needs no place in a queue, two replicas may hear the same one at once, and one that comes again with more in it than the
// first time is heard as well: no list of the ids that were heard has to be kept.
//
// Every change is told as hawser.onramp.v1.OrderUpdated, in the transaction of the change.
package orders
