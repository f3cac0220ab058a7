package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/killtest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// writer is a process that the test kills.
type writer struct {
	DSN, Dir string
	First    int
}

func TestMain(m *testing.M) {
	killtest.Main(write)
	goleak.VerifyTestMain(m)
}

// write stores state together with its event until it is killed, and prints each number once the database acknowledged
// it.
func write(ctx context.Context, in *json.Decoder) error {
	var w writer
	if err := in.Decode(&w); err != nil {
		return err
	}
	db, err := store.Open(ctx, w.DSN)
	if err != nil {
		return err
	}
	o, err := bus.NewOutbox(ctx, db)
	if err != nil {
		return err
	}
	b, err := bus.Open(ctx, bus.Config{Dir: w.Dir})
	if err != nil {
		return err
	}
	go func() { _ = o.Run(ctx, b) }()
	for n := w.First; ; n++ {
		err := db.InTx(ctx, func(tx *store.Tx) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO numbers (n) VALUES ($1)", n); err != nil {
				return err
			}
			return o.Add(ctx, tx, &projectsv1.ProjectChanged{Id: strconv.Itoa(n)})
		})
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stdout, n)
	}
}

func TestKilledAtAnyMomentNothingAcknowledgedIsLost(t *testing.T) {
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		dir := filepath.Join(t.TempDir(), "nats")
		db := storetest.Open(t, dsn)
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), "CREATE TABLE numbers (n BIGINT PRIMARY KEY)")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		acknowledged := 0
		for round := range rounds {
			p := killtest.Start(t, writer{dsn, dir, round * 1_000_000})
			// The numbers of a killed writer may exceed what it acknowledged.
			acknowledged += len(p.Await(20+37*round)) + len(p.Kill())
		}
		state := numbers(t, db)
		if len(state) < acknowledged {
			t.Fatalf("%d writes were acknowledged, %d are there", acknowledged, len(state))
		}

		b := bustest.Open(t, bus.Config{Dir: dir})
		relay(t, newOutbox(t, db), b)
		got := make(chan string, 100)
		subscribeIDs(t, b, "audit", got)
		waiting := map[string]bool{}
		for _, n := range state {
			waiting[n] = true
		}
		for len(waiting) > 0 {
			delete(waiting, receive(t, got))
		}
		waitUntilEmpty(t, db)
	})
}

// numbers returns what the database holds; every one of them must have its event.
func numbers(t *testing.T, db *store.DB) (all []string) {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), "SELECT n FROM numbers ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		all = append(all, strconv.Itoa(n))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
