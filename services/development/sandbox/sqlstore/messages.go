package sqlstore

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Message is a webhook to deliver.
type Message struct {
	ID, Seller, Body string
	At               time.Time
	Attempts         int
}

// Messages lists messages whose next attempt is due at now, or is planned after latest, the oldest first.
func (b *Store) Messages(ctx context.Context, now time.Time, limit int, latest time.Time) (all []Message, err error) {
	// An attempt after latest was planned while a clock was ahead.
	const query = `SELECT id, seller, body, at, attempts FROM onramp_sandbox_events WHERE due_at <= $1 OR due_at > $3 ORDER BY due_at, id LIMIT $2`
	rows, err := b.DB.Reader().QueryContext(ctx, query, now.UnixMilli(), limit, latest.UnixMilli())
	if err != nil {
		return nil, wrap("list messages", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p Message
		var at int64
		if err := rows.Scan(&p.ID, &p.Seller, &p.Body, &at, &p.Attempts); err != nil {
			return nil, wrap("list messages", err)
		}
		p.At = time.UnixMilli(at)
		all = append(all, p)
	}
	return all, wrap("list messages", rows.Err())
}

// Attempted records an attempt. next is the time of the next one; zero for none.
func (b *Store) Attempted(ctx context.Context, p Message, next time.Time) error {
	err := b.DB.InTx(ctx, func(tx *store.Tx) error {
		const note = `UPDATE onramp_sandbox_events SET attempts = attempts + 1, due_at = $2 WHERE id = $1`
		_, err := tx.ExecContext(ctx, note, p.ID, millis(next))
		return err
	})
	return wrap("note delivery", err)
}
