package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// byOperator is what the history has instead of the proof of an account.
const byOperator = "operator"

// Take deletes a name without its owner.
func (s *Store) Take(ctx context.Context, name registry.Name, registeredAt, now time.Time) (taken registry.Record, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if taken, err = find(ctx, tx, name); err != nil {
			return err
		}
		if !taken.RegisteredAt.Equal(registeredAt) {
			return registry.ErrUnregistered
		}
		if err := deleteName(ctx, tx, name); err != nil {
			return err
		}
		// There is no signed text to tell it from others: the name is registered once at a time.
		digest := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", registry.Taken, name, registeredAt.UnixMilli()))
		if _, err := tx.ExecContext(ctx, `INSERT INTO name_history (digest, name, action, account, coin_type, proof, message, signature, at)
			VALUES ($1, $2, $3, $4, $5, $6, '', '', $7)`,
			hex.EncodeToString(digest[:]), string(name), string(registry.Taken), taken.Owner.Address.String(), int64(taken.Owner.CoinType), byOperator, now.UnixMilli()); err != nil {
			return err
		}
		return s.publishChanged(ctx, tx, name, taken.Touched())
	})
	if err != nil {
		return registry.Record{}, wrap("take name", err)
	}
	return taken, nil
}

// AddBlock stores a block.
func (s *Store) AddBlock(ctx context.Context, b registry.Block) (stored registry.Block, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		stored, err = scanBlock(tx.QueryRowContext(ctx, `SELECT label, skeleton, blocked_at FROM name_blocks WHERE label = $1`, b.Label))
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM name_blocks`).Scan(&n); err != nil {
			return err
		}
		if n >= registry.MaxBlocks {
			return registry.ErrBlocksFull
		}
		stored = b
		_, err := tx.ExecContext(ctx, `INSERT INTO name_blocks (label, skeleton, blocked_at) VALUES ($1, $2, $3)`, b.Label, b.Skeleton, b.At.UnixMilli())
		return err
	})
	if err != nil && !errors.Is(err, registry.ErrBlocksFull) {
		err = fmt.Errorf("block label: %w", err)
	}
	return stored, err
}

// RemoveBlock deletes a block.
func (s *Store) RemoveBlock(ctx context.Context, label string) error {
	return wrap("unblock label", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM name_blocks WHERE label = $1`, label)
		return err
	}))
}

// ListBlocks returns blocks.
func (s *Store) ListBlocks(ctx context.Context, after string, limit int) (all []registry.Block, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT label, skeleton, blocked_at FROM name_blocks WHERE label > $1 ORDER BY label LIMIT $2`, after, limit)
	if err != nil {
		return nil, wrap("list blocked labels", err)
	}
	defer rows.Close()
	for rows.Next() {
		b, err := scanBlock(rows)
		if err != nil {
			return nil, wrap("list blocked labels", err)
		}
		all = append(all, b)
	}
	return all, wrap("list blocked labels", rows.Err())
}

// Blocked returns which of the skeletons are blocked.
func (s *Store) Blocked(ctx context.Context, among []string) (map[string]bool, error) {
	places, args := make([]string, len(among)), make([]any, len(among))
	for i, skeleton := range among {
		places[i], args[i] = "$"+strconv.Itoa(i+1), skeleton
	}
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT skeleton FROM name_blocks WHERE skeleton IN (`+strings.Join(places, ", ")+`)`, args...)
	if err != nil {
		return nil, wrap("look blocked labels up", err)
	}
	defer rows.Close()
	blocked := map[string]bool{}
	for rows.Next() {
		var skeleton string
		if err := rows.Scan(&skeleton); err != nil {
			return nil, wrap("look blocked labels up", err)
		}
		blocked[skeleton] = true
	}
	return blocked, wrap("look blocked labels up", rows.Err())
}

func scanBlock(row interface{ Scan(into ...any) error }) (b registry.Block, err error) {
	var at int64
	err = row.Scan(&b.Label, &b.Skeleton, &at)
	b.At = moment(at)
	return b, err
}
