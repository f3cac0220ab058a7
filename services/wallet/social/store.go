package social

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Store stores logins.
type Store interface {
	// Insert stores a login.
	Insert(ctx context.Context, l *Login) error
	// FindStarted returns the login of a state that is Started. It fails with [ErrFailed].
	FindStarted(ctx context.Context, stateHash string, now time.Time) (*Login, error)
	// Redeem moves the login of a state from Started to Redeeming and returns it. Of several calls, one succeeds; the others fail with
	// [ErrFailed].
	Redeem(ctx context.Context, stateHash string, now time.Time) (*Login, error)
	// SetStage stores the outcome of a login, unless it has one.
	SetStage(ctx context.Context, id string, stage Stage, a Account) error
	// Find returns a login. It fails with [ErrFailed].
	Find(ctx context.Context, id string) (*Login, error)
	// SignIn moves a login from Proven to SignedIn, and makes it expire at until if that is earlier. It changes nothing if the login is SignedIn
	// already. It fails with [ErrFailed] in other stages, or if the login has expired.
	SignIn(ctx context.Context, id string, now, until time.Time) error
	// Use moves a login from Proven to Used. Of several calls, one succeeds; the others fail with [ErrFailed].
	Use(ctx context.Context, id string) error
	// DeleteExpired deletes the logins that expire at now or earlier.
	DeleteExpired(ctx context.Context, now time.Time) error
}

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of package schema.
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

const columns = `id, state_hash, project, device, provider, browser, os, site, network, channel, stage, subject, name, expires_at`

// Insert stores a login.
func (s *SQLStore) Insert(ctx context.Context, l *Login) error {
	_, err := s.exec(ctx, `INSERT INTO wallet_logins (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		l.ID, l.StateHash, l.Project, l.Device, l.Provider, l.Browser, l.System, l.Site, l.Network, l.Channel, l.Stage, l.Subject, l.Name, l.Expires.UnixMilli())
	return wrap("insert login", err)
}

// FindStarted returns the login of a state.
func (s *SQLStore) FindStarted(ctx context.Context, stateHash string, now time.Time) (*Login, error) {
	found, err := scan(s.db.Reader().QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_logins WHERE state_hash = $1 AND stage = $2 AND expires_at > $3`,
		stateHash, Started, now.UnixMilli()))
	return found, wrap("find login", err)
}

// Redeem returns the login of a state.
func (s *SQLStore) Redeem(ctx context.Context, stateHash string, now time.Time) (found *Login, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		found, err = scan(tx.QueryRowContext(ctx, `UPDATE wallet_logins SET stage = $1 WHERE state_hash = $2 AND stage = $3 AND expires_at > $4 RETURNING `+columns,
			Redeeming, stateHash, Started, now.UnixMilli()))
		return err
	})
	return found, wrap("redeem login", err)
}

// SetStage stores the outcome of a login, unless it has one.
func (s *SQLStore) SetStage(ctx context.Context, id string, stage Stage, a Account) error {
	_, err := s.exec(ctx, `UPDATE wallet_logins SET stage = $2, subject = $3, name = $4 WHERE id = $1 AND stage IN ($5, $6)`,
		id, stage, a.Subject, a.Name, Started, Redeeming)
	return wrap("set stage of login", err)
}

// Find returns a login.
func (s *SQLStore) Find(ctx context.Context, id string) (*Login, error) {
	found, err := scan(s.db.Reader().QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_logins WHERE id = $1`, id))
	return found, wrap("find login", err)
}

// SignIn records that a login signs in.
func (s *SQLStore) SignIn(ctx context.Context, id string, now, until time.Time) error {
	n, err := s.exec(ctx, `UPDATE wallet_logins SET stage = $2, expires_at = CASE WHEN stage = $3 AND expires_at > $5 THEN $5 ELSE expires_at END
		WHERE id = $1 AND stage IN ($2, $3) AND expires_at > $4`, id, SignedIn, Proven, now.UnixMilli(), until.UnixMilli())
	if err == nil && n == 0 {
		return ErrFailed
	}
	return wrap("sign in with login", err)
}

// Use ends a login.
func (s *SQLStore) Use(ctx context.Context, id string) error {
	n, err := s.exec(ctx, `UPDATE wallet_logins SET stage = $2 WHERE id = $1 AND stage = $3`, id, Used, Proven)
	if err == nil && n == 0 {
		return ErrFailed
	}
	return wrap("use login", err)
}

// DeleteExpired deletes the logins that have expired.
func (s *SQLStore) DeleteExpired(ctx context.Context, now time.Time) error {
	_, err := s.exec(ctx, `DELETE FROM wallet_logins WHERE expires_at <= $1`, now.UnixMilli())
	return wrap("delete logins", err)
}

func (s *SQLStore) exec(ctx context.Context, statement string, args ...any) (n int64, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		done, err := tx.ExecContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		n, err = done.RowsAffected()
		return err
	})
	return n, err
}

func scan(row *sql.Row) (*Login, error) {
	var l Login
	var expires int64
	err := row.Scan(&l.ID, &l.StateHash, &l.Project, &l.Device, &l.Provider, &l.Browser, &l.System, &l.Site, &l.Network, &l.Channel, &l.Stage, &l.Subject, &l.Name, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrFailed
	}
	l.Expires = time.UnixMilli(expires).UTC()
	return &l, err
}

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
