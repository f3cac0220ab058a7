// Package orders stores the orders that visitors place with on-ramp providers, and tracks their state.
//
// An order is stored before its provider is called, so that its events are never about an unknown order. Its state
// comes from events: from webhooks, and from polls of the provider in case a webhook is lost.
//
// Events are merged into the order ([Order.Apply]). The result does not depend on the sequence of the events or on
// repetitions: the state with the highest rank wins ([ramp.State.Outweighs]), and every other field comes from the
// event with the highest rank, the newest among equals. So events need no queue and no deduplication, and two replicas
// may apply the same event concurrently.
//
// Every change publishes hawser.onramp.v1.OrderUpdated in its transaction.
package orders
