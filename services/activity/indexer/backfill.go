package indexer

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/activity/classifier"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// firstLogSpan and longestLogSpan bound how many blocks one log query covers.
	firstLogSpan, longestLogSpan = 5_000, 100_000
	// wholeSpan is how many whole blocks are read at a time: as many as fit into one batch beside their logs.
	wholeSpan = 96
	// slowRead is how long a read may take before the next one covers fewer blocks, because new blocks wait for it.
	slowRead = 500 * time.Millisecond
	// longDefer is how long a window is deferred that failed index.MaxFailures times.
	longDefer = time.Hour
	// firstDefer is the pause after a first failure.
	firstDefer = 250 * time.Millisecond
)

// spans is how many blocks of a chain are read at a time. Nodes differ in what they accept and do not publish it, so the spans grow after a quick
// read and shrink after a failure.
type spans struct{ whole, logs uint64 }

func newSpans() spans { return spans{whole: wholeSpan, logs: firstLogSpan} }

// of returns the span for whole blocks, or for logs.
func (s *spans) of(whole bool) *uint64 {
	if whole {
		return &s.whole
	}
	return &s.logs
}

func (s *spans) grow(whole bool) {
	now := s.of(whole)
	most := uint64(longestLogSpan)
	if whole {
		most = wholeSpan
	}
	*now = min(most, *now+*now/2+1)
}

func (s *spans) shrink(whole bool) {
	now := s.of(whole)
	*now = max(1, *now/2)
}

// fill reads the newest blocks of one window. It returns false if every window is deferred.
func (i *Indexer) fill(ctx context.Context, chainID string, s *spans) (more bool, err error) {
	w, ok, err := i.Store.NextWindow(ctx, chainID, i.activeSince(), i.Clock.Now())
	if err != nil || !ok {
		return false, err
	}
	// If an archive has the transactions without logs, whole blocks need not be read to find them.
	whole := w.Whole && (w.High-w.Low < i.WholeBlocks || !i.Archive.Covers(chainID))
	f := index.Filling{Window: w, Low: max(w.Low, w.High+1-min(w.High+1, *s.of(whole)))}
	begun := i.Clock.Now()
	if err = i.read(ctx, &f, whole); err == nil {
		err = i.Store.Fill(ctx, f)
	}
	if err != nil {
		i.Log.DebugContext(ctx, "could not read blocks", "chain", chainID, "from", f.Low, "to", w.High, "error", err)
		s.shrink(whole)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		return true, i.Store.Defer(ctx, w, i.Clock.Now().Add(deferFor(w.Failures)))
	}
	if i.Clock.Now().Sub(begun) < slowRead {
		s.grow(whole)
	} else {
		s.shrink(whole)
	}
	return true, nil
}

// read finds the rows of a filling.
func (i *Indexer) read(ctx context.Context, f *index.Filling, whole bool) error {
	a := f.Window.Account
	accounts := []evm.Address{a.Address}
	var known []node.Hash
	var found []node.Found
	var err error
	if f.Window.Whole && !whole {
		known, err = i.Archive.Transactions(ctx, a.ChainID, a.Address, f.Low, f.Window.High)
	}
	switch {
	case err != nil:
	case whole:
		_, found, err = i.Blocks.Blocks(ctx, a.ChainID, f.Low, f.Window.High, accounts)
	default:
		found, err = i.Blocks.Logged(ctx, a.ChainID, f.Low, f.Window.High, accounts, known)
	}
	if err != nil {
		return err
	}
	f.Rows = classifier.Rows(found, a.ChainID, accounts)
	return i.describe(ctx, a.ChainID, f.Rows)
}

// deferFor returns how long to defer a window. It grows with the failures: after the first ones a smaller span may
// succeed, after later ones the nodes probably cannot read the blocks.
func deferFor(failures int) time.Duration {
	if failures+1 >= index.MaxFailures {
		return longDefer
	}
	return firstDefer << (failures / 3)
}
