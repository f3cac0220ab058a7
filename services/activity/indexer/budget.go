package indexer

import (
	"context"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// budget is a rate of calls to nodes for old blocks, and whose it is.
type budget struct {
	rate   limit.Rate
	caller limit.Caller
}

// budgets are the calls to the nodes of a chain that old blocks may cost.
func (i *Indexer) budgets(chainID, caller string) (all, each budget) {
	name := "old blocks of " + chainID
	all = budget{limit.PerHour(name, i.CallsPerHour), limit.Caller{Project: "activity"}}
	each = budget{limit.PerHour(name, i.CallsPerCaller), limit.Caller{Project: "activity/" + caller}}
	return all, each
}

// affords reports whether a budget is not used up.
func (i *Indexer) affords(ctx context.Context, b budget) bool {
	return i.Limiter.Take(ctx, b.caller, b.rate, 0) == 0
}

// charge takes what a read cost from the budgets. The blocks count for the caller of the window in whose turn they were read, and what was found in
// them for the callers of the accounts.
func (i *Indexer) charge(ctx context.Context, f index.Filling, whole bool) {
	blocks := int(f.Window.High - f.Low + 1)
	each := 1
	if !whole {
		// The last header, and of each transaction its content, block and receipt.
		blocks, each = 1, 3
	} else if i.Traces != nil && i.Traces(f.Window.Account.ChainID) {
		blocks *= 2
	}
	callers := map[evm.Address]string{f.Window.Account.Address: f.Window.Caller}
	for _, w := range f.Shared {
		callers[w.Account.Address] = w.Caller
	}
	cost := map[string]int{f.Window.Caller: blocks + callsPerFilter}
	for _, r := range f.Rows {
		cost[callers[r.Account.Address]] += each
	}
	for caller, n := range cost {
		all, own := i.budgets(f.Window.Account.ChainID, caller)
		i.Limiter.Owe(ctx, all.caller, all.rate, n)
		i.Limiter.Owe(ctx, own.caller, own.rate, n)
	}
}
