package sandbox

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/ramp"
)

//go:embed migrations
var migrations embed.FS

// ErrUnknown is what an id gives that no checkout has.
var ErrUnknown = errors.New("there is no such checkout")

// book keeps checkouts, what was told of them, and their payouts.
type book struct {
	db *store.DB
	// tells spells an event for its seller's webhook.
	tells func(seller string, e ramp.Event) (string, error)
}

func migrate(ctx context.Context, db *store.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, "onramp_sandbox", files)
}

// exclusively runs f unless another replica runs one under the same name; it reports whether it did.
func (b *book) exclusively(ctx context.Context, name string, f func() error) (bool, error) {
	return b.db.Exclusively(ctx, name, f)
}

// insert keeps a new checkout, and returns the id of the one that its order has: an order that is opened again has its first.
func (b *book) insert(ctx context.Context, c checkout) (id string, err error) {
	details, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	err = b.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO onramp_sandbox_checkouts (id, order_id, seller, stage, due_at, details) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (order_id) DO NOTHING`, c.ID, c.OrderID, c.Seller, string(c.Stage), millis(c.Due), string(details))
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT id FROM onramp_sandbox_checkouts WHERE order_id = $1`, c.OrderID).Scan(&id)
	})
	return id, wrap("keep checkout", err)
}

const selectCheckouts = `SELECT id, order_id, seller, stage, due_at, details FROM onramp_sandbox_checkouts `

// find returns a checkout, or [ErrUnknown].
func (b *book) find(ctx context.Context, id string) (checkout, error) {
	c, err := scanCheckout(b.db.Reader().QueryRowContext(ctx, selectCheckouts+`WHERE id = $1`, id))
	return c, wrap("find checkout", err)
}

// longestWait is more than any step without a visitor waits: one that seems to wait longer was planned by a clock that was ahead.
const longestWait = time.Minute

// due lists checkouts whose next step is not after now, the oldest first.
func (b *book) due(ctx context.Context, now time.Time, limit int) (all []checkout, err error) {
	rows, err := b.db.Reader().QueryContext(ctx, selectCheckouts+`WHERE due_at <= $1 OR due_at > $3 AND stage IN ($4, $5) ORDER BY due_at, id LIMIT $2`,
		now.UnixMilli(), limit, now.Add(longestWait).UnixMilli(), string(settling), string(paid))
	if err != nil {
		return nil, wrap("list checkouts", err)
	}
	defer rows.Close()
	for rows.Next() {
		c, err := scanCheckout(rows)
		if err != nil {
			return nil, wrap("list checkouts", err)
		}
		all = append(all, c)
	}
	return all, wrap("list checkouts", rows.Err())
}

// change reads a checkout, changes it and keeps it with the events that change returns, in one transaction.
func (b *book) change(ctx context.Context, id string, change func(tx txn, c *checkout) ([]ramp.Event, error)) (checkout, error) {
	var c checkout
	err := b.db.InTx(ctx, func(tx *store.Tx) (err error) {
		if c, err = scanCheckout(tx.QueryRowContext(ctx, selectCheckouts+`WHERE id = $1`, id)); err != nil {
			return err
		}
		events, err := change(txn{tx}, &c)
		if err != nil {
			return err
		}
		if err := replaceCheckout(ctx, tx, c); err != nil {
			return err
		}
		return b.tell(ctx, tx, c, events)
	})
	return c, wrap("change checkout", err)
}

func replaceCheckout(ctx context.Context, tx *store.Tx, c checkout) error {
	details, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE onramp_sandbox_checkouts SET stage = $2, due_at = $3, details = $4 WHERE id = $1`,
		c.ID, string(c.Stage), millis(c.Due), string(details))
	return err
}

// tell keeps events, to be delivered unless the checkout is one whose messages get lost.
func (b *book) tell(ctx context.Context, tx *store.Tx, c checkout, events []ramp.Event) error {
	for i, e := range events {
		// What happened at once is told in the order in which it was meant.
		e.At = e.At.Add(time.Duration(i) * time.Millisecond)
		body, err := b.tells(c.Seller, e)
		if err != nil {
			return err
		}
		due := sql.NullInt64{}
		if c.told() {
			due = millis(e.At)
		}
		const insert = `INSERT INTO onramp_sandbox_events (id, order_id, seller, body, at, attempts, due_at) VALUES ($1, $2, $3, $4, $5, 0, $6)
			ON CONFLICT (id) DO NOTHING`
		if _, err := tx.ExecContext(ctx, insert, e.ID, c.OrderID, c.Seller, body, e.At.UnixMilli(), due); err != nil {
			return err
		}
	}
	return nil
}

// bodies lists what was told of an order, in its order.
func (b *book) bodies(ctx context.Context, orderID, seller string) (all []string, err error) {
	rows, err := b.db.Reader().QueryContext(ctx, `SELECT body FROM onramp_sandbox_events WHERE order_id = $1 AND seller = $2 ORDER BY at, id`, orderID, seller)
	if err != nil {
		return nil, wrap("list events", err)
	}
	defer rows.Close()
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return nil, wrap("list events", err)
		}
		all = append(all, body)
	}
	return all, wrap("list events", rows.Err())
}

type row interface{ Scan(into ...any) error }

func scanCheckout(r row) (c checkout, err error) {
	var kept, details string
	var due sql.NullInt64
	err = r.Scan(&c.ID, &c.OrderID, &c.Seller, &kept, &due, &details)
	if errors.Is(err, sql.ErrNoRows) {
		return c, ErrUnknown
	}
	if err != nil {
		return c, err
	}
	c.Stage = stage(kept)
	if due.Valid {
		c.Due = time.UnixMilli(due.Int64).UTC()
	}
	return c, json.Unmarshal([]byte(details), &c)
}

// millis is a moment as the database keeps it; null for the zero time.
func millis(t time.Time) sql.NullInt64 {
	if t.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: true}
}

func wrap(what string, err error) error {
	if err == nil || errors.Is(err, ErrUnknown) {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}
