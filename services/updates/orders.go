package updates

import (
	"slices"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
)

// maxRecentOrders bounds how many changed purchases of one account are sent separately to a watcher that reads slowly.
const maxRecentOrders = 16

// recentOrders are the last changed purchases of an account, each once, the newest last.
type recentOrders struct {
	list []orderUpdate
	// count counts the changes; dropped is the count of the newest that is no longer in the list.
	count, dropped uint64
}

// orderUpdate is the newest change of a purchase.
type orderUpdate struct {
	id string
	// proof is the digest of the buyer's token.
	proof string
	// order is the current state of the purchase.
	order *onrampv1.Order
	at    uint64
}

// with returns the changes and one more. The receiver stays unchanged, because watchers may be reading it.
func (r recentOrders) with(o orderUpdate) recentOrders {
	next := recentOrders{count: r.count + 1, dropped: r.dropped}
	for _, old := range r.list {
		if old.id != o.id {
			next.list = append(next.list, old)
		}
	}
	o.at = next.count
	next.list = append(next.list, o)
	if len(next.list) > maxRecentOrders {
		next.dropped, next.list = next.list[0].at, next.list[1:]
	}
	return next
}

// withAll returns the changes after a change that may affect any purchase.
func (r recentOrders) withAll() recentOrders {
	return recentOrders{count: r.count + 1, dropped: r.count + 1}
}

// after returns the oldest change after count seen of an order that one of proofs is for, and the count up to which the changes are seen then, with
// or without such a change. An update without an id means that any purchase may have changed, because some changes were dropped.
func (r recentOrders) after(seen uint64, proofs []string) (o orderUpdate, count uint64, ok bool) {
	if len(proofs) > 0 && r.dropped > seen {
		return orderUpdate{}, r.count, true
	}
	for _, o := range r.list {
		if o.at > seen && slices.Contains(proofs, o.proof) {
			return o, o.at, true
		}
	}
	return orderUpdate{}, r.count, false
}
