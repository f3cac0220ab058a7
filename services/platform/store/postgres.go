package store

import (
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// serverLimits bound what one connection may hold up, in milliseconds, unless the DSN says otherwise.
var serverLimits = map[string]string{
	"application_name":                    "hawser",
	"statement_timeout":                   "15000",
	"lock_timeout":                        "5000",
	"idle_in_transaction_session_timeout": "30000",
}

func openPostgreSQL(dsn string) (*DB, error) {
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
	pool := stdlib.OpenDB(*cfg)
	pool.SetMaxOpenConns(16)
	pool.SetMaxIdleConns(16)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return &DB{dialect: PostgreSQL, writer: pool, reader: pool}, nil
}
