package sqlstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// plan returns the steps by which SQLite answers a query.
func plan(t *testing.T, db *store.DB, query string, args ...any) (steps []string) {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

func TestAccountsAreFoundByIndexWithoutTheirChain(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	open(t, db)
	for _, condition := range []string{"account = '0x00'", "asked_at < 5 ORDER BY asked_at LIMIT 9"} {
		for _, step := range plan(t, db, "SELECT chain_id FROM activity_accounts WHERE "+condition) {
			if !strings.HasPrefix(step, "SEARCH") {
				t.Errorf("%s: %s", condition, step)
			}
		}
	}
}

// A chain keeps the windows of many accounts, of which few are followed; and those that are followed may be many, and have few windows.
func TestOnlyWindowsOfFollowedAccountsAreSearched(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	open(t, db)
	for query, args := range map[string][]any{
		sqlstore.NextWindows:   {"eip155:1", 5, 5, 4},
		sqlstore.SharedWindows: {"eip155:1", 5, 9, true, "0x00", 5, 9, 9},
	} {
		steps := strings.Join(plan(t, db, query, args...), "\n")
		windows, accounts := strings.Index(steps, "activity_windows_due (chain_id=? AND rests_until<?)"), strings.Index(steps, "(chain_id=? AND account=?")
		if windows < 0 || accounts < windows {
			t.Errorf("%s", steps)
		}
	}
}

// An account has few approvals, and may have used them often.
func TestApprovalsAreSearchedAmongTheLatestEvents(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	open(t, db)
	steps := plan(t, db, fmt.Sprintf(sqlstore.Approved, "(SELECT $3)"), "eip155:1", "0x00", "0x00", 9)
	if len(steps) == 0 || !strings.Contains(steps[0], "activity_approvals_latest (chain_id=? AND account=? AND latest=?)") {
		t.Errorf("%s", strings.Join(steps, "\n"))
	}
}

// An account may have few rows on one chain and very many newer ones on another.
func TestAPageIsReadByTheIndexOfItsChains(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	open(t, db)
	place := &index.Place{Time: 7, ChainID: "eip155:1", Block: 5, Index: 3}
	for _, tt := range []struct {
		chainID string
		after   *index.Place
		want    string
	}{
		{"eip155:1", nil, "activity_rows_chain (chain_id=? AND account=?)"},
		{"eip155:1", place, "activity_rows_chain (chain_id=? AND account=? AND (mined_at,block,tx_index)<(?,?,?))"},
		{"", nil, "activity_rows_history (account=?)"},
		{"", place, "activity_rows_history (account=? AND (mined_at,chain_id,block,tx_index)<(?,?,?,?))"},
	} {
		query, args := sqlstore.PageQuery(evm.Address{1}, tt.chainID, tt.after, 50)
		steps := plan(t, db, query, args...)
		if len(steps) != 1 || !strings.Contains(steps[0], tt.want) {
			t.Errorf("on %q: %s, want %s", tt.chainID, strings.Join(steps, "\n"), tt.want)
		}
	}
}
