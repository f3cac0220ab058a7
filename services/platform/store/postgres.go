package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// serverLimits are the timeouts of one connection in milliseconds, unless the DSN sets them. A process whose host or network failed closes no connection: its
// transactions, and with them the locks that [DB.Exclusively] holds, end once the server has not heard of it for the idle timeout.
var serverLimits = map[string]string{
	"application_name":                    "hawser",
	"statement_timeout":                   "15000",
	"lock_timeout":                        "5000",
	"idle_in_transaction_session_timeout": "4000",
}

func openPostgreSQL(dsn string, connections int) (*DB, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errors.New("open postgres database: the DSN does not parse")
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
	}
	for name, value := range serverLimits {
		if _, set := cfg.RuntimeParams[name]; !set {
			cfg.RuntimeParams[name] = value
		}
	}
	connector := &retryingConnector{Connector: stdlib.GetConnector(*cfg), most: connections}
	pool := sql.OpenDB(connector)
	connector.pool = pool
	pool.SetMaxOpenConns(connections)
	// Idle connections are closed, because a server limits the connections of all processes together.
	pool.SetMaxIdleConns(max(1, connections/2))
	pool.SetConnMaxIdleTime(30 * time.Second)
	return &DB{dialect: PostgreSQL, writer: pool, reader: pool}, nil
}

// OldestPostgreSQL is the oldest major version of PostgreSQL that is used, which is the one that the tests run.
const OldestPostgreSQL = 15

// checkServer returns an error if the server is a PostgreSQL before OldestPostgreSQL.
func (db *DB) checkServer(ctx context.Context) error {
	if db.dialect != PostgreSQL {
		return nil
	}
	var number int
	var name string
	query := "SELECT CAST(current_setting('server_version_num') AS INT), current_setting('server_version')"
	if err := db.reader.QueryRowContext(ctx, query).Scan(&number, &name); err != nil {
		return err
	}
	if number/10_000 < OldestPostgreSQL {
		return fmt.Errorf("it is PostgreSQL %s, and hawser needs %d or later", name, OldestPostgreSQL)
	}
	return nil
}

// connectTimeout bounds the wait for a connection, unless the caller's deadline is earlier. Other processes close
// unused connections within this time.
const connectTimeout = 35 * time.Second

// smallPoolFor is how long a pool keeps the reduced size that the server forced on it.
const smallPoolFor = 5 * time.Second

// retryingConnector retries while the server has no free connection, or is starting, instead of failing at once.
type retryingConnector struct {
	driver.Connector
	pool *sql.DB
	// most is how many connections the pool may have, and live how many it has.
	most int
	live atomic.Int64
}

// Connect implements driver.Connector. If the server has no free connection and the pool has some, it temporarily
// limits the pool to those, so that callers wait for one of them.
func (c *retryingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	waiting, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		conn, err := c.Connector.Connect(ctx)
		if err == nil {
			c.live.Add(1)
			return &countedConn{Conn: conn.(*stdlib.Conn), live: &c.live}, nil
		}
		if !isBusyServer(err) {
			return nil, err
		}
		if live := int(c.live.Load()); live > 0 {
			c.pool.SetMaxOpenConns(live)
			time.AfterFunc(smallPoolFor, func() { c.pool.SetMaxOpenConns(c.most) })
			return nil, driver.ErrBadConn // makes the pool check again for a free connection
		}
		select {
		case <-waiting.Done():
			return nil, err
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// countedConn is a connection that counts in the pool until it closes.
type countedConn struct {
	*stdlib.Conn
	live *atomic.Int64
	once sync.Once
}

// Close implements driver.Conn.
func (c *countedConn) Close() error {
	c.once.Do(func() { c.live.Add(-1) })
	return c.Conn.Close()
}
