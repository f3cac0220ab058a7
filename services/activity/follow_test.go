package activity

import (
	"slices"
	"testing"
	"time"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/evm"
)

// pay sends one wei and tells the service of the block.
func (w *world) pay(tb testing.TB, from, to string) string {
	tb.Helper()
	hash := w.send(tb, map[string]any{"from": from, "to": to, "value": "0x1"})
	w.head(tb)
	return hash
}

// hashes lists the transactions of an account's first page.
func (w *world) hashes(tb testing.TB, address string) (list []string) {
	tb.Helper()
	for _, row := range w.ask(tb, address, "").GetData() {
		list = append(list, row.GetMetadata().GetHash())
	}
	return list
}

// told waits for the event that an account's rows changed, and returns it.
func (w *world) told(tb testing.TB, address string) *activityv1.ActivityChanged {
	tb.Helper()
	account := w.chain.CAIP2 + ":" + lower(evm.MustAddress(address))
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

func TestABlockIsARowAndAnEventForEverySeenAccountInIt(t *testing.T) {
	w := open(t)
	from, to, stranger := w.fresh(t), w.fresh(t), w.fresh(t)
	w.ask(t, from, "")
	w.ask(t, to, "")
	hash := w.pay(t, from, to)
	event := w.told(t, from)
	if event.GetChainId() != w.chain.CAIP2 || event.GetBlock() == 0 || !slices.Contains(event.GetAccounts(), w.chain.CAIP2+":"+lower(evm.MustAddress(to))) {
		t.Errorf("%v", event)
	}
	if slices.Contains(event.GetAccounts(), w.chain.CAIP2+":"+lower(evm.MustAddress(stranger))) {
		t.Error("told of somebody who has no part in it")
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
	w.ask(t, from, "")
	var want []string
	for range 5 {
		want = append([]string{w.send(t, map[string]any{"from": from, "to": to, "value": "0x1"})}, want...)
	}
	w.head(t)
	eventually(t, "all five", func() bool { return slices.Equal(w.hashes(t, from), want) })
}

func TestAReorganisationTakesRowsAwayAndBringsOthers(t *testing.T) {
	w := open(t)
	from, to, other := w.fresh(t), w.fresh(t), w.fresh(t)
	kept := w.pay(t, from, to)
	eventually(t, "the row before", func() bool { return slices.Equal(w.hashes(t, to), []string{kept}) })

	before := w.chain.Call(t, "evm_snapshot")
	orphans := []string{w.pay(t, from, to), w.pay(t, from, to), w.pay(t, from, to)}
	slices.Reverse(orphans)
	eventually(t, "the rows that will be orphans", func() bool { return slices.Equal(w.hashes(t, to), append(orphans, kept)) })

	w.chain.Call(t, "evm_revert", text(t, before))
	w.chain.Call(t, "anvil_setNextBlockBaseFeePerGas", "0x12345678")
	w.send(t, map[string]any{"from": from, "to": other, "value": "0x2"})
	w.send(t, map[string]any{"from": from, "to": other, "value": "0x2"})
	replacing := w.pay(t, from, to)
	eventually(t, "the orphans gone and the new row there", func() bool { return slices.Equal(w.hashes(t, to), []string{replacing, kept}) })
	if res, err := w.history.store.Page(t.Context(), evm.MustAddress(from), w.chain.CAIP2, nil, 100); err != nil || len(res) != 0 {
		t.Errorf("an account that nobody asked for has rows: %v, %v", res, err)
	}
}

func TestAReorganisationToAShorterChain(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.ask(t, to, "")
	before := w.chain.Call(t, "evm_snapshot")
	for range 4 {
		w.pay(t, from, to)
	}
	eventually(t, "four rows", func() bool { return len(w.hashes(t, to)) == 4 })
	w.chain.Call(t, "evm_revert", text(t, before))
	w.chain.Call(t, "anvil_setNextBlockBaseFeePerGas", "0x12345679")
	replacing := w.pay(t, from, to)
	eventually(t, "the one row of the new chain", func() bool { return slices.Equal(w.hashes(t, to), []string{replacing}) })
}

func TestAProcessThatDiesTakesUpWhereItWas(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	first := w.pay(t, from, to)
	eventually(t, "the first row", func() bool { return slices.Equal(w.hashes(t, to), []string{first}) })
	w.stop()
	second := w.send(t, map[string]any{"from": from, "to": to, "value": "0x1"})
	w.start(t)
	// Nobody asks, and no head is told: what was active is looked for at start.
	eventually(t, "the row of the time without a process", func() bool {
		rows, err := w.history.store.Page(t.Context(), evm.MustAddress(to), w.chain.CAIP2, nil, 10)
		return err == nil && len(rows) == 2 && rows[0].Hash.String() == second
	})
}

func TestAnAccountThatRestedIsCaughtUpWhenItIsAskedForAgain(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.ask(t, to, "")
	w.clock.ahead.Add(int64(2 * activeFor))
	hash := w.send(t, map[string]any{"from": from, "to": to, "value": "0x1"})
	w.head(t)
	follower := w.history.indexer.follower(w.chain.CAIP2)
	if err := follower.coming().await(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows, err := w.history.store.Page(t.Context(), evm.MustAddress(to), w.chain.CAIP2, nil, 10); err != nil || len(rows) != 0 {
		t.Errorf("followed for nobody: %v, %v", rows, err)
	}
	if got := w.hashes(t, to); !slices.Equal(got, []string{hash}) {
		t.Errorf("%v", got)
	}
}

func TestAnAccountThatNobodyAsksForIsForgotten(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	hash := w.pay(t, from, to)
	w.ask(t, to, "")
	w.stop()
	w.clock.ahead.Add(int64(w.config.KeepFor + time.Minute))
	w.start(t)
	eventually(t, "it is forgotten", func() bool {
		_, seen, err := w.history.store.Progress(t.Context(), Account{w.chain.CAIP2, evm.MustAddress(to)})
		return err == nil && !seen
	})
	if got := w.hashes(t, to); !slices.Equal(got, []string{hash}) {
		t.Errorf("asked for again: %v", got)
	}
}

func TestANodeThatIsAwayIsSaidWhereNothingIsKnown(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	hash := w.pay(t, from, to)
	w.ask(t, to, "")
	w.nodes.down.Store(true)
	if got := w.hashes(t, to); !slices.Equal(got, []string{hash}) {
		t.Errorf("what is known: %v", got)
	}
	wantFault(t, w, &activityv1.GetHistoryRequest{Address: to, ChainId: "31338"}, "CHAIN_UNAVAILABLE", "chainId",
		"Requested eip155:31338 history provider is temporarily unavailable")
}
