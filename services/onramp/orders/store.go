package orders

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// writers bounds concurrent write transactions. PostgreSQL aborts serializable transactions that touch adjacent index
// entries, so fewer concurrent transactions commit more.
const writers = 4

// SQLStore is the [Store] in a database.
type SQLStore struct {
	db     *store.DB
	outbox *bus.Outbox
	// writing is a semaphore of writers.
	writing chan struct{}
}

// NewSQLStore creates the tables that do not exist.
func NewSQLStore(ctx context.Context, db *store.DB, outbox *bus.Outbox) (*SQLStore, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "onramp", files); err != nil {
		return nil, err
	}
	return &SQLStore{db: db, outbox: outbox, writing: make(chan struct{}, writers)}, nil
}

// inTx runs work in a transaction, within the limit of writers.
func (s *SQLStore) inTx(ctx context.Context, work func(tx *store.Tx) error) error {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.db.InTx(ctx, work)
}

// Insert stores a new order.
func (s *SQLStore) Insert(ctx context.Context, o Order) error {
	err := s.inTx(ctx, func(tx *store.Tx) error { return insert(ctx, tx, o) })
	return wrap("place order", err)
}

// Remove deletes an order without events.
func (s *SQLStore) Remove(ctx context.Context, id string) (removed bool, err error) {
	err = s.inTx(ctx, func(tx *store.Tx) error {
		removed, err = remove(ctx, tx, id)
		return err
	})
	return removed, wrap("remove order", err)
}

// Open records that the visitor was sent to the provider.
func (s *SQLStore) Open(ctx context.Context, id string, w ramp.Widget, at time.Time) error {
	_, err := s.change(ctx, id, w.Ref, at, func(o *Order) { o.Open(w, at) })
	return wrap("open order", err)
}

// Expire records that the order was not paid in time.
func (s *SQLStore) Expire(ctx context.Context, id string) error {
	_, err := s.change(ctx, id, "", time.Time{}, (*Order).Expire)
	return wrap("expire order", err)
}

// Apply applies an event.
func (s *SQLStore) Apply(ctx context.Context, provider string, e ramp.Event, at time.Time) (Outcome, error) {
	outcome, err := s.apply(ctx, provider, e, at)
	return outcome, wrap("apply event", err)
}

func (s *SQLStore) apply(ctx context.Context, provider string, e ramp.Event, at time.Time) (Outcome, error) {
	o, err := orderOf(ctx, s.db.Reader(), provider, e)
	if errors.Is(err, ErrUnknown) {
		return s.wait(ctx, provider, e, at)
	}
	if err != nil {
		return "", err
	}
	// A repetition needs no transaction.
	if known, err := s.isKnown(ctx, o, e, at); err != nil || known {
		return Known, err
	}
	return s.change(ctx, o.ID, e.Ref, at, func(o *Order) { o.Apply(e, at) })
}

// wait stores an event until an order has its reference, unless an order has it now.
func (s *SQLStore) wait(ctx context.Context, provider string, e ramp.Event, at time.Time) (outcome Outcome, err error) {
	if e.OrderID != "" || e.Ref == "" {
		return Unknown, nil
	}
	var id string
	err = s.inTx(ctx, func(tx *store.Tx) error {
		if id, err = idByRef(ctx, tx, provider, e.Ref); errors.Is(err, ErrUnknown) {
			return insertWaiting(ctx, tx, provider, e, at)
		}
		return err
	})
	if err != nil || id == "" {
		return Waiting, err
	}
	return s.change(ctx, id, "", at, func(o *Order) { o.Apply(e, at) })
}

// isKnown reports whether an event has no new information.
func (s *SQLStore) isKnown(ctx context.Context, o Order, e ramp.Event, at time.Time) (bool, error) {
	if o.Apply(e, at) {
		return false, nil
	}
	if e.Ref == "" {
		return true, nil
	}
	_, err := idByRef(ctx, s.db.Reader(), o.Provider, e.Ref)
	if errors.Is(err, ErrUnknown) {
		return false, nil
	}
	return err == nil, err
}

// change applies a change to an order, and the events that have been waiting for the reference ref. It publishes the order if it changed.
func (s *SQLStore) change(ctx context.Context, id, ref string, at time.Time, change func(o *Order)) (outcome Outcome, err error) {
	err = s.inTx(ctx, func(tx *store.Tx) error {
		before, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		after := before
		change(&after)
		waiting, err := addRef(ctx, tx, before, ref)
		if err != nil {
			return err
		}
		for _, e := range waiting {
			after.Apply(e, at)
		}
		if outcome = Known; after == before {
			return nil
		}
		outcome = Moved
		if err := replace(ctx, tx, after); err != nil {
			return err
		}
		return s.outbox.Add(ctx, tx, &onrampv1.OrderUpdated{
			OrderId: after.ID, WalletAddress: after.Wallet, ProjectId: after.Project, Proof: after.Proof, Order: ToProto(after),
		})
	})
	return outcome, err
}

// Postpone sets the next poll.
func (s *SQLStore) Postpone(ctx context.Context, o Order, until time.Time) error {
	err := s.inTx(ctx, func(tx *store.Tx) error { return postpone(ctx, tx, o, until) })
	return wrap("postpone order", err)
}

// Find returns an order.
func (s *SQLStore) Find(ctx context.Context, id string) (Order, error) {
	o, err := find(ctx, s.db.Reader(), id)
	return o, wrap("find order", err)
}

// List lists an owner's orders.
func (s *SQLStore) List(ctx context.Context, w Owner, before string, limit int) ([]Order, error) {
	where, args := w.where(before, limit)
	list, err := selectOrders(ctx, s.db.Reader(), where+` ORDER BY id DESC LIMIT $4`, args...)
	return list, wrap("list orders", err)
}

// ListOf lists the orders of a wallet.
func (s *SQLStore) ListOf(ctx context.Context, wallet, before string, limit int) ([]Order, error) {
	list, err := selectOrders(ctx, s.db.Reader(), `WHERE account = $1 AND id < $2 ORDER BY id DESC LIMIT $3`, account(wallet), before, limit)
	return list, wrap("list orders of a wallet", err)
}

// ListPurchases lists an owner's orders with one provider whose payment was begun.
func (s *SQLStore) ListPurchases(ctx context.Context, w Owner, provider, before string, limit int) ([]Order, error) {
	where, args := w.where(before, limit)
	n := len(args)
	where += fmt.Sprintf(` AND provider = $%d AND state NOT IN ($%d, $%d, $%d)`, n+1, n+2, n+3, n+4)
	args = append(args, provider, string(ramp.Created), string(ramp.Expired), string(ramp.Cancelled))
	list, err := selectOrders(ctx, s.db.Reader(), where+` ORDER BY id DESC LIMIT $4`, args...)
	return list, wrap("list purchases", err)
}

// where returns the condition of an owner's orders before an id; its fourth argument is the limit.
func (w Owner) where(before string, limit int) (condition string, args []any) {
	args = []any{account(w.Wallet), w.Project, before, limit}
	placeholders := make([]string, len(w.Proofs))
	for i, p := range w.Proofs {
		args = append(args, p)
		placeholders[i] = fmt.Sprintf("$%d", len(args))
	}
	return `WHERE account = $1 AND project = $2 AND id < $3 AND proof IN (` + strings.Join(placeholders, ", ") + `)`, args
}

// Due lists orders whose poll is due: up to limit, and some late ones.
func (s *SQLStore) Due(ctx context.Context, now time.Time, limit int) ([]Order, error) {
	const due = `WHERE look_at > 0 AND look_at <= $1 AND (state = $2 AND expires_at <= $3) = $4 ORDER BY look_at, id LIMIT $5`
	list := func(late bool, limit int) ([]Order, error) {
		return selectOrders(ctx, s.db.Reader(), due, now.UnixMilli(), string(ramp.Expired), now.Add(-paidWithin).UnixMilli(), late, limit)
	}
	prompt, err := list(false, limit)
	if err != nil {
		return nil, wrap("list due orders", err)
	}
	late, err := list(true, max(1, limit/latePart))
	return append(prompt, late...), wrap("list due orders", err)
}

// CountPaid counts the orders of each provider that are paid, and have not changed since before.
func (s *SQLStore) CountPaid(ctx context.Context, before time.Time) (counts map[string]int64, err error) {
	// Paid orders are polled, so that the index of due orders has them.
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT provider, COUNT(*) FROM onramp_orders WHERE look_at > 0 AND state = $1 AND updated_at < $2 GROUP BY provider`,
		string(ramp.Paid), before.UnixMilli())
	if err != nil {
		return nil, wrap("count paid orders", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	counts = map[string]int64{}
	for rows.Next() {
		var provider string
		var n int64
		if err := rows.Scan(&provider, &n); err != nil {
			return nil, wrap("count paid orders", err)
		}
		counts[provider] = n
	}
	return counts, wrap("count paid orders", rows.Err())
}

// Lapsed lists unpaid orders that have expired.
func (s *SQLStore) Lapsed(ctx context.Context, now time.Time, limit int) ([]string, error) {
	ids, err := lapsed(ctx, s.db.Reader(), now, limit)
	return ids, wrap("list lapsed orders", err)
}

// DeleteWaiting deletes events that have been waiting for long.
func (s *SQLStore) DeleteWaiting(ctx context.Context, before time.Time) error {
	err := s.inTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM onramp_waiting WHERE heard_at < $1`, before.UnixMilli())
		return err
	})
	return wrap("delete waiting events", err)
}

// wrap adds the operation to an error of the database; errors of the domain are returned unchanged.
func wrap(doing string, err error) error {
	if err == nil || errors.Is(err, ErrUnknown) || errors.Is(err, ErrPlaced) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// ToProto returns the order in the form of the API.
func ToProto(o Order) *onrampv1.Order {
	m := &onrampv1.Order{
		Id: o.ID, ServiceProvider: o.Seller, Title: o.Title, State: states[o.State], Reason: o.Reason, WalletAddress: o.Wallet,
		ChainId: o.ChainID, Payment: amountToProto(o.Payment), Purchase: amountToProto(o.Purchase), Transaction: o.Transaction,
		CreatedAt: o.CreatedAt.UTC().Format(time.RFC3339), UpdatedAt: o.UpdatedAt.UTC().Format(time.RFC3339), Sandbox: o.Sandbox,
	}
	if f, known := failures[o.Failure]; known {
		m.Failure = &f
	}
	return m
}

var states = map[ramp.State]onrampv1.OrderState{
	ramp.Created:   onrampv1.OrderState_ORDER_STATE_CREATED,
	ramp.Expired:   onrampv1.OrderState_ORDER_STATE_EXPIRED,
	ramp.Pending:   onrampv1.OrderState_ORDER_STATE_PENDING,
	ramp.Paid:      onrampv1.OrderState_ORDER_STATE_PAID,
	ramp.Cancelled: onrampv1.OrderState_ORDER_STATE_CANCELLED,
	ramp.Failed:    onrampv1.OrderState_ORDER_STATE_FAILED,
	ramp.Completed: onrampv1.OrderState_ORDER_STATE_COMPLETED,
	ramp.Refunded:  onrampv1.OrderState_ORDER_STATE_REFUNDED,
}

var failures = map[ramp.Failure]onrampv1.OrderFailure{
	ramp.PaymentDeclined:   onrampv1.OrderFailure_ORDER_FAILURE_PAYMENT_DECLINED,
	ramp.PaymentLate:       onrampv1.OrderFailure_ORDER_FAILURE_PAYMENT_LATE,
	ramp.PaymentFailed:     onrampv1.OrderFailure_ORDER_FAILURE_PAYMENT_FAILED,
	ramp.FundsLow:          onrampv1.OrderFailure_ORDER_FAILURE_FUNDS_LOW,
	ramp.PaymentUnapproved: onrampv1.OrderFailure_ORDER_FAILURE_PAYMENT_UNAPPROVED,
	ramp.CodeWrong:         onrampv1.OrderFailure_ORDER_FAILURE_CODE_WRONG,
	ramp.TokensUnsent:      onrampv1.OrderFailure_ORDER_FAILURE_TOKENS_UNSENT,
	ramp.Unexplained:       onrampv1.OrderFailure_ORDER_FAILURE_UNEXPLAINED,
}

func amountToProto(a *ramp.Amount) *onrampv1.OrderAmount {
	if a == nil {
		return nil
	}
	return &onrampv1.OrderAmount{Amount: a.Value.String(), Currency: a.Currency}
}
