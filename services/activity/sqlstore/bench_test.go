package sqlstore_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/activitytest"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
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

// BenchmarkNextWindows measures what is read before a turn on a chain with 2,000 requested accounts of 100 callers, whose blocks are all unread.
func BenchmarkNextWindows(b *testing.B) {
	s := open(b, storetest.Open(b, storetest.SQLite(b)))
	if err := s.Jump(b.Context(), activitytest.Chain, node.Hash{}, 0, []node.Header{{Number: 1_000, Hash: node.Hash{1}}}); err != nil {
		b.Fatal(err)
	}
	for n := range 2_000 {
		account := index.Account{ChainID: activitytest.Chain, Address: evm.Address{18: byte(n >> 8), 19: byte(n)}}
		r := index.Request{Account: account, Caller: string(rune('A' + n%100)), At: activitytest.Noon}
		if err := s.Track(b.Context(), r, 20_000, time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("turns", func(b *testing.B) {
		for b.Loop() {
			if list, err := s.NextWindows(b.Context(), activitytest.Chain, time.Time{}, activitytest.Noon); err != nil || len(list) != 400 {
				b.Fatal(len(list), err)
			}
		}
	})
	b.Run("shared", func(b *testing.B) {
		w := index.Window{Account: index.Account{ChainID: activitytest.Chain}, High: 1_000, Whole: true}
		for b.Loop() {
			if list, err := s.SharedWindows(b.Context(), w, 900, 249, time.Time{}); err != nil || len(list) != 249 {
				b.Fatal(len(list), err)
			}
		}
	})
}
