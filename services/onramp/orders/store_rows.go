package orders

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const columns = `id, project, provider, seller, title, sandbox, state, reason, wallet, chain_id, transaction_hash, ref,
	payment, payment_currency, purchase, purchase_currency, told, created_at, updated_at, expires_at, look_at, proof, failure`

func find(ctx context.Context, q store.Queries, id string) (Order, error) {
	found, err := selectOrders(ctx, q, `WHERE id = $1`, id)
	if err != nil {
		return Order{}, err
	}
	if len(found) == 0 {
		return Order{}, ErrUnknown
	}
	return found[0], nil
}

func selectOrders(ctx context.Context, q store.Queries, where string, args ...any) (list []Order, err error) {
	rows, err := q.QueryContext(ctx, `SELECT `+columns+` FROM onramp_orders `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		o, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, rows.Err()
}

func scan(rows *sql.Rows) (o Order, err error) {
	var payment, paymentCurrency, purchase, purchaseCurrency, sources string
	var created, updated, expires, look int64
	err = rows.Scan(&o.ID, &o.Project, &o.Provider, &o.Seller, &o.Title, &o.Sandbox, &o.State, &o.Reason, &o.Wallet, &o.ChainID, &o.Transaction, &o.Ref,
		&payment, &paymentCurrency, &purchase, &purchaseCurrency, &sources, &created, &updated, &expires, &look, &o.Proof, &o.Failure)
	if err != nil {
		return Order{}, err
	}
	if err := json.Unmarshal([]byte(sources), &o.sources); err != nil {
		return Order{}, fmt.Errorf("sources of order %s: %w", o.ID, err)
	}
	if o.Payment, err = readAmount(payment, paymentCurrency); err != nil {
		return Order{}, fmt.Errorf("payment of order %s: %w", o.ID, err)
	}
	if o.Purchase, err = readAmount(purchase, purchaseCurrency); err != nil {
		return Order{}, fmt.Errorf("purchase of order %s: %w", o.ID, err)
	}
	o.CreatedAt, o.UpdatedAt, o.ExpiresAt, o.PollAt = moment(created), moment(updated), moment(expires), moment(look)
	return o, nil
}

func insert(ctx context.Context, q store.Queries, o Order) error {
	row, err := row(o)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO onramp_orders (`+columns+`, account)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)`,
		append(row, account(o.Wallet))...)
	if store.IsUniqueViolation(err) {
		return ErrPlaced
	}
	return err
}

// replace updates the mutable columns of an order.
func replace(ctx context.Context, q store.Queries, o Order) error {
	row, err := row(o)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `UPDATE onramp_orders SET state = $2, reason = $3, chain_id = $4, transaction_hash = $5, ref = $6,
			payment = $7, payment_currency = $8, purchase = $9, purchase_currency = $10, told = $11, updated_at = $12, expires_at = $13, look_at = $14, failure = $15
		WHERE id = $1`,
		row[0], row[6], row[7], row[9], row[10], row[11], row[12], row[13], row[14], row[15], row[16], row[18], row[19], row[20], row[22])
	return err
}

// row returns the values of columns.
func row(o Order) ([]any, error) {
	sources, err := json.Marshal(o.sources)
	if err != nil {
		return nil, err
	}
	payment, paymentCurrency := writeAmount(o.Payment)
	purchase, purchaseCurrency := writeAmount(o.Purchase)
	return []any{
		o.ID, o.Project, o.Provider, o.Seller, o.Title, o.Sandbox, string(o.State), o.Reason, o.Wallet, o.ChainID, o.Transaction, o.Ref,
		payment, paymentCurrency, purchase, purchaseCurrency, string(sources),
		milliseconds(o.CreatedAt), milliseconds(o.UpdatedAt), milliseconds(o.ExpiresAt), milliseconds(o.PollAt), o.Proof, string(o.Failure),
	}, nil
}

func remove(ctx context.Context, q store.Queries, id string) (bool, error) {
	res, err := q.ExecContext(ctx, `DELETE FROM onramp_orders WHERE id = $1 AND state = $2 AND ref = '' AND updated_at = created_at AND look_at = 0`, id, string(ramp.Created))
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

func postpone(ctx context.Context, q store.Queries, o Order, until time.Time) error {
	_, err := q.ExecContext(ctx, `UPDATE onramp_orders SET look_at = $2 WHERE id = $1 AND look_at = $3`, o.ID, milliseconds(until), milliseconds(o.PollAt))
	return err
}

func lapsed(ctx context.Context, q store.Queries, now time.Time, limit int) (ids []string, err error) {
	rows, err := q.QueryContext(ctx, `SELECT id FROM onramp_orders WHERE state = 'created' AND expires_at <= $1 ORDER BY expires_at, id LIMIT $2`, now.UnixMilli(), limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func readAmount(value, currency string) (*ramp.Amount, error) {
	if value == "" {
		return nil, nil
	}
	v, err := decimal.NewFromString(value)
	return &ramp.Amount{Value: v, Currency: currency}, err
}

func writeAmount(a *ramp.Amount) (value, currency string) {
	if a == nil {
		return "", ""
	}
	return a.Value.String(), a.Currency
}

// moment is the inverse of milliseconds.
func moment(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

func milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
