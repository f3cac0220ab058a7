package sqlstore_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/activitytest"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// BenchmarkBlockOfAChainWithUnfollowedAccounts measures one block of a chain with 2,000 accounts that are kept and not followed. With a statement for
// each of them it took forty times as long.
func BenchmarkBlockOfAChainWithUnfollowedAccounts(b *testing.B) {
	s := open(b, storetest.Open(b, storetest.SQLite(b)))
	block := func(n int) (h node.Header) {
		h.Number = uint64(n)
		binary.BigEndian.PutUint64(h.Hash[:], h.Number+1)
		return h
	}
	if err := s.Jump(b.Context(), activitytest.Chain, node.Hash{}, 0, []node.Header{block(0)}); err != nil {
		b.Fatal(err)
	}
	for n := range 2_000 {
		account := index.Account{ChainID: activitytest.Chain, Address: evm.Address{18: byte(n >> 8), 19: byte(n)}}
		if err := s.Track(b.Context(), index.Request{Account: account, At: activitytest.Noon}, 20_000, time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
	next := 0
	for b.Loop() {
		e := index.Extension{ChainID: activitytest.Chain, Ancestor: block(next), Headers: []node.Header{block(next + 1)}}
		if err := s.Extend(b.Context(), e); err != nil {
			b.Fatal(err)
		}
		next++
	}
}
