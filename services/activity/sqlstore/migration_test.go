package sqlstore_test

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hawser-dev/hawser/services/activity/activitytest"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// migrateTo creates the tables as the migrations up to a file leave them.
func migrateTo(t *testing.T, db *store.DB, last string) {
	t.Helper()
	all := os.DirFS("migrations")
	files, err := fs.Glob(all, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	some := fstest.MapFS{}
	for _, name := range files {
		if name > last {
			continue
		}
		raw, err := fs.ReadFile(all, name)
		if err != nil {
			t.Fatal(err)
		}
		some[name] = &fstest.MapFile{Data: raw}
	}
	if err := db.Migrate(t.Context(), "activity", some); err != nil {
		t.Fatal(err)
	}
}

func TestBlocksThatWereReadBeforeApprovalsWereKeptAreReadOnceMore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		migrateTo(t, db, "00006_turns.sql")
		read, partly, unread := evm.Address{1}, evm.Address{2}, evm.Address{3}
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			for _, a := range []evm.Address{read, partly, unread} {
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO activity_accounts (chain_id, account, asked_at, native_from) VALUES ($1, $2, $3, 5)`,
					activitytest.Chain, lower(a), activitytest.Noon.UnixMilli()); err != nil {
					return err
				}
			}
			for _, number := range []int{8, 9} {
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO activity_blocks (chain_id, number, hash, parent, time) VALUES ($1, $2, '', '', 0)`,
					activitytest.Chain, number); err != nil {
					return err
				}
			}
			for _, w := range []index.Window{
				{Account: index.Account{Address: partly}, Low: 2, High: 3, Whole: true}, {Account: index.Account{Address: partly}, Low: 6, High: 6},
				{Account: index.Account{Address: unread}, Low: 0, High: 9, Whole: true},
			} {
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO activity_windows (chain_id, account, low, high, whole, failures, rests_until)
					VALUES ($1, $2, $3, $4, $5, 0, 0)`, activitytest.Chain, lower(w.Account.Address), int64(w.Low), int64(w.High), w.Whole); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}

		s := open(t, db)
		type blocks struct {
			low, high uint64
			whole     bool
		}
		// In the order in which their windows are next: four of a caller are listed at a time.
		for _, expected := range []struct {
			account evm.Address
			windows []blocks
		}{
			{read, []blocks{{9, 9, true}, {0, 8, false}}},
			{partly, []blocks{{9, 9, true}, {7, 8, false}, {6, 6, false}, {4, 5, false}, {2, 3, true}, {0, 1, false}}},
			{unread, []blocks{{0, 9, true}}},
		} {
			account, want := expected.account, expected.windows
			var got []blocks
			for range want {
				w, ok := first(t, s, account)
				if !ok {
					break
				}
				got = append(got, blocks{w.Low, w.High, w.Whole})
				if err := s.Defer(t.Context(), w, activitytest.Noon.Add(time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			if _, more := first(t, s, account); more || !slices.Equal(got, want) {
				t.Errorf("%s: windows %v, more %t; want %v", account, got, more, want)
			}
			if p, _, err := s.Progress(t.Context(), index.Account{ChainID: activitytest.Chain, Address: account}); err != nil || p.From != 10 || !p.Reading {
				t.Errorf("%+v, %v", p, err)
			}
		}
	})
}

// Spenders 1 to 3 are of a contract whose tokens the account bought, and spender 4 is of one whose tokens it was sent.
func TestApprovalsOfEarlierVersionsAreListed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		migrateTo(t, db, "00007_approvals.sql")
		account, bought, sent := evm.Address{1}, evm.Address{7}, evm.Address{8}
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			for i, from := range []evm.Address{account, sent} {
				contract := []evm.Address{bought, sent}[i]
				detail := fmt.Sprintf(`{"operation":"trade","from":"%s","to":"%s","nonce":7,"transfers":[{"standard":"erc20","direction":"in","from":"%s","to":"%[4]s"}]}`,
					lower(from), lower(contract), lower(account), lower(account))
				hash := node.Hash{9, byte(i)}.String()
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO activity_rows (chain_id, account, hash, mined_at, block, tx_index, block_hash, detail)
					VALUES ($1, $2, $3, 0, 1, $4, '', $5)`, activitytest.Chain, lower(account), hash, i, detail); err != nil {
					return err
				}
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO activity_arrivals (chain_id, account, contract, standard, token_id, hash, block)
					VALUES ($1, $2, $3, 'erc20', '', $4, 1)`, activitytest.Chain, lower(account), lower(contract), hash); err != nil {
					return err
				}
			}
			for i, e := range []struct {
				spender       byte
				block, n      int
				units, ofSlot string
			}{
				{1, 3, 0, "5", "a"}, {1, 3, 1, "4", "a"}, {1, 2, 9, "6", "a"}, {2, 1, 0, "8", "b"}, {3, 1, 1, "7", "c"}, {3, 4, 0, "0", "c"}, {4, 5, 0, "9", "d"},
			} {
				contract := bought
				if e.spender == 4 {
					contract = sent
				}
				_, err := tx.ExecContext(t.Context(), `INSERT INTO activity_approvals
					(chain_id, account, contract, spender, kind, token_id, slot, units, own, hash, mined_at, block, tx_index, position)
					VALUES ($1, $2, $3, $4, 'erc20', '', $5, $6, FALSE, $7, 0, $8, 0, $9)`, activitytest.Chain, lower(account), lower(contract),
					lower(evm.Address{e.spender}), e.ofSlot, e.units, node.Hash{byte(i)}.String(), e.block, e.n)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		list, _, err := open(t, db).Approved(t.Context(), index.Account{ChainID: activitytest.Chain, Address: account}, nil, 10)
		var units []int64
		for _, a := range list {
			units = append(units, a.Units.Int64())
		}
		if err != nil || !slices.Equal(units, []int64{4, 8}) {
			t.Errorf("%v, %v", units, err)
		}
	})
}

// first returns the next window of an account; false if there is none.
func first(t *testing.T, s index.Store, account evm.Address) (index.Window, bool) {
	t.Helper()
	list, err := s.NextWindows(t.Context(), activitytest.Chain, activitytest.Noon, activitytest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(w index.Window) bool { return w.Account.Address == account })
	if i < 0 {
		return index.Window{}, false
	}
	return list[i], true
}

// All that an account of the version before has not read is in its windows. A process of that version may add accounts later.
func TestAccountsOfTheVersionBeforeAreFollowed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		migrateTo(t, db, "00009_history.sql")
		active, unused, added := evm.Address{1}, evm.Address{2}, evm.Address{3}
		exec := func(query string, args ...any) {
			t.Helper()
			err := db.InTx(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), query, args...)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		add := func(a evm.Address, at time.Time, windowTo int) {
			t.Helper()
			exec(`INSERT INTO activity_accounts (chain_id, account, asked_at, native_from) VALUES ($1, $2, $3, 0)`, activitytest.Chain, lower(a), at.UnixMilli())
			exec(`INSERT INTO activity_windows (chain_id, account, low, high, whole, failures, rests_until) VALUES ($1, $2, 0, $3, TRUE, 0, 0)`,
				activitytest.Chain, lower(a), windowTo)
		}
		tip := node.Header{Number: 9, Hash: node.Hash{1}}
		exec(`INSERT INTO activity_blocks (chain_id, number, hash, parent, time) VALUES ($1, 9, $2, $3, 0)`, activitytest.Chain, tip.Hash.String(), node.Hash{}.String())
		add(active, activitytest.Noon, 4)
		add(unused, activitytest.Noon.Add(-2*time.Hour), 9)

		s := open(t, db)
		add(added, activitytest.Noon, 7)
		f, err := s.Follow(t.Context(), activitytest.Chain, activitytest.Noon, 10, index.Following{})
		if err != nil || !slices.Equal(f.Accounts, []evm.Address{active, added}) {
			t.Errorf("%v are followed, %v", f.Accounts, err)
		}
		for account, want := range map[evm.Address]index.Progress{
			active: {From: 5, Native: 5, Reading: true}, unused: {From: 10, Native: 10, Reading: true}, added: {From: 10, Native: 10, Reading: true},
		} {
			got, _, err := s.Progress(t.Context(), index.Account{ChainID: activitytest.Chain, Address: account})
			if err != nil || got != want {
				t.Errorf("%s: %+v, %v; want %+v", account, got, err, want)
			}
		}
	})
}
