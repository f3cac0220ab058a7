package activity

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/indexer"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// pay sends one wei and publishes the head.
func (w *world) pay(tb testing.TB, from, to string) string {
	tb.Helper()
	hash := w.send(tb, map[string]any{"from": from, "to": to, "value": "0x1"})
	w.head(tb)
	return hash
}

// hashes returns the transactions on the first page of an account.
func (w *world) hashes(tb testing.TB, address string) (list []string) {
	tb.Helper()
	for _, row := range w.request(tb, address, "").GetData() {
		list = append(list, row.GetMetadata().GetHash())
	}
	return list
}

// changed waits for the event about the rows of an account, and returns it.
func (w *world) changed(tb testing.TB, address string) *activityv1.ActivityChanged {
	tb.Helper()
	account := w.chain.CAIP2 + ":" + strings.ToLower(address)
	var found *activityv1.ActivityChanged
	eventually(tb, "an event of "+account, func() bool {
		select {
		case e := <-w.changes:
			if slices.Contains(e.GetAccounts(), account) {
				found = e
			}
		default:
		}
		return found != nil
	})
	return found
}

func TestNothingWaitsForAChainThatHasBeenLateForLong(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.request(t, from, "")
	hash := w.pay(t, from, to)
	w.changed(t, from)
	w.nodes.hangs.Store(true)
	w.clock.Pass(2 * freshFor)
	chain := w.history.indexer.Chain(w.chain.CAIP2)
	eventually(t, "the chain is late", func() bool {
		w.request(t, from, "")
		return chain.LateFor(w.clock.Now()) > 0
	})
	w.clock.Pass(2 * lateFor)
	ctx, cancel := context.WithTimeout(t.Context(), pageWait/2)
	defer cancel()
	res, err := w.GetHistory(ctx, &activityv1.GetHistoryRequest{Address: from, ChainId: w.chain.CAIP2})
	if err != nil || len(res.GetData()) != 1 || res.GetData()[0].GetMetadata().GetHash() != hash {
		t.Errorf("the history of a late chain is %v, %v", res.GetData(), err)
	}
}

func TestATrackedAccountDoesNotWaitForASlowRound(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.request(t, from, "")
	hash := w.pay(t, from, to)
	w.changed(t, from)
	w.nodes.hangs.Store(true)
	w.clock.Pass(2 * freshFor)
	chain := w.history.indexer.Chain(w.chain.CAIP2)
	chain.Poll(w.clock.Now())
	eventually(t, "the round is slow", func() bool { return chain.IsSlow(slowAfter) })
	ctx, cancel := context.WithTimeout(t.Context(), pageWait/2)
	defer cancel()
	res, err := w.GetHistory(ctx, &activityv1.GetHistoryRequest{Address: from, ChainId: w.chain.CAIP2})
	if err != nil || len(res.GetData()) != 1 || res.GetData()[0].GetMetadata().GetHash() != hash {
		t.Errorf("the history during a slow round is %v, %v", res.GetData(), err)
	}
}

func TestATransactionIsARowAndAnEventForEachTrackedAccount(t *testing.T) {
	w := open(t)
	from, to, other2 := w.fresh(t), w.fresh(t), w.fresh(t)
	w.request(t, from, "")
	w.request(t, to, "")
	hash := w.pay(t, from, to)
	event := w.changed(t, from)
	if event.GetChainId() != w.chain.CAIP2 || event.GetBlock() == 0 || !slices.Contains(event.GetAccounts(), w.chain.CAIP2+":"+strings.ToLower(to)) {
		t.Errorf("%v", event)
	}
	if slices.Contains(event.GetAccounts(), w.chain.CAIP2+":"+strings.ToLower(other2)) {
		t.Error("the event has an account without a transfer")
	}
	for _, address := range []string{from, to} {
		if got := w.hashes(t, address); !slices.Equal(got, []string{hash}) {
			t.Errorf("%s has %v", address, got)
		}
	}
}

func TestBlocksBetweenTwoHeadsAreRead(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.request(t, from, "")
	var want []string
	for range 5 {
		want = append([]string{w.send(t, map[string]any{"from": from, "to": to, "value": "0x1"})}, want...)
	}
	w.head(t)
	eventually(t, "all five", func() bool { return slices.Equal(w.hashes(t, from), want) })
}

func TestAReorgReplacesRows(t *testing.T) {
	w := open(t)
	from, to, other := w.fresh(t), w.fresh(t), w.fresh(t)
	kept := w.pay(t, from, to)
	eventually(t, "the row before", func() bool { return slices.Equal(w.hashes(t, to), []string{kept}) })

	revert := w.chain.Snapshot(t)
	orphans := []string{w.pay(t, from, to), w.pay(t, from, to), w.pay(t, from, to)}
	slices.Reverse(orphans)
	eventually(t, "the rows that will be orphans", func() bool { return slices.Equal(w.hashes(t, to), append(orphans, kept)) })

	revert(t)
	w.chain.Call(t, "anvil_setNextBlockBaseFeePerGas", "0x12345678")
	w.send(t, map[string]any{"from": from, "to": other, "value": "0x2"})
	w.send(t, map[string]any{"from": from, "to": other, "value": "0x2"})
	replacing := w.pay(t, from, to)
	eventually(t, "the orphans gone and the new row there", func() bool { return slices.Equal(w.hashes(t, to), []string{replacing, kept}) })
	if res, err := w.history.store.Page(t.Context(), evm.MustAddress(from), w.chain.CAIP2, nil, 100); err != nil || len(res) != 0 {
		t.Errorf("an account without a request has rows: %v, %v", res, err)
	}
}

func TestAReorgToAShorterChain(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.request(t, to, "")
	revert := w.chain.Snapshot(t)
	for range 4 {
		w.pay(t, from, to)
	}
	eventually(t, "four rows", func() bool { return len(w.hashes(t, to)) == 4 })
	revert(t)
	w.chain.Call(t, "anvil_setNextBlockBaseFeePerGas", "0x12345679")
	replacing := w.pay(t, from, to)
	eventually(t, "the one row of the new chain", func() bool { return slices.Equal(w.hashes(t, to), []string{replacing}) })
}

func TestAReorgBelowTheKnownBlocksLeavesNoOrphans(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	kept := w.pay(t, from, to)
	revert := w.chain.Snapshot(t)
	orphan := w.pay(t, from, to)
	// The index knows the newest blocks only, and has the row of an older one.
	w.chain.Call(t, "anvil_mine", "0x28")
	eventually(t, "both rows", func() bool { return slices.Equal(w.hashes(t, to), []string{orphan, kept}) })

	revert(t)
	w.chain.Call(t, "anvil_setNextBlockBaseFeePerGas", "0x12345678")
	early := w.send(t, map[string]any{"from": from, "to": to, "value": "0x1"})
	w.chain.Call(t, "anvil_mine", "0x30")
	late := w.pay(t, from, to)
	eventually(t, "the rows of the new chain alone", func() bool { return slices.Equal(w.hashes(t, to), []string{late, early, kept}) })
}

func TestARestartedProcessContinues(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	first := w.pay(t, from, to)
	eventually(t, "the first row", func() bool { return slices.Equal(w.hashes(t, to), []string{first}) })
	w.stop()
	second := w.send(t, map[string]any{"from": from, "to": to, "value": "0x1"})
	w.start(t)
	// Neither a request nor a published head is needed: active chains are polled at the start.
	eventually(t, "the row of the time without a process", func() bool {
		rows, err := w.history.store.Page(t.Context(), evm.MustAddress(to), w.chain.CAIP2, nil, 10)
		return err == nil && len(rows) == 2 && rows[0].Hash.String() == second
	})
}

func TestAnInactiveAccountIsCaughtUpAtItsNextRequest(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.request(t, to, "")
	w.clock.Pass(2 * indexer.ActiveFor)
	chain := w.history.indexer.Chain(w.chain.CAIP2)
	// The newest block is known, so it counts as followed just now.
	if err := chain.Poll(w.clock.Now()).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	hash := w.send(t, map[string]any{"from": from, "to": to, "value": "0x1"})
	w.head(t)
	if err := chain.NextRound().Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows, err := w.history.store.Page(t.Context(), evm.MustAddress(to), w.chain.CAIP2, nil, 10); err != nil || len(rows) != 0 {
		t.Errorf("followed without an active account: %v, %v", rows, err)
	}
	eventually(t, "the block of the time without a request is read", func() bool { return slices.Equal(w.hashes(t, to), []string{hash}) })
}

func TestAnUnusedAccountIsForgotten(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	hash := w.pay(t, from, to)
	w.request(t, to, "")
	w.stop()
	w.clock.Pass(w.config.KeepFor + time.Minute)
	w.start(t)
	eventually(t, "it is dropped", func() bool {
		_, seen, err := w.history.store.Progress(t.Context(), index.Account{ChainID: w.chain.CAIP2, Address: evm.MustAddress(to)})
		return err == nil && !seen
	})
	if got := w.hashes(t, to); !slices.Equal(got, []string{hash}) {
		t.Errorf("after another request: %v", got)
	}
}

func TestAnUnreachableNodeIsAnErrorOnlyForUntrackedAccounts(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	hash := w.pay(t, from, to)
	w.request(t, to, "")
	w.nodes.down.Store(true)
	if got := w.hashes(t, to); !slices.Equal(got, []string{hash}) {
		t.Errorf("from the index: %v", got)
	}
	wantFault(t, w, &activityv1.GetHistoryRequest{Address: to, ChainId: "31338"}, "CHAIN_UNAVAILABLE", "chainId",
		"Requested eip155:31338 history provider is temporarily unavailable")
}
