package bus_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// The variables that make this test binary the writer which the test kills.
const (
	writerDSN   = "HAWSER_TEST_WRITER_DSN"
	writerDir   = "HAWSER_TEST_WRITER_DIR"
	writerFirst = "HAWSER_TEST_WRITER_FIRST"
)

func TestMain(m *testing.M) {
	if os.Getenv(writerDSN) != "" {
		if err := write(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m)
}

// write stores state together with its event until it is killed, and prints each number once the database acknowledged
// it.
func write(ctx context.Context) error {
	db, err := store.Open(ctx, os.Getenv(writerDSN))
	if err != nil {
		return err
	}
	o, err := bus.NewOutbox(ctx, db)
	if err != nil {
		return err
	}
	b, err := bus.Open(ctx, bus.Config{Dir: os.Getenv(writerDir)})
	if err != nil {
		return err
	}
	go func() { _ = o.Run(ctx, b) }()
	first, err := strconv.Atoi(os.Getenv(writerFirst))
	if err != nil {
		return err
	}
	for n := first; ; n++ {
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
	rounds := 8
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
			// The numbers of a killed writer may exceed what it acknowledged.
			acknowledged += killWriter(t, dsn, dir, round*1_000_000, 20+37*round)
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

// killWriter starts a writer, lets it acknowledge some writes, kills it, and returns how many it acknowledged.
func killWriter(t *testing.T, dsn, dir string, first, enough int) (acknowledged int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), writerDSN+"="+dsn, writerDir+"="+dir, writerFirst+"="+strconv.Itoa(first))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if acknowledged++; acknowledged == enough {
			// What it prints before the signal reaches it counts as well.
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if acknowledged < enough {
		t.Fatalf("the writer ended by itself after %d writes", acknowledged)
	}
	return acknowledged
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
