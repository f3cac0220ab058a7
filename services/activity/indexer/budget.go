package indexer

import (
	"context"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// budget is a rate of calls to nodes for old blocks, and whose it is.
type budget struct {
	rate   limit.Rate
	caller limit.Caller
}

const (
	// reservePart is the part of the calls of all callers that is kept for callers that used little, as a divisor.
	reservePart = 4
	// littlePart is the part of the calls of a caller that is little, as a divisor: about one account. What is watched is counted apart, so that it is not
	// held up by the caller's other accounts.
	littlePart = 8
)

// budgets are the calls to the nodes of a chain that the old blocks of a window may cost: of all callers, of those that used more than little, of
// the caller, and what is little of it.
type budgets struct{ all, common, each, little budget }

func (i *Indexer) budgets(w index.Window) budgets {
	name, kind := "old blocks of "+w.Account.ChainID, "unwatched"
	if w.Watched {
		kind = "watched"
	}
	all, each := limit.Caller{Project: "activity"}, limit.Caller{Project: "activity/" + w.Caller}
	return budgets{
		all:    budget{limit.PerHour(name, i.CallsPerHour), all},
		common: budget{limit.PerHour(name+" in common", i.CallsPerHour-i.CallsPerHour/reservePart), all},
		each:   budget{limit.PerHour(name, i.CallsPerCaller), each},
		little: budget{limit.PerHour(name+", little and "+kind, (i.CallsPerCaller+littlePart-1)/littlePart), each},
	}
}

// Waits reports whether a caller has used up its calls for old blocks of a chain.
func (i *Indexer) Waits(ctx context.Context, chainID, caller string) bool {
	return !i.budgets(index.Window{Account: index.Account{ChainID: chainID}, Caller: caller}).each.affords(ctx, i.Limiter)
}

// afford reports whether the budgets are not used up. A caller that used little needs none of what is common.
func (b budgets) afford(ctx context.Context, l limit.Limiter) bool {
	return b.all.affords(ctx, l) && b.each.affords(ctx, l) && (b.little.affords(ctx, l) || b.common.affords(ctx, l))
}

// owe takes n calls from the budgets.
func (b budgets) owe(ctx context.Context, l limit.Limiter, n int) {
	last := b.little
	if !b.little.affords(ctx, l) {
		last = b.common
	}
	for _, from := range []budget{b.all, b.each, last} {
		l.Owe(ctx, from.caller, from.rate, n)
	}
}

// affords reports whether a budget is not used up.
func (b budget) affords(ctx context.Context, l limit.Limiter) bool {
	return l.Take(ctx, b.caller, b.rate, 0) == 0
}

// charge takes what a read cost from the budgets. The blocks count for the caller of the window in whose turn they were read, and the transactions in
// them, of which unused are those without a row, for the callers of the accounts.
func (i *Indexer) charge(ctx context.Context, f index.Filling, whole bool, unused map[evm.Address]int) {
	blocks := int(f.Window.High - f.Low + 1)
	each := 1
	if !whole {
		// The last header, and of each transaction its content, block and receipt.
		blocks, each = 1, 3
	} else if i.Traces != nil && i.Traces(f.Window.Account.ChainID) {
		blocks *= 2
	}
	windows := map[evm.Address]index.Window{f.Window.Account.Address: f.Window}
	for _, w := range f.Shared {
		windows[w.Account.Address] = w
	}
	type payer struct {
		caller  string
		watched bool
	}
	cost := map[payer]int{{f.Window.Caller, f.Window.Watched}: blocks + callsPerFilter}
	for _, r := range f.Rows {
		w := windows[r.Account.Address]
		cost[payer{w.Caller, w.Watched}] += each
	}
	for account, n := range unused {
		w := windows[account]
		cost[payer{w.Caller, w.Watched}] += n * each
	}
	for p, n := range cost {
		i.budgets(index.Window{Account: f.Window.Account, Caller: p.caller, Watched: p.watched}).owe(ctx, i.Limiter, n)
	}
}
