package activity

import (
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

func TestAChainThatBecomesLowerLosesItsRowsWithoutANewBlock(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.ask(t, to, "")
	before := w.chain.Call(t, "evm_snapshot")
	w.pay(t, from, to)
	w.pay(t, from, to)
	eventually(t, "two rows", func() bool { return len(w.hashes(t, to)) == 2 })
	w.chain.Call(t, "evm_revert", text(t, before))
	eventually(t, "no row", func() bool {
		w.clock.ahead.Add(int64(time.Second))
		return len(w.hashes(t, to)) == 0
	})
}

func TestAChainWithAnotherGenesisIsReadAnew(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	hash := w.pay(t, from, to)
	eventually(t, "the row", func() bool { return slices.Equal(w.hashes(t, to), []string{hash}) })
	store, chainID := w.history.store, w.chain.CAIP2
	trail, err := store.Trail(t.Context(), chainID)
	if err != nil {
		t.Fatal(err)
	}
	w.stop()
	// What is kept is of a chain with another first block: a row that this chain does not have is there.
	account := Account{chainID, evm.MustAddress(to)}
	stale := Row{Account: account, Place: Place{Time: 1, ChainID: chainID, Block: trail[0].Number}, Hash: node.Hash{7}, BlockHash: trail[0].Hash, Detail: Detail{Operation: Execute, Transfers: nil}}
	if err := store.Extend(t.Context(), Extension{ChainID: chainID, Ancestor: trail[1], Headers: trail[:1], Accounts: []evm.Address{account.Address}, Rows: []Row{stale}}); err != nil {
		t.Fatal(err)
	}
	jump := func(genesis node.Hash) {
		slices.Reverse(trail)
		if err := store.Jump(t.Context(), chainID, genesis, trail); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(trail)
	}
	jump(node.Hash{1})
	jump(node.Hash{})
	jump(node.Hash{2})
	if rows, err := store.Page(t.Context(), account.Address, chainID, nil, 10); err != nil || len(rows) != 0 {
		t.Errorf("rows of the former chain: %v, %v", rows, err)
	}
	w.start(t)
	eventually(t, "the rows of the chain as it is", func() bool { return slices.Equal(w.hashes(t, to), []string{hash}) })
}
