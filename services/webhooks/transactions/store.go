package transactions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// deletedAtOnce bounds the transactions that one statement deletes.
const deletedAtOnce = 500

// Store is the database of followed transactions. It is safe for concurrent use, also by several processes. Its table is one of package deliveries.
type Store struct{ db *store.DB }

// NewStore returns a store in db, which has the tables of package deliveries.
func NewStore(db *store.DB) *Store { return &Store{db} }

// columns are those of [scan].
const columns = `project, chain, hash, reference, followed_at, block, block_hash, included_at`

// Insert stores a transaction; one that is stored already stays as it is. If there is no room, it replaces those that are in no block for a long
// time: of its project, or of any if all of the room is taken. It fails with [ErrFull]. Callers at the same time may exceed the bounds by one each.
func (s *Store) Insert(ctx context.Context, f Followed, rules Rules) error {
	ofProject, total, err := s.count(ctx, f.Project)
	if err != nil {
		return wrap("count transactions", err)
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if ofProject >= rules.OfProject || total >= rules.Total {
			result, err := tx.ExecContext(ctx, `DELETE FROM webhooks_transactions WHERE (project, chain, hash, reference) IN
				(SELECT project, chain, hash, reference FROM webhooks_transactions
					WHERE (project = $1 OR $4 = 0) AND block_hash = '' AND followed_at < $2 ORDER BY followed_at LIMIT $3)`,
				f.Project, f.FollowedAt.Add(-yieldsAfter).UnixMilli(), deletedAtOnce, max(0, rules.Total-total))
			if err != nil {
				return err
			}
			if freed, err := result.RowsAffected(); err != nil || freed == 0 {
				return errors.Join(err, ErrFull)
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO webhooks_transactions (`+columns+`, next_at) VALUES ($1, $2, $3, $4, $5, 0, '', 0, 0) ON CONFLICT DO NOTHING`,
			f.Project, f.ChainID, f.Hash.String(), f.Reference, f.FollowedAt.UnixMilli())
		return err
	})
	return wrap("follow transaction", err)
}

// count returns how many transactions are followed for a project, and for all.
func (s *Store) count(ctx context.Context, project string) (ofProject, total int, err error) {
	err = s.db.Reader().QueryRowContext(ctx, `SELECT (SELECT count(*) FROM webhooks_transactions WHERE project = $1), (SELECT count(*) FROM webhooks_transactions)`, project).
		Scan(&ofProject, &total)
	return ofProject, total, err
}

// Chains returns the chains with followed transactions.
func (s *Store) Chains(ctx context.Context) (chains []string, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT DISTINCT chain FROM webhooks_transactions`)
	if err != nil {
		return nil, wrap("list chains", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var chain string
		if err := rows.Scan(&chain); err != nil {
			return nil, wrap("list chains", err)
		}
		chains = append(chains, chain)
	}
	return chains, wrap("list chains", rows.Err())
}

// Open returns transactions of a chain that are in no block and due to be read: one of each project, then another one of each, and so on.
func (s *Store) Open(ctx context.Context, chain string, now time.Time, limit int) ([]Followed, error) {
	return s.list(ctx, `SELECT `+columns+` FROM
		(SELECT *, ROW_NUMBER() OVER (PARTITION BY project ORDER BY next_at, followed_at) AS turn FROM webhooks_transactions
			WHERE chain = $1 AND block_hash = '' AND next_at <= $2) AS due
		ORDER BY turn, next_at LIMIT $3`, chain, now.UnixMilli(), limit)
}

// Oldest returns the transaction of a chain in the lowest block; false if none is in a block.
func (s *Store) Oldest(ctx context.Context, chain string) (oldest Followed, found bool, err error) {
	list, err := s.list(ctx, `SELECT `+columns+` FROM webhooks_transactions WHERE chain = $1 AND block_hash <> '' ORDER BY block LIMIT 1`, chain)
	if err != nil || len(list) == 0 {
		return Followed{}, false, err
	}
	return list[0], true, nil
}

// Included returns due transactions of a chain that are in blocks up to a number and were found there before a time, the lowest block first.
func (s *Store) Included(ctx context.Context, chain string, upTo uint64, foundBy, now time.Time, limit int) ([]Followed, error) {
	return s.list(ctx, `SELECT `+columns+` FROM webhooks_transactions WHERE chain = $1 AND block_hash <> '' AND block <= $2 AND included_at <= $3 AND next_at <= $4
		ORDER BY block LIMIT $5`, chain, int64(upTo), foundBy.UnixMilli(), now.UnixMilli(), limit)
}

// Save stores where transactions are, and when each is read again.
func (s *Store) Save(ctx context.Context, all []Followed, next func(f Followed) time.Time) error {
	return wrap("save transactions", s.db.InTx(ctx, func(tx *store.Tx) error {
		for _, f := range all {
			block, included := "", int64(0)
			if f.BlockHash != (common.Hash{}) {
				block, included = f.BlockHash.String(), f.IncludedAt.UnixMilli()
			}
			if _, err := tx.ExecContext(ctx, `UPDATE webhooks_transactions SET block = $5, block_hash = $6, included_at = $7, next_at = $8
				WHERE project = $1 AND chain = $2 AND hash = $3 AND reference = $4`,
				f.Project, f.ChainID, f.Hash.String(), f.Reference, int64(f.Block), block, included, next(f).UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Delete ends the following of a transaction.
func (s *Store) Delete(ctx context.Context, f Followed) error {
	return wrap("delete transaction", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM webhooks_transactions WHERE project = $1 AND chain = $2 AND hash = $3 AND reference = $4`,
			f.Project, f.ChainID, f.Hash.String(), f.Reference)
		return err
	}))
}

// DeleteOld deletes transactions that are followed for too long.
func (s *Store) DeleteOld(ctx context.Context, now time.Time) error {
	for deleted := int64(deletedAtOnce); deleted == deletedAtOnce; {
		if err := s.db.InTx(ctx, func(tx *store.Tx) error {
			result, err := tx.ExecContext(ctx, `DELETE FROM webhooks_transactions WHERE (project, chain, hash, reference) IN
				(SELECT project, chain, hash, reference FROM webhooks_transactions WHERE followed_at < $1 AND (block_hash = '' OR followed_at < $2) LIMIT $3)`,
				now.Add(-followedFor).UnixMilli(), now.Add(-keptFor).UnixMilli(), deletedAtOnce)
			if err != nil {
				return err
			}
			deleted, err = result.RowsAffected()
			return err
		}); err != nil {
			return wrap("delete old transactions", err)
		}
	}
	return nil
}

func (s *Store) list(ctx context.Context, query string, args ...any) (all []Followed, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, wrap("list transactions", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		f, err := scan(rows)
		if err != nil {
			return nil, wrap("list transactions", err)
		}
		all = append(all, f)
	}
	return all, wrap("list transactions", rows.Err())
}

func scan(row interface{ Scan(into ...any) error }) (f Followed, err error) {
	var hash, blockHash string
	var followed, block, included int64
	if err := row.Scan(&f.Project, &f.ChainID, &hash, &f.Reference, &followed, &block, &blockHash, &included); err != nil {
		return Followed{}, err
	}
	f.Hash, f.FollowedAt = common.HexToHash(hash), time.UnixMilli(followed).UTC()
	if blockHash != "" {
		f.Block, f.BlockHash, f.IncludedAt = uint64(block), common.HexToHash(blockHash), time.UnixMilli(included).UTC()
	}
	return f, nil
}

// wrap adds the operation to an error of the database, and returns [ErrFull] unchanged.
func wrap(doing string, err error) error {
	if err == nil || errors.Is(err, ErrFull) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}
