package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// EnvDSN names the variable with the postgres:// URL of a server to test on. Its user must be allowed to create databases.
const EnvDSN = "HAWSER_TEST_POSTGRES"

// server returns the URL of the server that all tests of this process share.
var server = sync.OnceValues(func() (string, error) {
	if dsn := os.Getenv(EnvDSN); dsn != "" {
		return dsn, nil
	}
	return startCluster()
})

var databases atomic.Int64

// PostgreSQL returns the DSN of an empty database for the test. The test fails if there is no PostgreSQL server.
func PostgreSQL(t testing.TB) string {
	t.Helper()
	admin, err := server()
	if err != nil {
		t.Fatal(err)
	}
	dsn, err := url.Parse(admin)
	if err != nil {
		t.Fatalf("%s is not a URL", EnvDSN)
	}
	name := fmt.Sprintf("hawser_test_%d_%d", os.Getpid(), databases.Add(1))
	administer(t, admin, "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, admin, "DROP DATABASE "+name+" WITH (FORCE)") })
	dsn.Path = "/" + name
	return dsn.String()
}

func administer(t testing.TB, dsn, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
