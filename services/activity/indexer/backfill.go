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
	// settledReads is after how many reads of about the longest size that succeeds a longer one is tried again.
	settledReads = 100
	// longDefer is how long a window is deferred that failed index.MaxFailures times.
	longDefer = time.Hour
	// firstDefer is the pause after a first failure.
	firstDefer = 250 * time.Millisecond
)

// span is how many blocks of a chain are read at a time. Nodes differ in what they accept and do not publish it, so a span grows after a quick read, up to
// the size that failed last.
type span struct {
	size, longest uint64
	// refused is the smallest size that failed; 0 when none is known.
	refused uint64
	// settled counts the reads since the span stopped growing because of refused.
	settled int
}

// grow makes the span longer after a quick read.
func (s *span) grow() {
	next := min(s.longest, s.size+s.size/2+1)
	if s.refused == 0 || next < s.refused {
		s.size = next
		return
	}
	if s.refused-s.size > s.refused/16 {
		s.size += (s.refused - s.size) / 2
		return
	}
	// The failure may have had another cause.
	if s.settled++; s.settled == settledReads {
		s.refused, s.settled = 0, 0
	}
}

// shrink makes the span shorter after a slow read.
func (s *span) shrink() { s.size = max(1, s.size/2) }

// fail makes the span shorter after a read that failed.
func (s *span) fail() {
	s.refused, s.settled = s.size, 0
	s.shrink()
}

// spans are those of whole blocks and of logs.
type spans struct{ whole, logs span }

func newSpans() spans {
	return spans{whole: span{size: wholeSpan, longest: wholeSpan}, logs: span{size: firstLogSpan, longest: longestLogSpan}}
}

// fill reads the newest blocks of one window. It returns false if every window is deferred.
func (i *Indexer) fill(ctx context.Context, chainID string, s *spans) (more bool, err error) {
	w, ok, err := i.Store.NextWindow(ctx, chainID, i.activeSince(), i.Clock.Now())
	if err != nil || !ok {
		return false, err
	}
	// If an archive has the transactions without logs, whole blocks need not be read to find them.
	whole := w.Whole && (w.High-w.Low < i.WholeBlocks || !i.Archive.Covers(chainID))
	span := &s.logs
	if whole {
		span = &s.whole
	}
	f := index.Filling{Window: w, Low: max(w.Low, w.High+1-min(w.High+1, span.size))}
	begun := i.Clock.Now()
	if err = i.read(ctx, &f, whole); err == nil {
		err = i.Store.Fill(ctx, f)
	}
	if err != nil {
		i.Log.DebugContext(ctx, "could not read blocks", "chain", chainID, "from", f.Low, "to", w.High, "error", err)
		span.fail()
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		return true, i.Store.Defer(ctx, w, i.Clock.Now().Add(deferFor(w.Failures)))
	}
	if i.Clock.Now().Sub(begun) < slowRead {
		span.grow()
	} else {
		span.shrink()
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
	if f.Rows, err = classifier.Rows(ctx, found, a.ChainID, accounts); err != nil {
		return err
	}
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
