package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestAccountsAreFoundByIndexWithoutTheirChain(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	open(t, db)
	for _, condition := range []string{"account = '0x00'", "asked_at < 5 ORDER BY asked_at LIMIT 9"} {
		rows, err := db.Reader().QueryContext(t.Context(), "EXPLAIN QUERY PLAN SELECT chain_id FROM activity_accounts WHERE "+condition)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil || !strings.HasPrefix(step, "SEARCH") {
				t.Errorf("%s: %s, %v", condition, step, err)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
}
