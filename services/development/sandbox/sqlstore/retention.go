package sqlstore

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// DeleteEnded deletes at most limit checkouts that have ended and have no event since a time, with their events and
// payouts, and returns how many. A checkout is kept while an event of it is not delivered, or its payout is not known
// to be in a block.
func (b *Store) DeleteEnded(ctx context.Context, since time.Time, limit int) (deleted int, err error) {
	err = b.DB.InTx(ctx, func(tx *store.Tx) error {
		ended, err := deleteCheckouts(ctx, tx, since, limit)
		if err != nil {
			return err
		}
		deleted = len(ended)
		for _, c := range ended {
			if _, err := tx.ExecContext(ctx, `DELETE FROM onramp_sandbox_events WHERE order_id = $1`, c.OrderID); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM onramp_sandbox_payouts WHERE checkout_id = $1`, c.ID); err != nil {
				return err
			}
		}
		return nil
	})
	return deleted, wrap("delete ended checkouts", err)
}

// deleteCheckouts deletes checkouts, and returns them with their ids and orders only.
func deleteCheckouts(ctx context.Context, tx *store.Tx, since time.Time, limit int) (all []checkout.Checkout, err error) {
	const statement = `DELETE FROM onramp_sandbox_checkouts WHERE id IN (
			SELECT c.id FROM onramp_sandbox_checkouts c WHERE c.stage IN ($3, $4, $5, $6, $7)
			AND NOT EXISTS (SELECT 1 FROM onramp_sandbox_events e WHERE e.order_id = c.order_id AND (e.at >= $1 OR e.due_at IS NOT NULL))
			AND NOT EXISTS (SELECT 1 FROM onramp_sandbox_payouts p WHERE p.checkout_id = c.id AND p.mined = 0)
			LIMIT $2)
		RETURNING id, order_id`
	rows, err := tx.QueryContext(ctx, statement, since.UnixMilli(), limit, string(checkout.Completed), string(checkout.Failed), string(checkout.Refunded),
		string(checkout.Cancelled), string(checkout.Expired))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c checkout.Checkout
		if err := rows.Scan(&c.ID, &c.OrderID); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}
