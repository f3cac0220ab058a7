package deliveries

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

const deliveryColumns = `id, endpoint, project, message_id, kind, account, state, attempts, last_status, last_error, created_at, expires_at, ended_at`

// Filter selects deliveries of a project.
type Filter struct {
	// Endpoint and State are empty for all.
	Endpoint string
	State    State
	// Before is an id, which the deliveries are before; 0 for the newest.
	Before int64
	Limit  int
}

// Deliveries returns deliveries of a project without their bodies, the newest first.
func (s *Store) Deliveries(ctx context.Context, project string, f Filter) ([]Delivery, error) {
	all, err := list(ctx, s.db.Reader(), `WHERE project = $1 AND ($2 = '' OR endpoint = $2) AND ($3 = '' OR state = $3) AND (CAST($4 AS BIGINT) = 0 OR id < CAST($4 AS BIGINT)) ORDER BY id DESC LIMIT $5`,
		project, f.Endpoint, string(f.State), f.Before, f.Limit)
	return all, wrap("list deliveries", err)
}

// Delivery returns a delivery of a project with its newest attempts, the newest first. It fails with [ErrUnknownDelivery].
func (s *Store) Delivery(ctx context.Context, project string, id int64) (d Delivery, attempts []Attempt, err error) {
	d, err = scanDelivery(s.db.Reader().QueryRowContext(ctx, `SELECT `+deliveryColumns+`, body FROM webhooks_deliveries WHERE id = $1 AND project = $2`, id, project), true)
	if errors.Is(err, sql.ErrNoRows) {
		return Delivery{}, nil, ErrUnknownDelivery
	}
	if err != nil {
		return Delivery{}, nil, wrap("find delivery", err)
	}
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT number, started_at, took, status, error FROM webhooks_attempts WHERE delivery = $1 ORDER BY number DESC`, id)
	if err != nil {
		return Delivery{}, nil, wrap("list attempts", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var a Attempt
		var started, took int64
		if err := rows.Scan(&a.Number, &started, &took, &a.Status, &a.Error); err != nil {
			return Delivery{}, nil, wrap("list attempts", err)
		}
		a.StartedAt, a.Took = at(started), time.Duration(took)*time.Millisecond
		attempts = append(attempts, a)
	}
	return d, attempts, wrap("list attempts", rows.Err())
}

// Range selects deliveries to repeat: one by its id, or those of events in a time range.
type Range struct {
	// ID is 0 for a time range.
	ID       int64
	From, To time.Time
	// Endpoint is empty for all.
	Endpoint string
	// FailedOnly leaves out those that were delivered.
	FailedOnly bool
}

// Replay makes deliveries wait again that have ended, the oldest first, as many as there is room for. It fails with [ErrUnknownDelivery] for one that does not exist or
// waits.
func (s *Store) Replay(ctx context.Context, project string, what Range, total int64, now time.Time, retryFor time.Duration) (replayed int, more bool, err error) {
	// What is repeated may end while this goes on, and is not repeated again.
	after := int64(0)
	for {
		waiting, err := s.waiting(ctx, project)
		if err != nil {
			return replayed, false, wrap("count what waits", err)
		}
		room := max(0, min(total-waiting, batch))
		n, last, rest, err := s.replay(ctx, project, what, after, int(room), now, retryFor)
		if replayed += n; err != nil || !rest {
			return replayed, false, wrap("replay deliveries", err)
		}
		if room == 0 {
			return replayed, true, nil
		}
		after = last
	}
}

// replay repeats some deliveries after an id. It returns how many and the last id, and whether there are others.
func (s *Store) replay(ctx context.Context, project string, what Range, after int64, room int, now time.Time, retryFor time.Duration) (replayed int, last int64, more bool,
	err error,
) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		replayed, last, more = 0, after, false
		found, err := list(ctx, tx, `WHERE project = $1 AND state <> 'waiting' AND id > $7 AND (CAST($2 AS BIGINT) = 0 OR id = CAST($2 AS BIGINT))
			AND (CAST($2 AS BIGINT) <> 0 OR created_at >= $3 AND created_at < $4) AND ($5 = '' OR endpoint = $5) AND (NOT $6 OR state = 'failed') ORDER BY id LIMIT $8`,
			project, what.ID, millis(what.From), millis(what.To), what.Endpoint, what.FailedOnly, after, room+1)
		if err != nil {
			return err
		}
		if what.ID != 0 && len(found) == 0 {
			return ErrUnknownDelivery
		}
		if more = len(found) > room; more {
			found = found[:room]
		}
		for _, d := range found {
			if _, err := tx.ExecContext(ctx, `UPDATE webhooks_deliveries SET state = 'waiting', ended_at = 0, expires_at = $2 WHERE id = $1`,
				d.ID, now.Add(retryFor).UnixMilli()); err != nil {
				return err
			}
			if err := enqueue(ctx, tx, d.Endpoint, d.Account, d.Project, now); err != nil {
				return err
			}
			last = d.ID
		}
		replayed = len(found)
		return nil
	})
	return replayed, last, more, err
}

// DeleteOld deletes deliveries that ended before a time, and of each project those that are more than most, the oldest first.
func (s *Store) DeleteOld(ctx context.Context, before time.Time, most int64) error {
	for {
		n, err := s.delete(ctx, `SELECT id FROM webhooks_deliveries WHERE state <> 'waiting' AND ended_at < $1 LIMIT $2`, before.UnixMilli(), batch)
		if err != nil || n < batch {
			if err == nil {
				err = s.deleteSurplus(ctx, most)
			}
			return wrap("delete old deliveries", err)
		}
	}
}

// surplus returns by project how many more ended deliveries there are than most.
func (s *Store) surplus(ctx context.Context, most int64) (map[string]int64, error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT project, count(*) FROM webhooks_deliveries WHERE state <> 'waiting' GROUP BY project HAVING count(*) > $1`, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	surplus := map[string]int64{}
	for rows.Next() {
		var project string
		var n int64
		if err := rows.Scan(&project, &n); err != nil {
			return nil, err
		}
		surplus[project] = n - most
	}
	return surplus, rows.Err()
}

func (s *Store) deleteSurplus(ctx context.Context, most int64) error {
	surplus, err := s.surplus(ctx, most)
	if err != nil {
		return err
	}
	for project, n := range surplus {
		for ; n > 0; n -= batch {
			if _, err := s.delete(ctx, `SELECT id FROM webhooks_deliveries WHERE project = $1 AND state <> 'waiting' ORDER BY id LIMIT $2`, project, min(n, batch)); err != nil {
				return err
			}
		}
	}
	return nil
}

// delete deletes the deliveries that a query selects, with their attempts, and returns how many.
func (s *Store) delete(ctx context.Context, which string, args ...any) (n int64, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM webhooks_attempts WHERE delivery IN (`+which+`)`, args...); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `DELETE FROM webhooks_deliveries WHERE id IN (`+which+`)`, args...)
		if err != nil {
			return err
		}
		n, err = result.RowsAffected()
		return err
	})
	return n, err
}

func list(ctx context.Context, q store.Queries, which string, args ...any) (all []Delivery, err error) {
	rows, err := q.QueryContext(ctx, `SELECT `+deliveryColumns+` FROM webhooks_deliveries `+which, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		d, err := scanDelivery(rows, false)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, rows.Err()
}

func scanDelivery(row interface{ Scan(into ...any) error }, withBody bool) (d Delivery, err error) {
	var created, expires, ended int64
	into := []any{&d.ID, &d.Endpoint, &d.Project, &d.MessageID, &d.Kind, &d.Account, &d.State, &d.Attempts, &d.LastStatus, &d.LastError, &created, &expires, &ended}
	if withBody {
		into = append(into, &d.Body)
	}
	err = row.Scan(into...)
	d.CreatedAt, d.ExpiresAt, d.EndedAt = at(created), at(expires), at(ended)
	return d, err
}
