package pools

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// prefetchTokens is how many listed tokens are searched at once, and prefetchEvery the pause between two searches.
	prefetchTokens = 8
	prefetchEvery  = time.Second
)

// prefetcher holds the time of the last background search.
type prefetcher struct{ last time.Time }

// prefetch searches the pools between some listed tokens and the hubs if a search is due, and reports whether there are
// more. Tokens of a failed search are searched again later, or by the next request.
func (f *tracker) prefetch(ctx context.Context) (more bool) {
	if f.tokens == nil || f.isAwaited() {
		return false
	}
	pairs := f.unsearched()
	if len(pairs) == 0 {
		return false
	}
	if f.clock.Now().Sub(f.prefetcher.last) < prefetchEvery {
		return true
	}
	f.prefetcher.last = f.clock.Now()
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	err := f.find(ctx, unique(pairs), f.view.Load().Checked)
	if err != nil {
		f.log.Debug("the pools of listed tokens were not found", "error", err)
	}
	return err == nil
}

// isAwaited reports whether a caller waits for the next round or search.
func (f *tracker) isAwaited() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next.awaited || f.searches.n > 0
}

// unsearched returns the pairs of the next listed tokens whose pools were not searched.
func (f *tracker) unsearched() (pairs []pair) {
	found := 0
	for _, t := range f.tokens.On(f.chain.ID) {
		missing := f.missing(pairsAbout(f.chain.Hubs, []evm.Address{t.Address}))
		if len(missing) == 0 {
			continue
		}
		pairs = append(pairs, missing...)
		if found++; found == prefetchTokens {
			break
		}
	}
	return pairs
}
