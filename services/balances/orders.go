package balances

import "slices"

// ordersTold bounds how many purchases of one account are told one by one to a watcher that reads slowly.
const ordersTold = 16

// movedOrders are the purchases of an account that moved last, each once, the newest last.
type movedOrders struct {
	list []movedOrder
	// count counts the moves; forgotten is the count of the newest that is not in the list any more.
	count, forgotten uint64
}

type movedOrder struct {
	id string
	// proof is the digest of the token that its buyer holds.
	proof string
	at    uint64
}

// with returns the moves and one more. The receiver stays as it is: watchers may be reading it.
func (m movedOrders) with(id, proof string) movedOrders {
	next := movedOrders{count: m.count + 1, forgotten: m.forgotten}
	for _, o := range m.list {
		if o.id != id {
			next.list = append(next.list, o)
		}
	}
	next.list = append(next.list, movedOrder{id, proof, next.count})
	if len(next.list) > ordersTold {
		next.forgotten, next.list = next.list[0].at, next.list[1:]
	}
	return next
}

// withAny returns the moves and one of nobody knows which purchase: a watcher is told of all at once.
func (m movedOrders) withAny() movedOrders {
	return movedOrders{count: m.count + 1, forgotten: m.count + 1}
}

// after returns the oldest move after the one that was seen of an order of which there is a proof, and its count; an empty id stands for all,
// where some are forgotten.
func (m movedOrders) after(seen uint64, proofs []string) (id string, count uint64, moved bool) {
	if len(proofs) == 0 {
		return "", seen, false
	}
	if m.forgotten > seen {
		return "", m.count, true
	}
	for _, o := range m.list {
		if o.at > seen && slices.Contains(proofs, o.proof) {
			return o.id, o.at, true
		}
	}
	return "", seen, false
}
