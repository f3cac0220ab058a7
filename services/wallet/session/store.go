package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet/notice"
	"github.com/hawser-dev/hawser/services/wallet/removal"
)

// listed bounds the sessions that are listed.
const listed = 100

// Store stores sessions.
type Store interface {
	// Insert stores a session.
	Insert(ctx context.Context, s *Session) error
	// Rotate replaces the refresh token of a session, by hashes, after it has called change. Of several calls with one
	// token, one succeeds. It fails with [ErrNone], with the error of change, or, if the token was used before, with
	// [ErrReused] after it has deleted the session.
	Rotate(ctx context.Context, hash, fresh string, now time.Time, change func(*Session) error) (*Session, error)
	// Find returns a session, also if it has expired. It fails with [ErrNone].
	Find(ctx context.Context, id string) (*Session, error)
	// List returns at most 100 sessions of a user that expire after now, the last used first.
	List(ctx context.Context, userID string, now time.Time) ([]*Session, error)
	// Delete deletes a session of a user, and reports whether there was one. With forget, it also forgets the session's
	// device, and lists the change.
	Delete(ctx context.Context, userID, id string, forget bool, now time.Time) (deleted bool, err error)
	// DeleteAll deletes the sessions of a user and forgets the devices.
	DeleteAll(ctx context.Context, userID string, now time.Time) error
	// DeleteEvery deletes the sessions of all users and forgets all devices.
	DeleteEvery(ctx context.Context) error
	// DeleteExpired deletes the sessions that expire at now or earlier.
	DeleteExpired(ctx context.Context, now time.Time) error
}

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of package schema.
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

const columns = `id, project, user_id, device, browser, os, site, refresh_hash, created_at, used_at, expires_at`

// Insert stores a session.
func (s *SQLStore) Insert(ctx context.Context, n *Session) error {
	return s.exec(ctx, "insert session", `INSERT INTO wallet_sessions (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		n.ID, n.Project, n.UserID, n.Key, n.Browser, n.System, n.Site, n.RefreshHash, n.CreatedAt.UnixMilli(), n.UsedAt.UnixMilli(), n.Expires.UnixMilli())
}

// Rotate replaces the refresh token of a session.
func (s *SQLStore) Rotate(ctx context.Context, hash, fresh string, now time.Time, change func(*Session) error) (found *Session, err error) {
	var reused bool
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		reused = false
		if found, err = scan(tx.QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_sessions WHERE refresh_hash = $1`, hash)); errors.Is(err, ErrNone) {
			reused, err = end(ctx, tx, now, `DELETE FROM wallet_sessions WHERE id IN (SELECT session_id FROM wallet_used_refreshes WHERE hash = $1)`, hash)
			return err
		}
		if err != nil {
			return err
		}
		if err := change(found); err != nil {
			return err
		}
		found.RefreshHash = fresh
		if _, err := tx.ExecContext(ctx, `UPDATE wallet_sessions SET refresh_hash = $2, used_at = $3, expires_at = $4 WHERE id = $1`,
			found.ID, fresh, found.UsedAt.UnixMilli(), found.Expires.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO wallet_used_refreshes (hash, session_id) VALUES ($1, $2)`, hash, found.ID)
		return err
	})
	switch {
	case err != nil:
		return nil, wrap("rotate refresh token", err)
	case reused:
		return nil, ErrReused
	case found == nil:
		return nil, ErrNone
	}
	return found, nil
}

// Find returns a session.
func (s *SQLStore) Find(ctx context.Context, id string) (*Session, error) {
	found, err := scan(s.db.Reader().QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_sessions WHERE id = $1`, id))
	return found, wrap("find session", err)
}

// List returns the sessions of a user.
func (s *SQLStore) List(ctx context.Context, userID string, now time.Time) (all []*Session, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT `+columns+` FROM wallet_sessions WHERE user_id = $1 AND expires_at > $2 ORDER BY used_at DESC LIMIT $3`,
		userID, now.UnixMilli(), listed)
	if err != nil {
		return nil, wrap("list sessions", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		found, err := scan(rows)
		if err != nil {
			return nil, wrap("list sessions", err)
		}
		all = append(all, found)
	}
	return all, rows.Err()
}

// Delete deletes a session of a user.
func (s *SQLStore) Delete(ctx context.Context, userID, id string, forget bool, now time.Time) (deleted bool, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if forget {
			if _, err := tx.ExecContext(ctx, `DELETE FROM wallet_devices WHERE user_id = $1 AND device IN (SELECT device FROM wallet_sessions WHERE user_id = $1 AND id = $2)`,
				userID, id); err != nil {
				return err
			}
		}
		if deleted, err = end(ctx, tx, now, `DELETE FROM wallet_sessions WHERE id = $1 AND user_id = $2`, id, userID); err != nil || !deleted || !forget {
			return err
		}
		return notice.Insert(ctx, tx, userID, notice.Change{Kind: notice.SessionEnded, At: now})
	})
	return deleted, wrap("delete session", err)
}

// DeleteAll deletes the sessions of a user.
func (s *SQLStore) DeleteAll(ctx context.Context, userID string, now time.Time) error {
	return wrap("delete sessions", s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM wallet_devices WHERE user_id = $1`, userID); err != nil {
			return err
		}
		if err := notice.Insert(ctx, tx, userID, notice.Change{Kind: notice.SignedOut, At: now}); err != nil {
			return err
		}
		_, err := end(ctx, tx, now, `DELETE FROM wallet_sessions WHERE user_id = $1`, userID)
		return err
	}))
}

// end deletes sessions, and reports whether there were any. It marks the list of removals then: in a database without the
// mark, they are live.
func end(ctx context.Context, tx *store.Tx, now time.Time, statement string, args ...any) (deleted bool, err error) {
	result, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return false, err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	return true, removal.Wallets.Insert(ctx, tx, removal.NewMark(now), now)
}

// DeleteEvery deletes the sessions of all users.
func (s *SQLStore) DeleteEvery(ctx context.Context) error {
	return wrap("delete sessions", s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM wallet_devices`); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM wallet_sessions`)
		return err
	}))
}

// DeleteExpired deletes the sessions that have expired.
func (s *SQLStore) DeleteExpired(ctx context.Context, now time.Time) error {
	return s.exec(ctx, "delete sessions", `DELETE FROM wallet_sessions WHERE expires_at <= $1`, now.UnixMilli())
}

func (s *SQLStore) exec(ctx context.Context, doing, statement string, args ...any) error {
	return wrap(doing, s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	}))
}

func scan(row interface{ Scan(...any) error }) (*Session, error) {
	var s Session
	var created, used, expires int64
	err := row.Scan(&s.ID, &s.Project, &s.UserID, &s.Key, &s.Browser, &s.System, &s.Site, &s.RefreshHash, &created, &used, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	s.CreatedAt, s.UsedAt, s.Expires = time.UnixMilli(created).UTC(), time.UnixMilli(used).UTC(), time.UnixMilli(expires).UTC()
	return &s, nil
}

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
