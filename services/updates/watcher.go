package updates

import (
	"context"
	"time"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
)

// watcher is one client of an account. It must be used by one goroutine only.
type watcher struct {
	hub      *hub
	account  *account
	currency string
	// proofs are digests of the tokens of the purchases that the client may see.
	proofs []string
	// version, activity, identity and orders are the counts of the newest changes that were returned.
	version, activity, identity, orders uint64
}

// kind is the kind of a [change].
type kind int

const (
	alive kind = iota
	balancesChanged
	activityChanged
	identityChanged
	orderChanged
)

// change is one message to a client.
type change struct {
	kind  kind
	block uint64
	// balances were read at readAt; the list is shared with other watchers.
	balances balanceList
	readAt   time.Time
	// name is the name that changed; empty if it is not known.
	name string
	// orderID and order identify the purchase that changed; empty for all purchases.
	orderID string
	order   *onrampv1.Order
}

// next waits for the next change; if there is none for a while it returns one of kind alive. The error is that of ctx,
// or that of reading an account that could not be read yet.
func (w *watcher) next(ctx context.Context) (change, error) {
	timer := time.NewTimer(w.hub.intervals.alive)
	defer timer.Stop()
	for {
		state, changed := w.account.observe()
		if c, ok := w.take(state); ok {
			return c, nil
		}
		if state.failure != nil {
			return change{}, state.failure
		}
		select {
		case <-ctx.Done():
			return change{}, ctx.Err()
		case <-timer.C:
			return change{block: w.head()}, nil
		case <-changed:
		}
	}
}

// take returns the first change in a state that was not returned yet, balances before other changes.
func (w *watcher) take(state accountState) (change, bool) {
	if list, ok := state.lists[w.currency]; ok && state.version > w.version {
		w.version = state.version
		return change{kind: balancesChanged, block: state.block, balances: list, readAt: state.readAt}, true
	}
	if state.activity > w.activity {
		w.activity = state.activity
		return change{kind: activityChanged, block: state.activityBlock}, true
	}
	if state.identity > w.identity {
		c := change{kind: identityChanged, block: w.head()}
		// If several names changed, only the last one is known.
		if state.identity == w.identity+1 {
			c.name = state.name
		}
		w.identity = state.identity
		return c, true
	}
	o, count, ok := state.orders.after(w.orders, w.proofs)
	w.orders = count
	if ok {
		return change{kind: orderChanged, block: w.head(), orderID: o.id, order: o.order}, true
	}
	return change{}, false
}

// head returns the number of the newest block of the account's chain.
func (w *watcher) head() uint64 { return w.hub.head(w.account.key.chainID) }

func (w *watcher) leave() { w.hub.leave(w) }
