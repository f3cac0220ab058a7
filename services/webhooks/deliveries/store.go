package deliveries

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
)

//go:embed migrations
var migrations embed.FS

// Store is the database of endpoints and deliveries. It is safe for concurrent use, also by several processes.
type Store struct{ db *store.DB }

// NewStore returns a store in db. It creates the tables that do not exist.
func NewStore(ctx context.Context, db *store.DB) (*Store, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return &Store{db}, db.Migrate(ctx, "webhooks", files)
}

const endpointColumns = `id, project, url, kinds, sealed_secret, sealed_previous, previous_until, enabled, failures, paused_until, answered_at, dropped, created_at`

// Insert stores a new endpoint. It fails with [ErrTooMany].
func (s *Store) Insert(ctx context.Context, e Endpoint) error {
	kinds, err := json.Marshal(e.Kinds)
	if err != nil {
		return err
	}
	return wrap("insert endpoint", s.db.InTx(ctx, func(tx *store.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM webhooks_endpoints WHERE project = $1`, e.Project).Scan(&n); err != nil {
			return err
		}
		if n >= maxEndpoints {
			return ErrTooMany
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO webhooks_endpoints (`+endpointColumns+`, failed_account)
			VALUES ($1, $2, $3, $4, $5, '', 0, $6, 0, 0, 0, 0, $7, '')`, e.ID, e.Project, e.URL, string(kinds), e.sealed, e.Enabled, e.CreatedAt.UnixMilli())
		return err
	}))
}

// Update applies change to an endpoint of a project; an empty project is any. What waits for an endpoint that it enables is due now. It fails with [ErrUnknownEndpoint]. change may run more than once.
func (s *Store) Update(ctx context.Context, project, id string, change func(e *Endpoint)) (changed Endpoint, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if changed, err = findEndpoint(ctx, tx, project, id); err != nil {
			return err
		}
		wasEnabled := changed.Enabled
		change(&changed)
		_, err := tx.ExecContext(ctx, `UPDATE webhooks_endpoints SET sealed_secret = $2, sealed_previous = $3, previous_until = $4, enabled = $5, failures = $6, paused_until = $7
			WHERE id = $1`, id, changed.sealed, changed.sealedPrevious, millis(changed.PreviousUntil), changed.Enabled, changed.Failures, millis(changed.PausedUntil))
		if err != nil || wasEnabled || !changed.Enabled {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE webhooks_endpoints SET answered_at = 0, failed_account = '' WHERE id = $1`, id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE webhooks_queues SET next_at = 0 WHERE endpoint = $1 AND lease = ''`, id)
		return err
	})
	if err != nil {
		return Endpoint{}, wrap("change endpoint", err)
	}
	return changed, nil
}

// Find returns an endpoint of a project; an empty project is any. It fails with [ErrUnknownEndpoint].
func (s *Store) Find(ctx context.Context, project, id string) (Endpoint, error) {
	e, err := findEndpoint(ctx, s.db.Reader(), project, id)
	return e, wrap("find endpoint", err)
}

func findEndpoint(ctx context.Context, q store.Queries, project, id string) (Endpoint, error) {
	e, err := scanEndpoint(q.QueryRowContext(ctx, `SELECT `+endpointColumns+`, 0 FROM webhooks_endpoints WHERE id = $1 AND ($2 = '' OR project = $2)`, id, project))
	if errors.Is(err, sql.ErrNoRows) {
		return Endpoint{}, ErrUnknownEndpoint
	}
	return e, err
}

// newest returns the endpoint that was created last, of any project. It fails with [ErrUnknownEndpoint] if there is none.
func (s *Store) newest(ctx context.Context) (Endpoint, error) {
	e, err := scanEndpoint(s.db.Reader().QueryRowContext(ctx, `SELECT `+endpointColumns+`, 0 FROM webhooks_endpoints ORDER BY id DESC LIMIT 1`))
	if errors.Is(err, sql.ErrNoRows) {
		return Endpoint{}, ErrUnknownEndpoint
	}
	return e, wrap("find endpoint", err)
}

// List returns the endpoints of a project, the oldest first.
func (s *Store) List(ctx context.Context, project string) (all []Endpoint, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT `+endpointColumns+`,
			(SELECT CAST(COALESCE(SUM(waiting), 0) AS BIGINT) FROM webhooks_queues WHERE webhooks_queues.endpoint = webhooks_endpoints.id)
		FROM webhooks_endpoints WHERE project = $1 ORDER BY id`, project)
	if err != nil {
		return nil, wrap("list endpoints", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		e, err := scanEndpoint(rows)
		if err != nil {
			return nil, wrap("list endpoints", err)
		}
		all = append(all, e)
	}
	return all, wrap("list endpoints", rows.Err())
}

// Delete deletes an endpoint of a project with its deliveries; an empty project is any. It fails with [ErrUnknownEndpoint].
func (s *Store) Delete(ctx context.Context, project, id string) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := findEndpoint(ctx, tx, project, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM webhooks_queues WHERE endpoint = $1`, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM webhooks_endpoints WHERE id = $1`, id)
		return err
	})
	// In parts, so that no transaction is long. What a process leaves that dies here is given up and deleted with time.
	for n := int64(batch); err == nil && n == batch; {
		n, err = s.delete(ctx, `SELECT id FROM webhooks_deliveries WHERE endpoint = $1 LIMIT $2`, id, batch)
	}
	return wrap("delete endpoint", err)
}

// sealedSecret is one sealed secret of an endpoint, and the column that has it.
type sealedSecret struct{ endpoint, column, sealed string }

func (s *Store) sealedSecrets(ctx context.Context) (all []sealedSecret, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT id, sealed_secret, sealed_previous FROM webhooks_endpoints ORDER BY id`)
	if err != nil {
		return nil, wrap("list secrets", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, current, previous string
		if err := rows.Scan(&id, &current, &previous); err != nil {
			return nil, wrap("list secrets", err)
		}
		all = append(all, sealedSecret{id, "sealed_secret", current})
		if previous != "" {
			all = append(all, sealedSecret{id, "sealed_previous", previous})
		}
	}
	return all, wrap("list secrets", rows.Err())
}

// reseal replaces the sealed form of a secret, unless it changed meanwhile.
func (s *Store) reseal(ctx context.Context, was sealedSecret, fresh string) error {
	return wrap("store a sealed secret", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE webhooks_endpoints SET `+was.column+` = $3 WHERE id = $1 AND `+was.column+` = $2`, was.endpoint, was.sealed, fresh)
		return err
	}))
}

func scanEndpoint(row interface{ Scan(into ...any) error }) (e Endpoint, err error) {
	var kinds string
	var previous, paused, answered, created int64
	if err := row.Scan(&e.ID, &e.Project, &e.URL, &kinds, &e.sealed, &e.sealedPrevious, &previous, &e.Enabled, &e.Failures, &paused, &answered, &e.Dropped, &created,
		&e.Waiting); err != nil {
		return e, err
	}
	e.PreviousUntil, e.PausedUntil, e.CreatedAt, e.HasAnswered = at(previous), at(paused), at(created), answered != 0
	return e, json.Unmarshal([]byte(kinds), &e.Kinds)
}

// at returns the time for Unix milliseconds, and the zero time for 0.
func at(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

// millis returns the Unix milliseconds of a time, and 0 for the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// wrap adds the operation to an error of the database, and returns errors of the domain unchanged.
func wrap(doing string, err error) error {
	if err == nil || errors.Is(err, ErrUnknownEndpoint) || errors.Is(err, ErrUnknownDelivery) || errors.Is(err, ErrTooMany) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}
