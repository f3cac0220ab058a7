package activity

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// firstReach and longestReach are how many blocks one log query is about; between them it grows while nodes answer.
	firstReach, longestReach = 5_000, 100_000
	// wholeReach is how many whole blocks are read at a time: as many as one body asks for beside their logs.
	wholeReach = 96
	// slowStep is how long a reading may take before the next one asks for less: new blocks wait for it.
	slowStep = 500 * time.Millisecond
	// longRest is how long blocks are left alone that could not be read for long.
	longRest = time.Hour
	// firstPause is the pause after a first failure.
	firstPause = 250 * time.Millisecond
)

// reach is how many blocks of a chain are asked for at a time: nodes differ in what they answer, and do not say.
type reach struct{ whole, logs uint64 }

// of is the reach for blocks that are read whole, or for logs.
func (r *reach) of(whole bool) *uint64 {
	if whole {
		return &r.whole
	}
	return &r.logs
}

func (r *reach) grow(whole bool) {
	now := r.of(whole)
	most := uint64(longestReach)
	if whole {
		most = wholeReach
	}
	*now = min(most, *now+*now/2+1)
}

func (r *reach) shrink(whole bool) {
	now := r.of(whole)
	*now = max(1, *now/2)
}

// fill reads the newest blocks of one window; false when no window is left that does not rest.
func (i *indexer) fill(ctx context.Context, chainID string, r *reach) (more bool, err error) {
	w, ok, err := i.store.NextWindow(ctx, chainID, i.activeSince(), i.clock.Now())
	if err != nil || !ok {
		return false, err
	}
	// Where an archive knows what leaves no log, blocks need not be read for it.
	whole := w.Whole && (w.High-w.Low < i.whole || !i.archive.Covers(chainID))
	f := Filling{Window: w, Low: max(w.Low, w.High+1-min(w.High+1, *r.of(whole)))}
	begun := i.clock.Now()
	if err = i.read(ctx, &f, whole); err == nil {
		err = i.store.Fill(ctx, f)
	}
	if err != nil {
		i.log.DebugContext(ctx, "blocks not read", "chain", chainID, "from", f.Low, "to", w.High, "error", err)
		r.shrink(whole)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		return true, i.store.Rest(ctx, w, i.clock.Now().Add(pauseAfter(w.Failures)))
	}
	if i.clock.Now().Sub(begun) < slowStep {
		r.grow(whole)
	} else {
		r.shrink(whole)
	}
	return true, nil
}

// read finds the rows of a filling.
func (i *indexer) read(ctx context.Context, f *Filling, whole bool) error {
	a := f.Window.Account
	accounts := []evm.Address{a.Address}
	var known []node.Hash
	var found []node.Found
	var err error
	if f.Window.Whole && !whole {
		known, err = i.archive.Transactions(ctx, a.ChainID, a.Address, f.Low, f.Window.High)
	}
	switch {
	case err != nil:
	case whole:
		_, found, err = i.chains.Blocks(ctx, a.ChainID, f.Low, f.Window.High, accounts)
	default:
		found, err = i.chains.Logged(ctx, a.ChainID, f.Low, f.Window.High, accounts, known)
	}
	if err != nil {
		return err
	}
	f.Rows = rowsOf(found, a.ChainID, accounts)
	return i.learn(ctx, a.ChainID, f.Rows)
}

// pauseAfter grows with failures: the first ones find the reach that nodes answer, later ones mean that they do not.
func pauseAfter(failures int) time.Duration {
	if failures+1 >= patience {
		return longRest
	}
	return firstPause << (failures / 3)
}
