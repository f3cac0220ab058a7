package sqlstore_test

import (
	"encoding/binary"
	"math/big"
	"runtime"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/activitytest"
	"github.com/hawser-dev/hawser/services/activity/classifier"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
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

// BenchmarkFollowedAccounts measures the list of a million followed accounts, and one block without rows for them.
func BenchmarkFollowedAccounts(b *testing.B) {
	const n = 1_000_000
	db := storetest.Open(b, storetest.SQLite(b))
	s := open(b, db)
	err := db.InTx(b.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(b.Context(), `INSERT INTO activity_accounts (chain_id, account, asked_at, native_from, caller, tracked_at, begun)
			WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
			SELECT $2, '0x' || lower(substr(hex(randomblob(16)), 1, 32)) || printf('%08x', n), 1, 0, '', 1, TRUE FROM numbers`, n, activitytest.Chain)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	perAccount := func(b *testing.B, work func()) {
		b.Helper()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		times := 0
		for b.Loop() {
			work()
			times++
		}
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(times)/n, "B/account")
	}
	var accounts []evm.Address
	b.Run("list", func(b *testing.B) {
		perAccount(b, func() {
			if accounts, err = s.Accounts(b.Context(), activitytest.Chain, time.Time{}, n); err != nil || len(accounts) != n {
				b.Fatal(len(accounts), err)
			}
		})
	})
	b.Run("rows", func(b *testing.B) {
		to := accounts[n/2]
		found := []node.Found{{Transaction: node.Transaction{From: evm.Address{9}, To: &to, Value: big.NewInt(1)}, Receipt: node.Receipt{Succeeded: true}}}
		perAccount(b, func() {
			if rows, err := classifier.Rows(b.Context(), found, activitytest.Chain, accounts); err != nil || len(rows) != 1 {
				b.Fatal(len(rows), err)
			}
		})
	})
	b.Run("text", func(b *testing.B) {
		perAccount(b, func() { sqlstore.ListOf(accounts) })
	})
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

// BenchmarkApproved measures the list of 1,000 approvals of an account with 100,000 events: each of another approval, all of a few, all of approvals
// that were taken back, and all in transactions of others.
func BenchmarkApproved(b *testing.B) {
	for name, empty := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		for _, events := range []struct {
			of    string
			event func(n int) (spender byte, units int64, own bool)
			want  int
		}{
			{"all", func(int) (byte, int64, bool) { return 0, 1, true }, 1_000},
			{"few", func(n int) (byte, int64, bool) { return byte(1 + n%10), 1, true }, 10},
			{"none", func(int) (byte, int64, bool) { return 0, 0, true }, 0},
			{"others", func(int) (byte, int64, bool) { return 0, 1, false }, 0},
		} {
			b.Run(name+"/"+events.of, func(b *testing.B) {
				s := open(b, storetest.Open(b, empty(b)))
				account := index.Account{ChainID: activitytest.Chain, Address: evm.Address{1}}
				fill(b, s, account, events.event)
				for b.Loop() {
					if list, _, err := s.Approved(b.Context(), account, []evm.Address{{7}}, 1_000); err != nil || len(list) != events.want {
						b.Fatal(len(list), err)
					}
				}
			})
		}
	}
}

// fill stores 100,000 approvals of an account. Those of spender 0 each have a spender of their own.
func fill(b *testing.B, s index.Store, a index.Account, event func(n int) (spender byte, units int64, own bool)) {
	b.Helper()
	const perBlock = 1_000
	tip := node.Header{Number: 100, Hash: node.Hash{1}}
	if err := s.Jump(b.Context(), a.ChainID, node.Hash{}, 0, []node.Header{tip}); err != nil {
		b.Fatal(err)
	}
	if err := s.Track(b.Context(), index.Request{Account: a, At: activitytest.Noon}, 1, time.Time{}); err != nil {
		b.Fatal(err)
	}
	f := index.Filling{Window: index.Window{Account: a, High: tip.Number, Whole: true}}
	for block := range tip.Number {
		var approvals []index.Approval
		own := true
		for i := range perBlock {
			n := int(block)*perBlock + i
			spender, units, sent := event(n)
			own = sent
			approval := index.Approval{Kind: index.AllowanceApproval, Contract: evm.Address{8}, Spender: evm.Address{0: spender}, Units: big.NewInt(units), Position: uint64(i)}
			if spender == 0 {
				binary.BigEndian.PutUint64(approval.Spender[8:], uint64(n))
			}
			approvals = append(approvals, approval)
		}
		r := index.Row{Account: a, Place: index.Place{ChainID: a.ChainID, Block: block}, Hash: node.Hash{2, 31: byte(block)}, Approvals: approvals}
		if own {
			r.From = a.Address
		}
		f.Rows = append(f.Rows, r)
	}
	if err := s.Fill(b.Context(), f); err != nil {
		b.Fatal(err)
	}
}
