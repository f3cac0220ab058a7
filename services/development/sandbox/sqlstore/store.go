// Package sqlstore stores checkouts, their events and their payouts in SQL.
package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// ErrUnknown is returned for an unknown id.
var ErrUnknown = errors.New("there is no such checkout")

// Store stores checkouts, their events and their payouts.
type Store struct {
	DB *store.DB
	// Encode returns the webhook body of an event.
	Encode func(seller string, e ramp.Event) (string, error)
}

// Migrate migrates the tables.
func Migrate(ctx context.Context, db *store.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, "onramp_sandbox", files)
}

// Exclusively runs f unless another replica runs a function under the same name; it reports whether it did.
func (b *Store) Exclusively(ctx context.Context, name string, f func() error) (bool, error) {
	return b.DB.Exclusively(ctx, name, f)
}

// Insert stores a new checkout and returns its id. If the order already has a checkout, it returns the id of that one.
func (b *Store) Insert(ctx context.Context, c checkout.Checkout) (id string, err error) {
	details, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	err = b.DB.InTx(ctx, func(tx *store.Tx) error {
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

// Find returns a checkout, or [ErrUnknown].
func (b *Store) Find(ctx context.Context, id string) (checkout.Checkout, error) {
	c, err := scanCheckout(b.DB.Reader().QueryRowContext(ctx, selectCheckouts+`WHERE id = $1`, id))
	return c, wrap("find checkout", err)
}

// LongestStep exceeds the wait of every step that does not depend on the visitor. A step planned further ahead was
// planned while a clock was ahead.
const LongestStep = time.Minute

// Due lists checkouts whose next step is due and is not a payout, the oldest first.
func (b *Store) Due(ctx context.Context, now time.Time, limit int) ([]checkout.Checkout, error) {
	return b.due(ctx, now, limit, "")
}

// DuePayouts lists checkouts that are due to be paid out on a chain, the oldest first.
func (b *Store) DuePayouts(ctx context.Context, chainID string, now time.Time, limit int) ([]checkout.Checkout, error) {
	return b.due(ctx, now, limit, chainID)
}

const isDue = `(due_at <= $1 OR due_at > $2 AND stage IN ($3, $4))`

func (b *Store) due(ctx context.Context, now time.Time, limit int, payoutChain string) (all []checkout.Checkout, err error) {
	rows, err := b.DB.Reader().QueryContext(ctx, selectCheckouts+`WHERE payout_chain = $5 AND `+isDue+` ORDER BY due_at, id LIMIT $6`,
		now.UnixMilli(), now.Add(LongestStep).UnixMilli(), string(checkout.Settling), string(checkout.Paid), payoutChain, limit)
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

// PayoutChains lists the chains on which payouts are due.
func (b *Store) PayoutChains(ctx context.Context, now time.Time) (all []string, err error) {
	rows, err := b.DB.Reader().QueryContext(ctx, `SELECT DISTINCT payout_chain FROM onramp_sandbox_checkouts WHERE payout_chain <> '' AND `+isDue,
		now.UnixMilli(), now.Add(LongestStep).UnixMilli(), string(checkout.Settling), string(checkout.Paid))
	if err != nil {
		return nil, wrap("list chains", err)
	}
	defer rows.Close()
	for rows.Next() {
		var chainID string
		if err := rows.Scan(&chainID); err != nil {
			return nil, wrap("list chains", err)
		}
		all = append(all, chainID)
	}
	return all, wrap("list chains", rows.Err())
}

// Update changes a checkout and stores it with the events that change returns, in one transaction.
func (b *Store) Update(ctx context.Context, id string, change func(tx Tx, c *checkout.Checkout) ([]ramp.Event, error)) (checkout.Checkout, error) {
	var c checkout.Checkout
	err := b.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		if c, err = scanCheckout(tx.QueryRowContext(ctx, selectCheckouts+`WHERE id = $1`, id)); err != nil {
			return err
		}
		events, err := change(Tx{tx}, &c)
		if err != nil {
			return err
		}
		if err := replaceCheckout(ctx, tx, c); err != nil {
			return err
		}
		return b.AddEvents(ctx, tx, c, events)
	})
	return c, wrap("change checkout", err)
}

func replaceCheckout(ctx context.Context, tx *store.Tx, c checkout.Checkout) error {
	details, err := json.Marshal(c)
	if err != nil {
		return err
	}
	payoutChain := ""
	if c.PaysOut() {
		payoutChain = c.Terms.ChainID
	}
	_, err = tx.ExecContext(ctx, `UPDATE onramp_sandbox_checkouts SET stage = $2, due_at = $3, details = $4, payout_chain = $5 WHERE id = $1`,
		c.ID, string(c.Stage), millis(c.Due), string(details), payoutChain)
	return err
}

// AddEvents stores events. They are delivered, unless the scenario is that webhooks are lost.
func (b *Store) AddEvents(ctx context.Context, tx *store.Tx, c checkout.Checkout, events []ramp.Event) error {
	for i, e := range events {
		// Events with the same time keep their order.
		e.At = e.At.Add(time.Duration(i) * time.Millisecond)
		body, err := b.Encode(c.Seller, e)
		if err != nil {
			return err
		}
		due := sql.NullInt64{}
		if c.SendsWebhooks() {
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

// Events lists the webhook bodies of an order's events, the oldest first.
func (b *Store) Events(ctx context.Context, orderID, seller string) (all []string, err error) {
	rows, err := b.DB.Reader().QueryContext(ctx, `SELECT body FROM onramp_sandbox_events WHERE order_id = $1 AND seller = $2 ORDER BY at, id`, orderID, seller)
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

func scanCheckout(r row) (c checkout.Checkout, err error) {
	var kept, details string
	var due sql.NullInt64
	err = r.Scan(&c.ID, &c.OrderID, &c.Seller, &kept, &due, &details)
	if errors.Is(err, sql.ErrNoRows) {
		return c, ErrUnknown
	}
	if err != nil {
		return c, err
	}
	c.Stage = checkout.Stage(kept)
	if due.Valid {
		c.Due = time.UnixMilli(due.Int64).UTC()
	}
	return c, json.Unmarshal([]byte(details), &c)
}

// millis converts a time for the database; null for the zero time.
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

// secretLength is how many random bytes a generated secret has.
const secretLength = 32

// OpenSecret returns the secret from which webhook keys are derived. The first replica generates and stores it, so that
// all replicas use the same secret.
func OpenSecret(ctx context.Context, db *store.DB, random io.Reader) (secret string, err error) {
	fresh := make([]byte, secretLength)
	if _, err := io.ReadFull(random, fresh); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	err = db.InTx(ctx, func(tx *store.Tx) error {
		const keep = `INSERT INTO onramp_sandbox_secret (id, secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`
		if _, err := tx.ExecContext(ctx, keep, hex.EncodeToString(fresh)); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT secret FROM onramp_sandbox_secret WHERE id = 1`).Scan(&secret)
	})
	return secret, wrap("secret of the webhooks", err)
}
