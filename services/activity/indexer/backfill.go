package indexer

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/activity/classifier"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// firstLogSpan and longestLogSpan bound how many blocks one log query covers.
	firstLogSpan, longestLogSpan = 5_000, 100_000
	// wholeSpan is how many whole blocks are read at a time: as many as fit into one batch beside their logs.
	wholeSpan = 96
	// accountsPerRead is for how many accounts blocks are read at a time: as many as fit into one log query.
	accountsPerRead = 250
	// callsPerFilter is how many log queries find what names an account.
	callsPerFilter = 3
	// slowRead is how long a read may take before the next one covers fewer blocks, because new blocks wait for it.
	slowRead = 500 * time.Millisecond
	// settledReads is after how many reads of about the longest size that succeeds a longer one is tried again.
	settledReads = 100
	// longDefer is how long a window is deferred that failed index.MaxFailures times.
	longDefer = time.Hour
	// firstDefer is the pause after a first failure.
	firstDefer = 250 * time.Millisecond
)

// span is how many blocks of a chain are read at a time for a caller. Nodes differ in what they accept and do not publish it, so a span grows after a quick read, up to
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

func newSpans() *spans {
	return &spans{whole: span{size: wholeSpan, longest: wholeSpan}, logs: span{size: firstLogSpan, longest: longestLogSpan}}
}

// fill reads the newest blocks of one window, and the same blocks for other accounts with unread blocks there. It returns false if there is nothing
// to read now.
func (i *Indexer) fill(ctx context.Context, c *Chain) (more bool, err error) {
	w, ok, err := i.next(ctx, c)
	if err != nil || !ok {
		return false, err
	}
	// If an archive has the transactions without logs, whole blocks need not be read to find them.
	archived := w.Whole && w.High-w.Low >= i.WholeBlocks && i.Archive.Covers(c.id)
	whole := w.Whole && !archived
	span := c.turns.spanOf(w.Caller, whole)
	f := index.Filling{Window: w, Low: max(w.Low, w.High+1-min(w.High+1, span.size))}
	if !archived {
		if f.Shared, err = i.shared(ctx, c, w, f.Low); err != nil {
			return false, err
		}
	}
	begun := i.Clock.Now()
	unused, err := i.read(ctx, &f, archived)
	if err == nil {
		err = i.Store.Fill(ctx, f)
	}
	i.charge(ctx, f, whole, unused)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		span.fail()
		return false, ctx.Err()
	case errors.Is(err, index.ErrStale):
		c.turns.reset()
		return true, i.Store.Defer(ctx, w, i.Clock.Now().Add(deferFor(w.Failures)))
	case errors.Is(err, limit.ErrMemory) && span.size > 1:
		// The reads of other chains hold the bytes. The next read is shorter, because this one may be too large for an empty memory.
		span.shrink()
		c.turns.reset()
		return false, nil
	case len(f.Shared) > 0:
		// Another account may be the reason, so that this one is read with fewer at once.
		c.turns.split(f, i.Clock.Now().Add(apartFor))
		return true, nil
	default:
		i.Log.DebugContext(ctx, "could not read blocks", "chain", c.id, "from", f.Low, "to", w.High, "error", err)
		span.fail()
		return true, i.Store.Defer(ctx, w, i.Clock.Now().Add(deferFor(w.Failures)))
	}
	if len(f.Shared) > 0 {
		c.turns.reset()
	}
	if i.Clock.Now().Sub(begun) < slowRead {
		span.grow()
	} else {
		span.shrink()
	}
	return true, nil
}

// read finds the rows of a filling, and returns how many transactions were read for accounts that have no row of them.
func (i *Indexer) read(ctx context.Context, f *index.Filling, archived bool) (unused map[evm.Address]int, err error) {
	chainID, high := f.Window.Account.ChainID, f.Window.High
	accounts := f.Accounts()
	var known []node.Hash
	var found []node.Found
	if archived {
		known, err = i.Archive.Transactions(ctx, chainID, accounts[0], f.Low, high)
	}
	switch {
	case err != nil:
	case f.Window.Whole && !archived:
		_, found, err = i.Blocks.Blocks(ctx, chainID, f.Low, high, accounts)
	default:
		found, err = i.Blocks.Logged(ctx, chainID, f.Low, high, accounts, known)
	}
	if err != nil {
		return nil, err
	}
	if f.Rows, err = classifier.Rows(ctx, found, chainID, accounts); err != nil {
		return nil, err
	}
	unused = unusedOf(found, f.Rows, accounts)
	f.Rows = slices.DeleteFunc(f.Rows, func(r index.Row) bool { return !isUnread(*f, r) })
	return unused, i.describe(ctx, chainID, f.Rows)
}

// unusedOf counts the transactions without a row by the account that a log names: anyone can name one.
func unusedOf(found []node.Found, rows []index.Row, accounts []evm.Address) map[evm.Address]int {
	used := map[node.Hash]bool{}
	for _, r := range rows {
		used[r.Hash] = true
	}
	unused := map[evm.Address]int{}
	for _, f := range found {
		if used[f.Transaction.Hash] {
			continue
		}
		named := accounts[0]
		for _, l := range f.Receipt.Logs {
			for _, topic := range l.Topics {
				if a := evm.Address(topic[12:]); slices.Contains(accounts, a) {
					named = a
				}
			}
		}
		unused[named]++
	}
	return unused
}

// isUnread reports whether the block of a row is in a window of its account. Another block was read before, maybe whole, so that more is known of it.
func isUnread(f index.Filling, r index.Row) bool {
	covers := func(w index.Window) bool {
		return w.Account.Address == r.Account.Address && w.Low <= r.Block && r.Block <= w.High
	}
	return covers(f.Window) || slices.ContainsFunc(f.Shared, covers)
}

// deferFor returns how long to defer a window. It grows with the failures: after the first ones a smaller span may
// succeed, after later ones the nodes probably cannot read the blocks.
func deferFor(failures int) time.Duration {
	if failures+1 >= index.MaxFailures {
		return longDefer
	}
	return firstDefer << (failures / 3)
}
