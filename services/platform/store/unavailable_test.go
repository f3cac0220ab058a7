package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// answered returns the error that a caller of a service gets if work fails.
func answered(t *testing.T, work func(ctx context.Context) error) *fault.Error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	handle := func(ctx context.Context, _ any) (any, error) { return nil, work(ctx) }
	_, err := observe.Unary(store.Fault)(ctx, nil, &grpc.UnaryServerInfo{FullMethod: "/hawser.test.v1.TestService/Test"}, handle)
	return fault.From(err)
}

func wantUnavailable(t *testing.T, f *fault.Error) {
	t.Helper()
	if f.Code != codes.Unavailable || f.Reason != faultv1.Reason_REASON_SERVICE_UNAVAILABLE || f.Public != "The service is temporarily unavailable" {
		t.Errorf("a caller sees %v %v %q", f.Code, f.Reason, f.Public)
	}
}

func TestADatabaseThatDoesNotAnswerIsUnavailable(t *testing.T) {
	link := storetest.LinkTo(t, storetest.PostgreSQL(t))
	db := storetest.Open(t, link.DSN)
	read := func(ctx context.Context) error {
		var one int
		return db.Reader().QueryRowContext(ctx, "SELECT 1").Scan(&one)
	}
	write := func(ctx context.Context) error {
		return db.InTx(ctx, func(tx *store.Tx) error {
			_, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS t (n BIGINT)")
			if err != nil {
				return fmt.Errorf("wrapped as services do: %w", err)
			}
			return nil
		})
	}
	if err := errors.Join(read(t.Context()), write(t.Context())); err != nil {
		t.Fatal(err)
	}
	link.Cut()
	for range 5 {
		wantUnavailable(t, answered(t, write))
		wantUnavailable(t, answered(t, read))
	}
	link.Restore(t)
	if err := write(t.Context()); err != nil {
		t.Errorf("after it came back: %v", err)
	}
}

func TestReleasingTheLockOfMigrationsDoesNotWaitForAServerThatHangs(t *testing.T) {
	link := storetest.LinkTo(t, storetest.PostgreSQL(t))
	db := storetest.Open(t, link.DSN)
	released := make(chan error, 1)
	go func() {
		released <- db.Holding(t.Context(), func() error {
			link.Freeze()
			return nil
		})
	}()
	select {
	case <-released:
	case <-time.After(time.Minute):
		link.Cut()
		<-released
		t.Fatal("it waits")
	}
}

func TestADatabaseThatHangsIsNotReadyHoweverLongTheCallerHas(t *testing.T) {
	link := storetest.LinkTo(t, storetest.PostgreSQL(t))
	db := storetest.Open(t, link.DSN)
	if err := db.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	link.Freeze()
	checked := make(chan error, 3)
	for range cap(checked) {
		go func() { checked <- db.Ready(t.Context()) }()
	}
	for range cap(checked) {
		select {
		case err := <-checked:
			if err == nil {
				t.Error("it is ready")
			}
		case <-time.After(time.Minute):
			link.Cut()
			t.Fatal("the check waits")
		}
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := db.Ready(left); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left: %v", err)
	}
}

// Services convert some errors to faults themselves, for mistakes of their callers.
func TestADatabaseThatDoesNotAnswerIsUnavailableWhateverAServiceMadeOfIt(t *testing.T) {
	link := storetest.LinkTo(t, storetest.PostgreSQL(t))
	db := storetest.Open(t, link.DSN)
	link.Cut()
	wantUnavailable(t, answered(t, func(ctx context.Context) error {
		var one int
		if err := db.Reader().QueryRowContext(ctx, "SELECT 1").Scan(&one); err != nil {
			return fault.From(fmt.Errorf("find name: %w", err))
		}
		return nil
	}))
}

func TestATerminatedConnectionIsUnavailable(t *testing.T) {
	db := storetest.Open(t, storetest.PostgreSQL(t))
	wantUnavailable(t, answered(t, func(ctx context.Context) error {
		return db.InTx(ctx, func(tx *store.Tx) error {
			_, err := tx.ExecContext(ctx, "SELECT pg_terminate_backend(pg_backend_pid())")
			return err
		})
	}))
}

func TestAFullDatabaseIsUnavailable(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	wantUnavailable(t, answered(t, func(ctx context.Context) error {
		return db.InTx(ctx, func(tx *store.Tx) error {
			for _, statement := range []string{"PRAGMA max_page_count = 4", "CREATE TABLE t (x TEXT)"} {
				if _, err := tx.ExecContext(ctx, statement); err != nil {
					return err
				}
			}
			_, err := tx.ExecContext(ctx, "INSERT INTO t (x) VALUES ($1)", strings.Repeat("x", 1<<16))
			return err
		})
	}))
	if err := db.Ready(t.Context()); err == nil {
		t.Error("a database that takes no write says that it is ready")
	}
	err := db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "PRAGMA max_page_count = 1000")
		return err
	})
	if err := errors.Join(err, db.Ready(t.Context())); err != nil {
		t.Errorf("after there is room: %v", err)
	}
}

func TestABugIsNotUnavailable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := answered(t, func(ctx context.Context) error {
			_, err := db.Reader().ExecContext(ctx, "SELECT nonsense")
			return err
		})
		if f.Code != codes.Internal {
			t.Errorf("a caller sees %v %v", f.Code, f.Reason)
		}
	})
}

func TestAReasonOfTheServicesOwnStays(t *testing.T) {
	own := fault.New(codes.NotFound, faultv1.Reason_REASON_ORDER_UNKNOWN, "", "No such order")
	f := answered(t, func(context.Context) error { return own.Because(io.ErrUnexpectedEOF) })
	if f.Reason != own.Reason {
		t.Errorf("a caller sees %v", f.Reason)
	}
}

// Other processes may use every connection of the server; the next free one is waited for.
func TestAConnectionIsWaitedFor(t *testing.T) {
	dsn := storetest.PostgreSQL(t)
	role := "few" + filepath.Base(mustParse(t, dsn).Path)
	admin := storetest.Open(t, dsn)
	for _, statement := range []string{"CREATE ROLE " + role + " LOGIN CONNECTION LIMIT 2"} {
		if _, err := admin.Reader().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _, _ = admin.Reader().ExecContext(context.Background(), "DROP ROLE "+role) })
	few := mustParse(t, dsn)
	few.User = url.User(role)
	here, err := store.OpenPool(t.Context(), few.String(), 2)
	if err != nil {
		t.Fatal(err)
	}
	there, err := store.OpenPool(t.Context(), few.String(), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = here.Close(), there.Close() })
	var calls sync.WaitGroup
	for range 12 {
		for _, db := range []*store.DB{here, there} {
			calls.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				err := db.InTx(ctx, func(tx *store.Tx) error {
					_, err := tx.ExecContext(ctx, "SELECT pg_sleep(0.05)")
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	calls.Wait()
}

func mustParse(t *testing.T, dsn string) *url.URL {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A process whose host or network fails closes no connection, so that the server does not notice by itself.
func TestTheLockOfAProcessWhoseNetworkFailsIsFree(t *testing.T) {
	dsn := storetest.PostgreSQL(t)
	link := storetest.LinkTo(t, dsn)
	failing, other := storetest.Open(t, link.DSN), storetest.Open(t, dsn)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = failing.Exclusively(t.Context(), "work", func() error {
			link.Freeze()
			<-t.Context().Done()
			return nil
		})
	}()
	t.Cleanup(func() { <-ended })
	t.Cleanup(link.Cut)
	<-link.Frozen()
	frozen := time.Now()
	for {
		ran, err := other.Exclusively(t.Context(), "work", func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if ran {
			t.Logf("free after %s", time.Since(frozen).Round(time.Millisecond))
			return
		}
		if time.Since(frozen) > time.Minute {
			t.Fatal("the lock is held")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestTheLockOfLongWorkIsHeld(t *testing.T) {
	dsn := mustParse(t, storetest.PostgreSQL(t))
	q := dsn.Query()
	q.Set("idle_in_transaction_session_timeout", "2500")
	dsn.RawQuery = q.Encode()
	db := storetest.Open(t, dsn.String())
	ran, err := db.Exclusively(t.Context(), "work", func() error {
		// Longer than a transaction may be idle.
		if _, err := db.Reader().ExecContext(t.Context(), "SELECT pg_sleep(4)"); err != nil {
			return err
		}
		if second, err := db.Exclusively(t.Context(), "work", func() error { return nil }); second || err != nil {
			t.Errorf("a second holder: %t, %v", second, err)
		}
		return nil
	})
	if !ran || err != nil {
		t.Errorf("ran %t, %v", ran, err)
	}
}

// An index of a large table takes longer than other statements may.
func TestAStatementOfAMigrationMayTakeLong(t *testing.T) {
	dsn := mustParse(t, storetest.PostgreSQL(t))
	q := dsn.Query()
	q.Set("statement_timeout", "300")
	dsn.RawQuery = q.Encode()
	db := storetest.Open(t, dsn.String())
	slow := fstest.MapFS{"00001_slow.sql": &fstest.MapFile{Data: []byte("-- +goose Up\nSELECT pg_sleep(1);\n")}}
	if err := db.Migrate(t.Context(), "slow", slow); err != nil {
		t.Error(err)
	}
	if _, err := db.Reader().ExecContext(t.Context(), "SELECT pg_sleep(1)"); err == nil {
		t.Error("another statement may take as long")
	}
}
