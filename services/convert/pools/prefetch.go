package pools

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// exploreTokens is how many listed tokens are looked for at once, and exploreEvery how long after the ones before.
	exploreTokens = 8
	exploreEvery  = time.Second
)

// prefetcher looks for listed tokens before anybody asks for them.
type prefetcher struct{ last time.Time }

// prefetch looks for the pools between some listed tokens and the hubs, when it is time, and says whether there are more. Its failure is
// nobody's: the tokens are looked for again later, or when somebody asks.
func (f *tracker) prefetch(ctx context.Context) (more bool) {
	if f.tokens == nil || f.isAwaited() {
		return false
	}
	pairs := f.unexplored()
	if len(pairs) == 0 {
		return false
	}
	if f.clock.Now().Sub(f.prefetcher.last) < exploreEvery {
		return true
	}
	f.prefetcher.last = f.clock.Now()
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	err := f.find(ctx, unique(pairs), f.view.Load().Checked)
	if err != nil {
		f.log.Debug("listed tokens were not looked for", "error", err)
	}
	return err == nil
}

// isAwaited says that somebody waits for the next round.
func (f *tracker) isAwaited() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next.asked
}

// unexplored are the pairs of the next listed tokens whose pools were not looked for.
func (f *tracker) unexplored() (pairs []pair) {
	found := 0
	for _, t := range f.tokens.On(f.chain.ID) {
		missing := f.missing(pairsAbout(f.chain.Hubs, []evm.Address{t.Address}))
		if len(missing) == 0 {
			continue
		}
		pairs = append(pairs, missing...)
		if found++; found == exploreTokens {
			break
		}
	}
	return pairs
}
