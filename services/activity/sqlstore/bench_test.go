package sqlstore_test

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/activitytest"
	"github.com/hawser-dev/hawser/services/activity/classifier"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// BenchmarkFollowedBlock measures one block of a chain with very many followed accounts, of which 200 have a row in it: the update of the followed accounts, of
// which one begins in each block, the search for their rows, and the change of the index.
func BenchmarkFollowedBlock(b *testing.B) {
	for name, empty := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		for _, n := range []int{3_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/accounts=%d", name, n), func(b *testing.B) {
				db := storetest.Open(b, empty(b))
				benchmarkFollowedBlock(b, db, open(b, db), n)
			})
		}
	}
}

func benchmarkFollowedBlock(b *testing.B, db *store.DB, s index.Store, n int) {
	const rows = 200
	if err := s.Jump(b.Context(), activitytest.Chain, node.Hash{}, 0, []node.Header{numberedBlock(0)}); err != nil {
		b.Fatal(err)
	}
	addFollowed(b, db, n)
	following, err := s.Follow(b.Context(), activitytest.Chain, activitytest.Noon, 2*n, index.Following{})
	if err != nil || len(following.Accounts) != n {
		b.Fatal(len(following.Accounts), err)
	}
	receivers := slices.Clone(following.Accounts[:rows])
	next := 0
	for b.Loop() {
		at := activitytest.Noon.Add(time.Duration(next) * time.Millisecond)
		added := index.Account{ChainID: activitytest.Chain, Address: evm.Address{0: 0xff, 16: byte(next >> 24), 17: byte(next >> 16), 18: byte(next >> 8), 19: byte(next)}}
		if err := s.Track(b.Context(), index.Request{Account: added, At: at}, 2*n, activitytest.Noon); err != nil {
			b.Fatal(err)
		}
		if following, err = s.Follow(b.Context(), activitytest.Chain, activitytest.Noon, 2*n, following); err != nil {
			b.Fatal(err)
		}
		header := numberedBlock(next + 1)
		var found []node.Found
		for i, to := range receivers {
			t := node.Transaction{Hash: node.Hash{1, 28: byte(next >> 8), 29: byte(next), 30: byte(i >> 8), 31: byte(i)}, From: evm.Address{9}, To: &to, Value: big.NewInt(1)}
			found = append(found, node.Found{Header: header, Transaction: t, Receipt: node.Receipt{Succeeded: true}})
		}
		e := index.Extension{ChainID: activitytest.Chain, Ancestor: numberedBlock(next), Headers: []node.Header{header}, Following: following.Version}
		if e.Rows, err = classifier.Rows(b.Context(), found, activitytest.Chain, following.Accounts); err != nil || len(e.Rows) != rows {
			b.Fatal(len(e.Rows), err)
		}
		if err := s.Extend(b.Context(), e); err != nil {
			b.Fatal(err)
		}
		next++
	}
}

// addFollowed adds n followed accounts to the chain, of which all blocks have been read.
func addFollowed(b *testing.B, db *store.DB, n int) {
	b.Helper()
	numbers, address := `WITH RECURSIVE numbers(n) AS (SELECT $1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)`, `'0x' || lower(hex(randomblob(16))) || printf('%08x', n)`
	if db.Dialect() == store.PostgreSQL {
		numbers, address = `WITH numbers(n) AS (SELECT generate_series(CAST($1 AS INTEGER), CAST($2 AS INTEGER)))`, `'0x' || md5(CAST(n AS TEXT)) || lpad(to_hex(n), 8, '0')`
	}
	exec := func(query string, args ...any) {
		err := db.InTx(b.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(b.Context(), query, args...)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	const atOnce = 100_000
	for from := 0; from < n; from += atOnce {
		exec(`INSERT INTO activity_accounts (chain_id, account, asked_at, native_from, caller, tracked_at, begun, followed_to)
			`+numbers+` SELECT CAST($3 AS TEXT), `+address+`, CAST($4 AS BIGINT), 0, '', 1, TRUE, NULL FROM numbers`,
			from+1, min(from+atOnce, n), activitytest.Chain, activitytest.Noon.UnixMilli())
	}
	exec(`INSERT INTO activity_following (chain_id, version, kept) VALUES ($1, 1, $2)`, activitytest.Chain, n)
	exec(`ANALYZE activity_accounts`)
}

func numberedBlock(n int) (h node.Header) {
	h.Number = uint64(n)
	binary.BigEndian.PutUint64(h.Hash[:], h.Number+1)
	return h
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
