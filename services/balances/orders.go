package balances

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
	at uint64
}

// with returns the moves and one more. The receiver stays as it is: watchers may be reading it.
func (m movedOrders) with(id string) movedOrders {
	next := movedOrders{count: m.count + 1, forgotten: m.forgotten}
	for _, o := range m.list {
		if o.id != id {
			next.list = append(next.list, o)
		}
	}
	next.list = append(next.list, movedOrder{id, next.count})
	if len(next.list) > ordersTold {
		next.forgotten, next.list = next.list[0].at, next.list[1:]
	}
	return next
}

// withAny returns the moves and one of nobody knows which purchase: a watcher is told of all at once.
func (m movedOrders) withAny() movedOrders {
	return movedOrders{count: m.count + 1, forgotten: m.count + 1}
}

// after returns the oldest move after the one that was seen, and its count; an empty id stands for all, where some are forgotten.
func (m movedOrders) after(seen uint64) (id string, count uint64, moved bool) {
	if m.forgotten > seen {
		return "", m.count, true
	}
	for _, o := range m.list {
		if o.at > seen {
			return o.id, o.at, true
		}
	}
	return "", seen, false
}
