package activity

import (
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestAChainThatBecomesShorterLosesRowsWithoutANewBlock(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	w.request(t, to, "")
	revert := w.chain.Snapshot(t)
	w.pay(t, from, to)
	w.pay(t, from, to)
	eventually(t, "two rows", func() bool { return len(w.hashes(t, to)) == 2 })
	revert(t)
	eventually(t, "no row", func() bool {
		w.clock.Pass(time.Second)
		return len(w.hashes(t, to)) == 0
	})
}

func TestAChainWithAnotherGenesisIsReadAgain(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	hash := w.pay(t, from, to)
	eventually(t, "the row", func() bool { return slices.Equal(w.hashes(t, to), []string{hash}) })
	store, chainID := w.history.store, w.chain.CAIP2
	recent, err := store.RecentBlocks(t.Context(), chainID)
	if err != nil {
		t.Fatal(err)
	}
	w.stop()
	following, err := store.Follow(t.Context(), chainID, time.Time{}, 10, index.Following{})
	if err != nil {
		t.Fatal(err)
	}
	// The index belongs to a chain with another first block, and has a row that this chain does not have.
	account := index.Account{ChainID: chainID, Address: evm.MustAddress(to)}
	stale := index.Row{Account: account, Place: index.Place{Time: 1, ChainID: chainID, Block: recent[0].Number}, Hash: node.Hash{7}, BlockHash: recent[0].Hash, Detail: index.Detail{Operation: index.Execute, Transfers: nil}}
	if err := store.Extend(t.Context(), index.Extension{ChainID: chainID, Ancestor: recent[1], Headers: recent[:1], Following: following.Version, Rows: []index.Row{stale}}); err != nil {
		t.Fatal(err)
	}
	jump := func(genesis node.Hash) {
		slices.Reverse(recent)
		if err := store.Jump(t.Context(), chainID, genesis, recent[0].Number, recent); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(recent)
	}
	jump(node.Hash{1})
	jump(node.Hash{})
	jump(node.Hash{2})
	if rows, err := store.Page(t.Context(), account.Address, chainID, nil, 10); err != nil || len(rows) != 0 {
		t.Errorf("rows of the former chain: %v, %v", rows, err)
	}
	w.start(t)
	eventually(t, "the rows of the present chain", func() bool { return slices.Equal(w.hashes(t, to), []string{hash}) })
}
