package deliveries

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	// keptAttempts is how many attempts of one delivery are kept, the newest.
	keptAttempts = 20
	// batch bounds the deliveries that one transaction ends or deletes.
	batch = 500
)

// Add stores an event for endpoints, unless they have it. It drops it for those that have no room: if as many as total wait for the project, or as many as
// ofAccount wait of the account for the endpoint.
func (s *Store) Add(ctx context.Context, e Event, endpoints []Endpoint, total, ofAccount int64, now, expires time.Time) (dropped int, err error) {
	// Outside of the transaction, so that it does not conflict with the attempts of the project: replicas may exceed the bound by one each.
	waiting, err := s.waiting(ctx, e.Project)
	if err != nil {
		return 0, wrap("count what waits", err)
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		dropped = 0
		left := total - waiting
		for _, endpoint := range endpoints {
			stored, known, err := add(ctx, tx, e, endpoint.ID, left > 0, ofAccount, now, expires)
			switch {
			case err != nil:
				return err
			case stored:
				left--
			case !known:
				dropped++
				if _, err := tx.ExecContext(ctx, `UPDATE webhooks_endpoints SET dropped = dropped + 1 WHERE id = $1`, endpoint.ID); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return dropped, wrap("add delivery", err)
}

// waiting returns how many deliveries wait for the endpoints of a project.
func (s *Store) waiting(ctx context.Context, project string) (n int64, err error) {
	err = s.db.Reader().QueryRowContext(ctx, `SELECT CAST(COALESCE(SUM(waiting), 0) AS BIGINT) FROM webhooks_queues WHERE project = $1`, project).Scan(&n)
	return n, err
}

// add stores an event for one endpoint. It is known if the endpoint has it, or does not exist any more.
func add(ctx context.Context, tx *store.Tx, e Event, endpoint string, isRoom bool, ofAccount int64, now, expires time.Time) (stored, known bool, err error) {
	var exists, has, queued int64
	row := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM webhooks_endpoints WHERE id = $1),
		(SELECT count(*) FROM webhooks_deliveries WHERE endpoint = $1 AND message_id = $2),
		(SELECT CAST(COALESCE(SUM(waiting), 0) AS BIGINT) FROM webhooks_queues WHERE endpoint = $1 AND account = $3)`, endpoint, e.MessageID(), e.Account)
	if err := row.Scan(&exists, &has, &queued); err != nil {
		return false, false, err
	}
	if exists == 0 || has > 0 {
		return false, true, nil
	}
	if !isRoom || queued >= ofAccount {
		return false, false, nil
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO webhooks_deliveries
		(endpoint, project, message_id, kind, account, body, state, attempts, last_status, last_error, created_at, expires_at, ended_at)
		VALUES ($1, $2, $3, $4, $5, $6, 'waiting', 0, 0, '', $7, $8, 0)`,
		endpoint, e.Project, e.MessageID(), e.Kind, e.Account, string(e.Body), e.At.UnixMilli(), expires.UnixMilli()); err != nil {
		return false, false, err
	}
	return true, true, enqueue(ctx, tx, endpoint, e.Account, e.Project, now)
}

// enqueue counts one more delivery that waits. The first one of an account is due now.
func enqueue(ctx context.Context, tx *store.Tx, endpoint, account, project string, now time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO webhooks_queues (endpoint, account, project, waiting, tries, next_at, lease) VALUES ($1, $2, $3, 1, 0, $4, '')
		ON CONFLICT (endpoint, account) DO UPDATE SET waiting = webhooks_queues.waiting + 1`, endpoint, account, project, now.UnixMilli())
	return err
}

// Ready is an endpoint to which something can be sent now.
type Ready struct {
	ID, Project, URL string
	Failures         int
	HasAnswered      bool
}

// Ready returns the endpoints to which something can be sent now.
func (s *Store) Ready(ctx context.Context, now time.Time) (all []Ready, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT id, project, url, failures, answered_at FROM webhooks_endpoints WHERE enabled AND paused_until <= $1
		AND EXISTS (SELECT 1 FROM webhooks_queues WHERE endpoint = webhooks_endpoints.id AND next_at <= $1) ORDER BY id`, now.UnixMilli())
	if err != nil {
		return nil, wrap("list ready endpoints", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var r Ready
		var answered int64
		if err := rows.Scan(&r.ID, &r.Project, &r.URL, &r.Failures, &answered); err != nil {
			return nil, wrap("list ready endpoints", err)
		}
		r.HasAnswered = answered != 0
		all = append(all, r)
	}
	return all, wrap("list ready endpoints", rows.Err())
}

// Claim is a delivery that its holder sends. Nobody else sends it, nor a later one of its account, until the lease ends.
type Claim struct {
	Delivery Delivery
	Endpoint Endpoint
	// tries are the failed attempts at it before, and lease proves the claim.
	tries int
	lease string
}

// Claim takes the delivery of an endpoint that has been due for longest, until a time; nil if there is none. The lease is a text that no other claim has.
func (s *Store) Claim(ctx context.Context, endpoint, lease string, now, until time.Time) (claim *Claim, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		claim = nil
		found, err := claimQueue(ctx, tx, endpoint, lease, now, until)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		claim = found
		return err
	})
	if err != nil {
		return nil, wrap("claim delivery", err)
	}
	return claim, nil
}

func claimQueue(ctx context.Context, tx *store.Tx, endpoint, lease string, now, until time.Time) (*Claim, error) {
	c := &Claim{lease: lease}
	var account string
	err := tx.QueryRowContext(ctx, `UPDATE webhooks_queues SET lease = $2, next_at = $3 WHERE endpoint = $1 AND account =
		(SELECT account FROM webhooks_queues WHERE endpoint = $1 AND next_at <= $4 ORDER BY next_at, account LIMIT 1) RETURNING account, tries`,
		endpoint, lease, until.UnixMilli(), now.UnixMilli()).Scan(&account, &c.tries)
	if err != nil {
		return nil, err
	}
	if c.Endpoint, err = findEndpoint(ctx, tx, "", endpoint); err != nil {
		return nil, err
	}
	c.Delivery, err = scanDelivery(tx.QueryRowContext(ctx, `SELECT `+deliveryColumns+`, body FROM webhooks_deliveries
		WHERE endpoint = $1 AND account = $2 AND state = 'waiting' ORDER BY id LIMIT 1`, endpoint, account), true)
	return c, err
}

// Release gives a claim back without an attempt; it can be sent again at a time.
func (s *Store) Release(ctx context.Context, c *Claim, next time.Time) error {
	return wrap("release delivery", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE webhooks_queues SET lease = '', next_at = $4 WHERE endpoint = $1 AND account = $2 AND lease = $3`,
			c.Delivery.Endpoint, c.Delivery.Account, c.lease, next.UnixMilli())
		return err
	}))
}

// Finish stores the outcome of an attempt: it ends the delivery, or says when it is attempted again. It pauses an endpoint whose server is down for several
// accounts, and disables one that is gone. A delivery that was accepted is ended also if the lease has ended.
func (s *Store) Finish(ctx context.Context, c *Claim, o Outcome, now time.Time, b Backoff) error {
	retryIn := b.retryIn(c.tries, o.RetryAfter)
	return wrap("finish delivery", s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := recordAttempt(ctx, tx, c, o); err != nil {
			return err
		}
		var err error
		if o.IsDelivered() {
			err = end(ctx, tx, c.Delivery, Delivered, now)
		} else {
			_, err = tx.ExecContext(ctx, `UPDATE webhooks_queues SET lease = '', tries = tries + 1, next_at = $4 WHERE endpoint = $1 AND account = $2 AND lease = $3`,
				c.Delivery.Endpoint, c.Delivery.Account, c.lease, now.Add(retryIn).UnixMilli())
		}
		if err != nil {
			return err
		}
		return recordHealth(ctx, tx, c, o, now, b)
	}))
}

func recordAttempt(ctx context.Context, tx *store.Tx, c *Claim, o Outcome) error {
	number := c.Delivery.Attempts + 1
	result, err := tx.ExecContext(ctx, `UPDATE webhooks_deliveries SET attempts = $2, last_status = $3, last_error = $4 WHERE id = $1`, c.Delivery.ID, number, o.Status, o.Error)
	if err != nil {
		return err
	}
	if known, err := result.RowsAffected(); err != nil || known == 0 {
		return err // it was deleted with its endpoint
	}
	for _, statement := range []struct {
		text string
		args []any
	}{
		{`INSERT INTO webhooks_attempts (delivery, number, started_at, took, status, error) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (delivery, number) DO NOTHING`,
			[]any{c.Delivery.ID, number, o.StartedAt.UnixMilli(), o.Took.Milliseconds(), o.Status, o.Error}},
		{`DELETE FROM webhooks_attempts WHERE delivery = $1 AND number <= $2`, []any{c.Delivery.ID, number - keptAttempts}},
	} {
		if _, err := tx.ExecContext(ctx, statement.text, statement.args...); err != nil {
			return err
		}
	}
	return nil
}

// end ends a delivery that waits. The next one of its account is due now.
func end(ctx context.Context, tx *store.Tx, d Delivery, state State, now time.Time) error {
	result, err := tx.ExecContext(ctx, `UPDATE webhooks_deliveries SET state = $2, ended_at = $3 WHERE id = $1 AND state = 'waiting'`, d.ID, string(state), now.UnixMilli())
	if err != nil {
		return err
	}
	if ended, err := result.RowsAffected(); err != nil || ended == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE webhooks_queues SET waiting = waiting - 1, tries = 0, lease = '', next_at = $3 WHERE endpoint = $1 AND account = $2`,
		d.Endpoint, d.Account, now.UnixMilli()); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM webhooks_queues WHERE endpoint = $1 AND account = $2 AND waiting <= 0`, d.Endpoint, d.Account)
	return err
}

// recordHealth stores whether the server of an endpoint is up.
func recordHealth(ctx context.Context, tx *store.Tx, c *Claim, o Outcome, now time.Time, b Backoff) error {
	var failures int
	var failed string
	var answered int64
	err := tx.QueryRowContext(ctx, `SELECT failures, failed_account, answered_at FROM webhooks_endpoints WHERE id = $1`, c.Endpoint.ID).Scan(&failures, &failed, &answered)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // it was deleted
	}
	if err != nil {
		return err
	}
	if o.IsGone() {
		_, err := tx.ExecContext(ctx, `UPDATE webhooks_endpoints SET enabled = FALSE WHERE id = $1`, c.Endpoint.ID)
		return err
	}
	if !o.isDown() {
		return recordUp(ctx, tx, c.Endpoint.ID, failures, answered, now)
	}
	// What fails for one account alone may be about its events, and does not pause those of others.
	if failed == c.Delivery.Account && failures < OpenAt {
		return nil
	}
	failures++
	paused := int64(0)
	if pause := b.pauseFor(failures); pause > 0 {
		paused = now.Add(pause).UnixMilli()
	}
	_, err = tx.ExecContext(ctx, `UPDATE webhooks_endpoints SET failures = $2, failed_account = $3, paused_until = $4 WHERE id = $1`,
		c.Endpoint.ID, failures, c.Delivery.Account, paused)
	return err
}

// recordUp stores that an endpoint answered. What waited through its pauses is due now.
func recordUp(ctx context.Context, tx *store.Tx, endpoint string, failures int, answered int64, now time.Time) error {
	if failures == 0 && answered != 0 {
		return nil
	}
	if answered == 0 {
		answered = now.UnixMilli()
	}
	if _, err := tx.ExecContext(ctx, `UPDATE webhooks_endpoints SET failures = 0, failed_account = '', paused_until = 0, answered_at = $2 WHERE id = $1`, endpoint, answered); err != nil {
		return err
	}
	if failures < OpenAt {
		return nil
	}
	_, err := tx.ExecContext(ctx, `UPDATE webhooks_queues SET next_at = $2 WHERE endpoint = $1 AND lease = '' AND next_at > $2`, endpoint, now.UnixMilli())
	return err
}

// GiveUp ends deliveries that wait and whose time is over, and returns how many.
func (s *Store) GiveUp(ctx context.Context, now time.Time) (n int, err error) {
	for {
		var over []Delivery
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			var err error
			over, err = list(ctx, tx, `WHERE state = 'waiting' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`, now.UnixMilli(), batch)
			if err != nil {
				return err
			}
			for _, d := range over {
				if err := end(ctx, tx, d, Failed, now); err != nil {
					return err
				}
			}
			return nil
		})
		if n += len(over); err != nil || len(over) < batch {
			return n, wrap("give up deliveries", err)
		}
	}
}
