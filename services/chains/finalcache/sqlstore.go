package finalcache

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

const (
	// rowBytes is what a row counts for beside its result.
	rowBytes = 256
	// trimBatch is how many rows one transaction removes.
	trimBatch = 500
	// trimLock is the name of the lock under which one process trims.
	trimLock = "chains results trim"
)

// Migrate creates the tables that do not exist.
func Migrate(ctx context.Context, db *store.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, "chains", files)
}

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of [Migrate].
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

// Find calls each with what is known of the reads.
func (s *SQLStore) Find(ctx context.Context, keys []Key, each func(Entry) bool) (err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT key, chain, node, hash, result, used_at FROM chains_results WHERE key IN `+s.db.Members(1), list(keys))
	if err != nil {
		return fmt.Errorf("find results: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e Entry
		var hash, encoded []byte
		var used int64
		if err := rows.Scan(&e.Key, &e.ChainID, &e.Claim.Node, &hash, &encoded, &used); err != nil {
			return fmt.Errorf("find results: %w", err)
		}
		copy(e.Claim.Hash[:], hash)
		e.UsedAt = time.UnixMilli(used)
		if e.Result, err = decode(encoded); err != nil {
			return fmt.Errorf("find results: %w", err)
		}
		if !each(e) {
			return nil
		}
	}
	return rows.Err()
}

// Add adds entries in one transaction.
func (s *SQLStore) Add(ctx context.Context, entries []Entry, now time.Time) error {
	encoded := make([][]byte, len(entries))
	for i, e := range entries {
		encoded[i] = encode(e.Result)
	}
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		grown := map[string]Size{}
		for i, e := range entries {
			by, err := add(ctx, tx, e, encoded[i], now)
			if err != nil {
				return err
			}
			grown[e.ChainID] = Size{grown[e.ChainID].Bytes + by.Bytes, grown[e.ChainID].Results + by.Results}
		}
		return resize(ctx, tx, grown)
	})
	if err != nil {
		return fmt.Errorf("add results: %w", err)
	}
	return nil
}

// add adds an entry, and returns by how much the rows grew.
func add(ctx context.Context, tx *store.Tx, e Entry, encoded []byte, now time.Time) (grown Size, err error) {
	bytes := int64(rowBytes + len(encoded))
	updated, err := affected(tx.ExecContext(ctx, `UPDATE chains_results SET node = $2, hash = $3, result = $4, bytes = $5, used_at = $6 WHERE key = $1 AND length(result) = 0`,
		string(e.Key), e.Claim.Node, e.Claim.Hash[:], encoded, bytes, now.UnixMilli()))
	if err != nil {
		return Size{}, err
	}
	if updated > 0 {
		return Size{Bytes: int64(len(encoded))}, nil
	}
	inserted, err := affected(tx.ExecContext(ctx, `INSERT INTO chains_results (key, chain, node, hash, result, bytes, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (key) DO NOTHING`, string(e.Key), e.ChainID, e.Claim.Node, e.Claim.Hash[:], encoded, bytes, now.UnixMilli()))
	return Size{Bytes: inserted * bytes, Results: inserted}, err
}

func affected(done sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// resize changes the sums of chains.
func resize(ctx context.Context, tx *store.Tx, grown map[string]Size) error {
	for chain, by := range grown {
		if by == (Size{}) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO chains_results_sizes (chain, bytes, results) VALUES ($1, $2, $3)
			ON CONFLICT (chain) DO UPDATE SET bytes = chains_results_sizes.bytes + excluded.bytes, results = chains_results_sizes.results + excluded.results`,
			chain, by.Bytes, by.Results); err != nil {
			return err
		}
	}
	return nil
}

// Touch records that entries were read.
func (s *SQLStore) Touch(ctx context.Context, keys []Key, now time.Time) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE chains_results SET used_at = $2 WHERE key IN `+s.db.Members(1), list(keys), now.UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("touch results: %w", err)
	}
	return nil
}

// Trim removes what was not read for the longest time, unless another process does it.
func (s *SQLStore) Trim(ctx context.Context, most int64) (removed int64, err error) {
	_, err = s.db.Exclusively(ctx, trimLock, func() error {
		for {
			n, err := s.trimOnce(ctx, most)
			removed += n
			if err != nil || n == 0 {
				return err
			}
		}
	})
	if err != nil {
		return removed, fmt.Errorf("trim results: %w", err)
	}
	return removed, nil
}

// trimOnce removes a batch if the rows count for more than most.
func (s *SQLStore) trimOnce(ctx context.Context, most int64) (removed int64, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		removed = 0
		var total int64
		if err := tx.QueryRowContext(ctx, `SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM chains_results_sizes`).Scan(&total); err != nil || total <= most {
			return err
		}
		oldest, err := readOldest(ctx, tx)
		if err != nil {
			return err
		}
		var keys []Key
		shrunk := map[string]Size{}
		for _, row := range oldest {
			if total-removed <= most {
				break
			}
			keys, removed = append(keys, row.key), removed+row.bytes
			shrunk[row.chain] = Size{shrunk[row.chain].Bytes - row.bytes, shrunk[row.chain].Results - 1}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM chains_results WHERE key IN `+s.db.Members(1), list(keys)); err != nil {
			return err
		}
		return resize(ctx, tx, shrunk)
	})
	return removed, err
}

// oldRow is a row that may be removed.
type oldRow struct {
	key   Key
	chain string
	bytes int64
}

// readOldest returns the rows that were not read for the longest time.
func readOldest(ctx context.Context, tx *store.Tx) (oldest []oldRow, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT key, chain, bytes FROM chains_results ORDER BY used_at, key LIMIT $1`, trimBatch)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var row oldRow
		if err := rows.Scan(&row.key, &row.chain, &row.bytes); err != nil {
			return nil, err
		}
		oldest = append(oldest, row)
	}
	return oldest, rows.Err()
}

// Sizes returns the sizes by chain.
func (s *SQLStore) Sizes(ctx context.Context) (sizes map[string]Size, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT chain, bytes, results FROM chains_results_sizes`)
	if err != nil {
		return nil, fmt.Errorf("read sizes of results: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	sizes = map[string]Size{}
	for rows.Next() {
		var chain string
		var size Size
		if err := rows.Scan(&chain, &size.Bytes, &size.Results); err != nil {
			return nil, fmt.Errorf("read sizes of results: %w", err)
		}
		sizes[chain] = size
	}
	return sizes, rows.Err()
}

func list(keys []Key) string {
	members := make([]string, len(keys))
	for i, key := range keys {
		members[i] = string(key)
	}
	return store.List(members)
}
