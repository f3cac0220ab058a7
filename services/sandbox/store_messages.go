package sandbox

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// parcel is a message on its way.
type parcel struct {
	id, seller, body string
	at               time.Time
	attempts         int
}

// parcels lists messages whose next attempt is not after now, the oldest first.
func (b *book) parcels(ctx context.Context, now time.Time, limit int) (all []parcel, err error) {
	// What seems to wait longer than any message does was planned by a clock that was ahead.
	const query = `SELECT id, seller, body, at, attempts FROM onramp_sandbox_events WHERE due_at <= $1 OR due_at > $3 ORDER BY due_at, id LIMIT $2`
	rows, err := b.db.Reader().QueryContext(ctx, query, now.UnixMilli(), limit, now.Add(2*longestPause).UnixMilli())
	if err != nil {
		return nil, wrap("list messages", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p parcel
		var at int64
		if err := rows.Scan(&p.id, &p.seller, &p.body, &at, &p.attempts); err != nil {
			return nil, wrap("list messages", err)
		}
		p.at = time.UnixMilli(at)
		all = append(all, p)
	}
	return all, wrap("list messages", rows.Err())
}

// delivered notes an attempt; a zero time for next makes it the last.
func (b *book) delivered(ctx context.Context, p parcel, next time.Time) error {
	err := b.db.InTx(ctx, func(tx *store.Tx) error {
		const note = `UPDATE onramp_sandbox_events SET attempts = attempts + 1, due_at = $2 WHERE id = $1`
		_, err := tx.ExecContext(ctx, note, p.id, millis(next))
		return err
	})
	return wrap("note delivery", err)
}
