package orders

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// orderOf returns the order of an event, if it is one of the provider's.
func orderOf(ctx context.Context, q store.Queries, provider string, e ramp.Event) (Order, error) {
	id := e.OrderID
	if id == "" {
		found, err := idByRef(ctx, q, provider, e.Ref)
		if err != nil {
			return Order{}, err
		}
		id = found
	}
	o, err := find(ctx, q, id)
	if err == nil && o.Provider != provider {
		return Order{}, ErrUnknown
	}
	return o, err
}

// idByRef returns the id of the order with a provider's reference.
func idByRef(ctx context.Context, q store.Queries, provider, ref string) (id string, err error) {
	err = q.QueryRowContext(ctx, `SELECT order_id FROM onramp_refs WHERE provider = $1 AND ref = $2`, provider, ref).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", ErrUnknown
	}
	return id, err
}

// addRef stores the provider's reference of an order, and returns the events that have been waiting for it. A reference stays with its first
// order.
func addRef(ctx context.Context, q store.Queries, o Order, ref string) ([]ramp.Event, error) {
	if ref == "" {
		return nil, nil
	}
	switch _, err := idByRef(ctx, q, o.Provider, ref); {
	case err == nil:
		return nil, nil
	case !errors.Is(err, ErrUnknown):
		return nil, err
	}
	if _, err := q.ExecContext(ctx, `INSERT INTO onramp_refs (provider, ref, order_id) VALUES ($1, $2, $3)`, o.Provider, ref, o.ID); err != nil {
		return nil, err
	}
	return takeWaiting(ctx, q, o.Provider, ref)
}

func insertWaiting(ctx context.Context, q store.Queries, provider string, e ramp.Event, at time.Time) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO onramp_waiting (provider, ref, event, data, heard_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (provider, ref, event) DO NOTHING`, provider, e.Ref, e.ID, string(data), at.UnixMilli())
	return err
}

func takeWaiting(ctx context.Context, q store.Queries, provider, ref string) (events []ramp.Event, err error) {
	rows, err := q.QueryContext(ctx, `DELETE FROM onramp_waiting WHERE provider = $1 AND ref = $2 RETURNING data`, provider, ref)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var data string
		var e ramp.Event
		if err := rows.Scan(&data); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return nil, fmt.Errorf("waiting event: %w", err)
		}
		events = append(events, e)
	}
	return events, rows.Err()
}
