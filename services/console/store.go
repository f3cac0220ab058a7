package console

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// Migrate creates the tables that do not exist.
func Migrate(ctx context.Context, db *store.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, "console", files)
}

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of [Migrate].
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

const (
	operatorColumns = `o.id, o.name, o.role, COALESCE((SELECT i.issuer FROM console_identities i WHERE i.operator_id = o.id), ''), o.created_at, o.used_at`
	sessionColumns  = `s.id, s.operator_id, s.hash, s.address, s.browser, s.created_at, s.used_at`
)

// Enter stores an operator unless there is one of the name.
func (s *SQLStore) Enter(ctx context.Context, fresh Operator) (stored Operator, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		stored, err = scanOperator(tx.QueryRowContext(ctx, `SELECT `+operatorColumns+` FROM console_operators o WHERE o.name = $1`, fresh.Name))
		if !errors.Is(err, ErrUnknown) {
			return err
		}
		stored = fresh
		return insertOperator(ctx, tx, fresh)
	})
	return stored, wrap("enter operator", err)
}

// insertOperator adds an operator. It fails with [ErrFull].
func insertOperator(ctx context.Context, tx *store.Tx, fresh Operator) error {
	var n int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM console_operators`).Scan(&n); err != nil {
		return err
	}
	if n >= maxOperators {
		return ErrFull
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO console_operators (id, name, role, created_at, used_at) VALUES ($1, $2, $3, $4, 0)`,
		fresh.ID, fresh.Name, string(fresh.Role), fresh.CreatedAt.UnixMilli())
	return err
}

// AddLink stores a link.
func (s *SQLStore) AddLink(ctx context.Context, operatorID, hash string, expires time.Time) error {
	return wrap("add link", s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM console_links WHERE hash IN
			(SELECT hash FROM console_links WHERE operator_id = $1 ORDER BY expires_at DESC, hash LIMIT 1000 OFFSET $2)`, operatorID, maxLinks-1); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO console_links (hash, operator_id, expires_at) VALUES ($1, $2, $3)`, hash, operatorID, expires.UnixMilli())
		return err
	}))
}

// Redeem exchanges a link for a session. The deletion of the link decides, so that of two calls with one link one succeeds.
func (s *SQLStore) Redeem(ctx context.Context, link, previous string, fresh Session, now time.Time) (of Operator, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		err := tx.QueryRowContext(ctx, `DELETE FROM console_links WHERE hash = $1 AND expires_at > $2 RETURNING operator_id`, link, now.UnixMilli()).Scan(&fresh.OperatorID)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrLink
		}
		if err != nil {
			return err
		}
		of, err = beginSession(ctx, tx, fresh.OperatorID, previous, fresh)
		return err
	})
	return of, wrap("redeem link", err)
}

// Begin starts a session.
func (s *SQLStore) Begin(ctx context.Context, operatorID, previous string, fresh Session) (of Operator, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		of, err = beginSession(ctx, tx, operatorID, previous, fresh)
		return err
	})
	return of, wrap("begin session", err)
}

// beginSession stores a session of an operator instead of the one with the previous hash. It fails with [ErrUnknown].
func beginSession(ctx context.Context, tx *store.Tx, operatorID, previous string, fresh Session) (Operator, error) {
	of, err := scanOperator(tx.QueryRowContext(ctx, `SELECT `+operatorColumns+` FROM console_operators o WHERE o.id = $1`, operatorID))
	if err != nil {
		return Operator{}, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM console_sessions WHERE hash = $1 OR id IN
		(SELECT id FROM console_sessions WHERE operator_id = $2 ORDER BY used_at DESC, id LIMIT 1000 OFFSET $3)`, previous, of.ID, maxSessions-1); err != nil {
		return Operator{}, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO console_sessions (id, hash, operator_id, address, browser, created_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		fresh.ID, fresh.Hash, of.ID, fresh.Address, fresh.Browser, fresh.CreatedAt.UnixMilli(), fresh.UsedAt.UnixMilli())
	return of, err
}

// FindSession returns a session with its operator.
func (s *SQLStore) FindSession(ctx context.Context, hash string) (Session, Operator, error) {
	row := s.db.Reader().QueryRowContext(ctx, `SELECT `+sessionColumns+`, `+operatorColumns+`
		FROM console_sessions s JOIN console_operators o ON o.id = s.operator_id WHERE s.hash = $1`, hash)
	var found Session
	var of Operator
	var created, used, operatorCreated, operatorUsed int64
	err := row.Scan(&found.ID, &found.OperatorID, &found.Hash, &found.Address, &found.Browser, &created, &used, &of.ID, &of.Name, &of.Role, &of.Issuer, &operatorCreated, &operatorUsed)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, Operator{}, ErrAbsent
	}
	if err != nil {
		return Session{}, Operator{}, wrap("find session", err)
	}
	found.CreatedAt, found.UsedAt = timeOf(created), timeOf(used)
	of.CreatedAt, of.UsedAt = timeOf(operatorCreated), timeOf(operatorUsed)
	return found, of, nil
}

// Touch stores when a session was used.
func (s *SQLStore) Touch(ctx context.Context, used Session, now time.Time) error {
	return wrap("touch session", s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE console_sessions SET used_at = $2 WHERE id = $1`, used.ID, now.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE console_operators SET used_at = $2 WHERE id = $1`, used.OperatorID, now.UnixMilli())
		return err
	}))
}

// EndSession deletes a session.
func (s *SQLStore) EndSession(ctx context.Context, operatorID, id string) error {
	return wrap("end session", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM console_sessions WHERE id = $1 AND operator_id = $2`, id, operatorID)
		return err
	}))
}

// ListSessions returns the sessions of an operator.
func (s *SQLStore) ListSessions(ctx context.Context, operatorID string) (all []Session, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT `+sessionColumns+` FROM console_sessions s WHERE s.operator_id = $1 ORDER BY s.used_at DESC, s.created_at DESC, s.id`, operatorID)
	if err != nil {
		return nil, wrap("list sessions", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var found Session
		var created, used int64
		if err := rows.Scan(&found.ID, &found.OperatorID, &found.Hash, &found.Address, &found.Browser, &created, &used); err != nil {
			return nil, wrap("list sessions", err)
		}
		found.CreatedAt, found.UsedAt = timeOf(created), timeOf(used)
		all = append(all, found)
	}
	return all, wrap("list sessions", rows.Err())
}

// ListOperators returns every operator.
func (s *SQLStore) ListOperators(ctx context.Context) (all []Operator, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT `+operatorColumns+` FROM console_operators o ORDER BY o.name`)
	if err != nil {
		return nil, wrap("list operators", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		found, err := scanOperator(rows)
		if err != nil {
			return nil, wrap("list operators", err)
		}
		all = append(all, found)
	}
	return all, wrap("list operators", rows.Err())
}

// SetRole changes the role of an operator.
func (s *SQLStore) SetRole(ctx context.Context, id string, role Role) (before, after Operator, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if before, err = findOperator(ctx, tx, id, role == Owner); err != nil {
			return err
		}
		if before.Issuer != "" {
			return ErrProvided
		}
		after = before
		after.Role = role
		_, err = tx.ExecContext(ctx, `UPDATE console_operators SET role = $2 WHERE id = $1`, id, string(role))
		return err
	})
	return before, after, wrap("set role", err)
}

// Remove deletes an operator.
func (s *SQLStore) Remove(ctx context.Context, id string) (removed Operator, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if removed, err = findOperator(ctx, tx, id, false); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM console_operators WHERE id = $1`, id)
		return err
	})
	return removed, wrap("remove operator", err)
}

// findOperator returns an operator who is to be changed. It fails with [ErrLastOwner] if that is the only owner, who does not stay one.
func findOperator(ctx context.Context, tx *store.Tx, id string, staysOwner bool) (Operator, error) {
	found, err := scanOperator(tx.QueryRowContext(ctx, `SELECT `+operatorColumns+` FROM console_operators o WHERE o.id = $1`, id))
	if err != nil || found.Role != Owner || staysOwner {
		return found, err
	}
	var others int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM console_operators WHERE role = $1 AND id <> $2`, string(Owner), id).Scan(&others); err != nil {
		return Operator{}, err
	}
	if others == 0 {
		return Operator{}, ErrLastOwner
	}
	return found, nil
}

// DeleteExpired deletes links and sessions that have ended.
func (s *SQLStore) DeleteExpired(ctx context.Context, now, usedBefore, createdBefore time.Time) error {
	return wrap("delete ended sessions", s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM console_links WHERE expires_at <= $1`, now.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM console_sessions WHERE used_at <= $1 OR created_at <= $2`, usedBefore.UnixMilli(), createdBefore.UnixMilli())
		return err
	}))
}

// scanOperator reads an operator. It fails with [ErrUnknown] if there is no row.
func scanOperator(row interface{ Scan(into ...any) error }) (Operator, error) {
	var o Operator
	var created, used int64
	err := row.Scan(&o.ID, &o.Name, &o.Role, &o.Issuer, &created, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return Operator{}, ErrUnknown
	}
	o.CreatedAt, o.UsedAt = timeOf(created), timeOf(used)
	return o, err
}

// timeOf returns a time as it is stored; the zero time for 0.
func timeOf(milli int64) time.Time {
	if milli == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milli).UTC()
}

// wrap adds the operation to an error of the database, and returns errors of the domain unchanged.
func wrap(doing string, err error) error {
	for _, own := range []error{nil, ErrAbsent, ErrLink, ErrUnknown, ErrLastOwner, ErrProvided, ErrFull} {
		if errors.Is(err, own) {
			return err
		}
	}
	return fmt.Errorf("%s: %w", doing, err)
}
