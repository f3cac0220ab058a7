package balances

import (
	"context"
	"time"
)

// watcher is one reader of a watched account's changes. It is for one goroutine.
type watcher struct {
	watches *watches
	account *watched
	// version, activity, identity and orders are the newest that were handed out.
	version, activity, identity, orders uint64
	// proofs are digests of the tokens of the purchases that the watcher may hear of.
	proofs []string
}

// change is what a watcher is told: holdings, a changed history, another identity, a purchase that moved, or none of them.
type change struct {
	block uint64
	// holdings are all that the account has; listed says that they are told, for they may be none.
	holdings []Holding
	listed   bool
	activity bool
	identity bool
	// order is the id of the purchase; ordered says that it is told, for it may be empty.
	order   string
	ordered bool
}

// next waits for the next change; after a long silence it returns one in which nothing changed. The error is ctx's, or says why
// the account cannot be read at all.
func (w *watcher) next(ctx context.Context) (change, error) {
	silence := time.NewTimer(w.watches.pauses.alive)
	defer silence.Stop()
	for {
		state, changed := w.account.observe()
		if c, news := w.take(state); news {
			return c, nil
		}
		if state.failure != nil {
			return change{}, state.failure
		}
		select {
		case <-ctx.Done():
			return change{}, ctx.Err()
		case <-silence.C:
			return change{block: w.head()}, nil
		case <-changed:
		}
	}
}

// take hands out what is new in a state, holdings first.
func (w *watcher) take(state accountState) (change, bool) {
	order, count, ordered := state.orders.after(w.orders, w.proofs)
	switch {
	case state.version > w.version:
		w.version = state.version
		return change{block: state.block, holdings: state.holdings, listed: true}, true
	case state.activity > w.activity:
		w.activity = state.activity
		return change{block: state.activityBlock, activity: true}, true
	case state.identity > w.identity:
		w.identity = state.identity
		return change{block: w.head(), identity: true}, true
	case ordered:
		w.orders = count
		return change{block: w.head(), order: order, ordered: true}, true
	default:
		return change{}, false
	}
}

// head is the newest block of the account's chain.
func (w *watcher) head() uint64 { return w.watches.head(w.account.key.chainID) }

func (w *watcher) leave() { w.watches.leave(w.account) }
