package balances

import (
	"context"
	"time"
)

// watcher is one reader of a watched account's changes. It is for one goroutine.
type watcher struct {
	watches *watches
	account *watched
	// version and activity are the newest that were handed out.
	version  uint64
	activity uint64
}

// change is what a watcher is told: holdings, a changed history, or neither.
type change struct {
	block uint64
	// holdings are all that the account has; listed says that they are told, for they may be none.
	holdings []Holding
	listed   bool
	activity bool
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
			return change{block: w.watches.head(w.account.key.chainID)}, nil
		case <-changed:
		}
	}
}

// take hands out what is new in a state, holdings first.
func (w *watcher) take(state accountState) (change, bool) {
	switch {
	case state.version > w.version:
		w.version = state.version
		return change{block: state.block, holdings: state.holdings, listed: true}, true
	case state.activity > w.activity:
		w.activity = state.activity
		return change{block: state.activityBlock, activity: true}, true
	default:
		return change{}, false
	}
}

func (w *watcher) leave() { w.watches.leave(w.account) }
