package notice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Insert stores a change, in the transaction of the change.
func Insert(ctx context.Context, tx *store.Tx, userID string, c Change) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO wallet_changes (user_id, kind, provider, changed_at) VALUES ($1, $2, $3, $4)`,
		userID, c.Kind, c.Provider, c.At.UnixMilli())
	return err
}

// Count returns how many changes of a kind a user has since a time.
func Count(ctx context.Context, q store.Queries, userID string, kind Kind, since time.Time) (n int, err error) {
	err = q.QueryRowContext(ctx, `SELECT count(*) FROM wallet_changes WHERE user_id = $1 AND kind = $2 AND changed_at > $3`,
		userID, kind, since.UnixMilli()).Scan(&n)
	return n, err
}

// List returns the changes of a user since a time, the newest first: the last one of each kind and provider, so that many
// of one kind do not hide another.
func List(ctx context.Context, db *store.DB, userID string, since time.Time) (all []Change, err error) {
	rows, err := db.Reader().QueryContext(ctx, `SELECT kind, provider, max(changed_at) AS last FROM wallet_changes WHERE user_id = $1 AND changed_at > $2
		GROUP BY kind, provider ORDER BY last DESC, kind LIMIT $3`, userID, since.UnixMilli(), listed)
	if err != nil {
		return nil, fmt.Errorf("list changes: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c Change
		var at int64
		if err := rows.Scan(&c.Kind, &c.Provider, &at); err != nil {
			return nil, fmt.Errorf("list changes: %w", err)
		}
		c.At = time.UnixMilli(at).UTC()
		all = append(all, c)
	}
	return all, rows.Err()
}

// DeleteBefore deletes the changes before a time.
func DeleteBefore(ctx context.Context, db *store.DB, before time.Time) error {
	return db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM wallet_changes WHERE changed_at <= $1`, before.UnixMilli())
		return err
	})
}
