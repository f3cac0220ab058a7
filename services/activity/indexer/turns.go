package indexer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// apartFor is how long accounts are read in smaller groups after a read of them together failed.
	apartFor = 10 * time.Minute
	// maxCallers is of how many callers without windows the turns and spans are kept.
	maxCallers = 1_000
)

// turns decides which window of a chain is read next: each caller has one turn after the other, however many accounts it asks for.
type turns struct {
	queue []index.Window
	// served has the last turn of each caller, and last is the last of all. In a round, each caller with a window has one turn.
	served map[string]turn
	last   turn
	// spans are by caller, so that accounts whose blocks a node refuses to read many at a time do not slow down those of others.
	spans map[string]*spans
	// groups has the accounts that are read only with those of the same group; the others are one group.
	groups map[evm.Address]group
	// lastGroup is the number of the last group.
	lastGroup int
}

// group is the number of a group, above 0, and until when it stays apart.
type group struct {
	number int
	until  time.Time
}

// turn is the number of a turn and of its round, from 1.
type turn struct{ number, round uint64 }

func newTurns() turns {
	return turns{served: map[string]turn{}, last: turn{round: 1}, spans: map[string]*spans{}, groups: map[evm.Address]group{}}
}

// reset makes the next turn read the windows from the store again.
func (t *turns) reset() { t.queue = nil }

// load sets the next windows, which are the first ones of every caller, then the second ones and so on. Callers without a turn in this round come first, of
// those the ones whose account is watched, and then those whose turn was longest ago.
func (t *turns) load(windows []index.Window, now time.Time) {
	type place struct {
		index.Window
		nth int
	}
	places := make([]place, len(windows))
	count := map[string]int{}
	for i, w := range windows {
		count[w.Caller]++
		places[i] = place{w, count[w.Caller]}
	}
	t.forget(count, now)
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.nth, b.nth), t.compare(a.Window, b.Window))
	})
	t.queue = nil
	for _, p := range places {
		t.queue = append(t.queue, p.Window)
	}
}

// compare orders the windows of two callers.
func (t *turns) compare(a, b index.Window) int {
	before := func(is bool) int {
		if is {
			return 0
		}
		return 1
	}
	had := func(w index.Window) int { return before(t.served[w.Caller].round < t.last.round) }
	return cmp.Or(cmp.Compare(had(a), had(b)), cmp.Compare(before(a.Watched), before(b.Watched)), cmp.Compare(t.served[a.Caller].number, t.served[b.Caller].number))
}

// forget drops what is known of callers without windows if it is too much, and of groups that may be read with others again.
func (t *turns) forget(callers map[string]int, now time.Time) {
	if len(t.spans) > maxCallers {
		maps.DeleteFunc(t.spans, func(c string, _ *spans) bool { return callers[c] == 0 })
		maps.DeleteFunc(t.served, func(c string, _ turn) bool { return callers[c] == 0 })
	}
	maps.DeleteFunc(t.groups, func(_ evm.Address, g group) bool { return !g.until.After(now) })
}

// take removes the next window whose caller has budget left from the queue; false if there is none.
func (t *turns) take(affords func(index.Window) bool) (index.Window, bool) {
	for len(t.queue) > 0 {
		w := t.queue[0]
		t.queue = t.queue[1:]
		if affords(w) {
			t.last.number++
			if t.served[w.Caller].round == t.last.round {
				t.last.round++
			}
			t.served[w.Caller] = t.last
			return w, true
		}
	}
	return index.Window{}, false
}

// next returns the window to read next; false if every window is deferred, or the budgets are used up.
func (i *Indexer) next(ctx context.Context, c *Chain) (index.Window, bool, error) {
	affords := func(w index.Window) bool { return i.budgets(w).afford(ctx, i.Limiter) }
	if w, ok := c.turns.take(affords); ok {
		return w, true, nil
	}
	now := i.Clock.Now()
	windows, err := i.Store.NextWindows(ctx, c.id, i.activeSince(), now)
	if err != nil {
		return index.Window{}, false, err
	}
	c.turns.load(windows, now)
	w, ok := c.turns.take(affords)
	return w, ok, nil
}

// shared returns windows of other accounts that can be read together with a window from low on.
func (i *Indexer) shared(ctx context.Context, c *Chain, w index.Window, low uint64) ([]index.Window, error) {
	if w.Failures > 0 {
		return nil, nil
	}
	own := c.turns.groups[w.Account.Address].number
	list, err := i.Store.SharedWindows(ctx, w, low, accountsPerRead-1, i.activeSince())
	return slices.DeleteFunc(list, func(o index.Window) bool { return c.turns.groups[o.Account.Address].number != own }), err
}

// spanOf returns how many blocks are read at a time for a caller. It begins with the longest of the others, which nodes accept.
func (t *turns) spanOf(caller string, whole bool) *span {
	s := t.spans[caller]
	if s == nil {
		s = newSpans()
		if len(t.spans) > 0 {
			longest := slices.MaxFunc(slices.Collect(maps.Values(t.spans)), func(a, b *spans) int { return cmp.Compare(a.logs.size, b.logs.size) })
			s.logs.size, s.whole.size = longest.logs.size, longest.whole.size
		}
		t.spans[caller] = s
	}
	if whole {
		return &s.whole
	}
	return &s.logs
}

// split makes two groups of the accounts of a filling for a while, and its window the next one. If one account is the reason that it failed, it is found in
// few reads, and the others are still read together.
func (t *turns) split(f index.Filling, until time.Time) {
	accounts := f.Accounts()
	half := (len(accounts) + 1) / 2
	for n, some := range [][]evm.Address{accounts[:half], accounts[half:]} {
		for _, a := range some {
			t.groups[a] = group{t.lastGroup + n + 1, until}
		}
	}
	t.lastGroup += 2
	t.queue = slices.Insert(t.queue, 0, f.Window)
}
