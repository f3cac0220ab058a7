package audit_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

var start = time.UnixMilli(1_700_000_000_123).UTC()

func open(t *testing.T, db *store.DB) (*audit.Log, *clocktest.Stopped) {
	t.Helper()
	if err := console.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	c := clocktest.StoppedAt(start)
	return audit.New(db, c), c
}

func TestAnEntryIsListedAsItWasAppended(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		log, _ := open(t, db)
		want := audit.Entry{
			At: start, OperatorID: "0123", OperatorName: "Ada", Role: "owner", Call: "ProjectService/UpdateProject", Changes: true, Target: "project 4567",
			Before: `{"name":"a"}`, After: `{"name":"b"}`, Address: "192.0.2.1", Outcome: audit.Done, Reason: "", StartedBy: 7,
		}
		id, err := log.Append(t.Context(), want)
		if err != nil {
			t.Fatal(err)
		}
		want.ID = id
		if got, err := log.List(t.Context(), audit.Filter{Limit: 10}); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	})
}

func TestTheLogIsFiltered(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		log, c := open(t, db)
		for _, e := range []audit.Entry{
			{OperatorID: "a", Call: "x", Target: "user 1", Outcome: audit.Done},
			{OperatorID: "b", Call: "x", Target: "user 2", Outcome: audit.Refused},
			{OperatorID: "a", Call: "y", Target: "user 2", Outcome: audit.Failed, Changes: true},
			{OperatorID: "a", Call: "y", Target: "user 3", Outcome: audit.Done, Changes: true},
		} {
			if _, err := log.Append(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			c.Pass(time.Minute)
		}
		all, err := log.List(t.Context(), audit.Filter{Limit: 10})
		if err != nil || len(all) != 4 {
			t.Fatalf("%+v, %v", all, err)
		}
		for behaviour, tt := range map[string]struct {
			filter audit.Filter
			want   string
		}{
			"everything, the newest first": {audit.Filter{}, "user 3, user 2, user 2, user 1"},
			"by operator":                  {audit.Filter{OperatorID: "b"}, "user 2"},
			"by target":                    {audit.Filter{Target: "user 2"}, "user 2, user 2"},
			"by call and operator":         {audit.Filter{Call: "x", OperatorID: "a"}, "user 1"},
			"changes":                      {audit.Filter{ChangesOnly: true}, "user 3, user 2"},
			"by outcome":                   {audit.Filter{Outcomes: []audit.Outcome{audit.Failed, audit.Refused}}, "user 2, user 2"},
			"from a time":                  {audit.Filter{From: start.Add(2 * time.Minute)}, "user 3, user 2"},
			"until a time":                 {audit.Filter{Until: start.Add(time.Minute)}, "user 1"},
			"before an entry":              {audit.Filter{Before: all[1].ID}, "user 2, user 1"},
		} {
			t.Run(behaviour, func(t *testing.T) {
				tt.filter.Limit = 10
				found, err := log.List(t.Context(), tt.filter)
				var targets []string
				for _, e := range found {
					targets = append(targets, e.Target)
				}
				if got := strings.Join(targets, ", "); err != nil || got != tt.want {
					t.Errorf("%s, %v; want %s", got, err, tt.want)
				}
			})
		}
		if two, err := log.List(t.Context(), audit.Filter{Limit: 2}); err != nil || len(two) != 2 {
			t.Errorf("%d of 2, %v", len(two), err)
		}
	})
}

func TestWhatIsTooLongIsCutWhereALetterEnds(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		log, _ := open(t, db)
		if _, err := log.Append(t.Context(), audit.Entry{After: "x" + strings.Repeat("é", 8<<10), Target: "bad \xff and \x00", Outcome: audit.Done}); err != nil {
			t.Fatal(err)
		}
		got, err := log.List(t.Context(), audit.Filter{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if after := got[0].After; len(after) > 8<<10 || !strings.HasSuffix(after, "é…") || !utf8.ValidString(after) {
			t.Errorf("%d bytes, ending with %q", len(after), after[len(after)-8:])
		}
		if got[0].Target != "bad \uFFFD and " {
			t.Errorf("target %q", got[0].Target)
		}
	})
}

// The database itself refuses what no statement of the suite does, such as that of somebody who has taken over another service.
func TestTheDatabaseRefusesToChangeOrDeleteAnEntry(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		log, _ := open(t, db)
		if _, err := log.Append(t.Context(), audit.Entry{Target: "kept", Outcome: audit.Done}); err != nil {
			t.Fatal(err)
		}
		for _, statement := range []string{`UPDATE console_audit SET target = 'changed'`, `DELETE FROM console_audit`} {
			err := db.InTx(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), statement)
				return err
			})
			if err == nil || !strings.Contains(err.Error(), "the audit log only grows") {
				t.Errorf("%s: %v", statement, err)
			}
		}
		if got, err := log.List(t.Context(), audit.Filter{Limit: 2}); err != nil || len(got) != 1 || got[0].Target != "kept" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestNoStatementChangesOrDeletesAnEntry(t *testing.T) {
	statement := regexp.MustCompile(`(?i)(update|delete\s+from|truncate|insert\s+into|replace\s+into)\s+console_audit`)
	found := 0
	err := filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, match := range statement.FindAllString(string(raw), -1) {
			found++
			if !strings.HasPrefix(match, "INSERT") {
				t.Errorf("%s: %s", path, match)
			}
		}
		return err
	})
	if err != nil || found != 1 {
		t.Errorf("%d statements were found, %v", found, err)
	}
}
