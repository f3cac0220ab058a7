package user

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet/removal"
)

// Store stores users. An identity that ends at now or earlier is ignored.
type Store interface {
	// SignIn returns the user of the first identity of fresh, or stores fresh if there is none. It also stores the
	// device as known to the user.
	SignIn(ctx context.Context, fresh *User, device string, now time.Time) (*User, error)
	// KnowsDevice reports whether the user of an identity has signed in from a device.
	KnowsDevice(ctx context.Context, project, provider, subject, device string, now time.Time) (bool, error)
	// Find returns a user. It fails with [ErrNone].
	Find(ctx context.Context, id string, now time.Time) (*User, error)
	// ChangeEmail adds an identity, and makes the user's other emails end at a time. It returns the email that was
	// current until now, or an empty string. It fails with [ErrTaken].
	ChangeEmail(ctx context.Context, id string, email Identity, now, ends time.Time) (string, error)
	// Link adds an identity. It fails with [ErrTaken] if it is another user's.
	Link(ctx context.Context, id string, added Identity, now time.Time) error
	// Unlink removes an identity. It fails with [ErrNone] or [ErrLast].
	Unlink(ctx context.Context, id, provider, subject string) error
	// SetAccount stores the preferred account, and SetKit the time of a recovery kit.
	SetAccount(ctx context.Context, id string, account int32) error
	SetKit(ctx context.Context, id string, at time.Time) error
	// Delete deletes a user, and every row of the service that belongs to the user.
	Delete(ctx context.Context, id string, now time.Time) error
	// DeleteEnded deletes the identities that end at now or earlier.
	DeleteEnded(ctx context.Context, now time.Time) error
}

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of package schema.
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

// owner returns the user of an identity; empty if there is none.
func owner(ctx context.Context, q store.Queries, project, provider, subject string, now time.Time) (id string, err error) {
	err = q.QueryRowContext(ctx, `SELECT user_id FROM wallet_identities WHERE project = $1 AND provider = $2 AND subject = $3 AND (ends_at = 0 OR ends_at > $4)`,
		project, provider, subject, now.UnixMilli()).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// SignIn returns the user of an identity.
func (s *SQLStore) SignIn(ctx context.Context, fresh *User, device string, now time.Time) (found *User, err error) {
	proven := fresh.Identities[0]
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		id, err := owner(ctx, tx, fresh.Project, proven.Provider, proven.Subject, now)
		if err != nil {
			return err
		}
		if id == "" {
			id = fresh.ID
			if _, err := tx.ExecContext(ctx, `INSERT INTO wallet_users (id, project, account, kit_at, created_at) VALUES ($1, $2, 0, 0, $3)`,
				fresh.ID, fresh.Project, fresh.CreatedAt.UnixMilli()); err != nil {
				return err
			}
			if err := insert(ctx, tx, fresh.Project, id, proven); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO wallet_devices (user_id, device, created_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, device) DO NOTHING`,
			id, device, now.UnixMilli()); err != nil {
			return err
		}
		found, err = find(ctx, tx, id, now)
		return err
	})
	return found, wrap("sign in", err)
}

// KnowsDevice reports whether the user of an identity has signed in from a device.
func (s *SQLStore) KnowsDevice(ctx context.Context, project, provider, subject, device string, now time.Time) (bool, error) {
	var n int
	err := s.db.Reader().QueryRowContext(ctx, `SELECT count(*) FROM wallet_identities i JOIN wallet_devices d ON d.user_id = i.user_id
		WHERE i.project = $1 AND i.provider = $2 AND i.subject = $3 AND (i.ends_at = 0 OR i.ends_at > $4) AND d.device = $5`,
		project, provider, subject, now.UnixMilli(), device).Scan(&n)
	return n > 0, wrap("find device", err)
}

// Find returns a user.
func (s *SQLStore) Find(ctx context.Context, id string, now time.Time) (*User, error) {
	found, err := find(ctx, s.db.Reader(), id, now)
	return found, wrap("find user", err)
}

func find(ctx context.Context, q store.Queries, id string, now time.Time) (_ *User, err error) {
	u := User{ID: id}
	var kit, created int64
	err = q.QueryRowContext(ctx, `SELECT project, account, kit_at, created_at FROM wallet_users WHERE id = $1`, id).Scan(&u.Project, &u.Account, &kit, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	u.CreatedAt, u.KitAt = time.UnixMilli(created).UTC(), timeOf(kit)
	rows, err := q.QueryContext(ctx, `SELECT provider, subject, name, created_at, ends_at FROM wallet_identities
		WHERE user_id = $1 AND (ends_at = 0 OR ends_at > $2) ORDER BY created_at, provider, subject`, id, now.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i Identity
		var created, ends int64
		if err := rows.Scan(&i.Provider, &i.Subject, &i.Name, &created, &ends); err != nil {
			return nil, err
		}
		i.CreatedAt, i.Ends = time.UnixMilli(created).UTC(), timeOf(ends)
		u.Identities = append(u.Identities, i)
	}
	return &u, rows.Err()
}

// ChangeEmail adds an email and makes the others end.
func (s *SQLStore) ChangeEmail(ctx context.Context, id string, email Identity, now, ends time.Time) (previous string, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		found, err := find(ctx, tx, id, now)
		if err != nil {
			return err
		}
		previous = found.Email()
		if err := link(ctx, tx, found, email, now); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE wallet_identities SET ends_at = $4 WHERE user_id = $1 AND provider = $2 AND subject <> $3 AND ends_at = 0`,
			id, Email, email.Subject, ends.UnixMilli())
		return err
	})
	return previous, wrap("change email", err)
}

// Link adds an identity.
func (s *SQLStore) Link(ctx context.Context, id string, added Identity, now time.Time) error {
	return wrap("link identity", s.db.InTx(ctx, func(tx *store.Tx) error {
		found, err := find(ctx, tx, id, now)
		if err != nil {
			return err
		}
		return link(ctx, tx, found, added, now)
	}))
}

func link(ctx context.Context, tx *store.Tx, to *User, added Identity, now time.Time) error {
	holder, err := owner(ctx, tx, to.Project, added.Provider, added.Subject, now)
	if err != nil {
		return err
	}
	if holder != "" && holder != to.ID {
		return ErrTaken
	}
	return insert(ctx, tx, to.Project, to.ID, added)
}

// insert stores an identity, and replaces one that has ended.
func insert(ctx context.Context, tx *store.Tx, project, id string, i Identity) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO wallet_identities (project, provider, subject, user_id, name, created_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6, 0)
		ON CONFLICT (project, provider, subject) DO UPDATE SET user_id = excluded.user_id, name = excluded.name, created_at = excluded.created_at, ends_at = 0`,
		project, i.Provider, i.Subject, id, i.Name, i.CreatedAt.UnixMilli())
	return err
}

// Unlink removes an identity.
func (s *SQLStore) Unlink(ctx context.Context, id, provider, subject string) error {
	return wrap("unlink identity", s.db.InTx(ctx, func(tx *store.Tx) error {
		deleted, err := tx.ExecContext(ctx, `DELETE FROM wallet_identities WHERE user_id = $1 AND provider = $2 AND subject = $3`, id, provider, subject)
		if err != nil {
			return err
		}
		n, err := deleted.RowsAffected()
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNone
		}
		var left int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM wallet_identities WHERE user_id = $1 AND ends_at = 0`, id).Scan(&left); err != nil {
			return err
		}
		if left == 0 {
			return ErrLast
		}
		return nil
	}))
}

// SetAccount stores the preferred account.
func (s *SQLStore) SetAccount(ctx context.Context, id string, account int32) error {
	return s.exec(ctx, "set account", `UPDATE wallet_users SET account = $2 WHERE id = $1`, id, account)
}

// SetKit stores the time of a recovery kit.
func (s *SQLStore) SetKit(ctx context.Context, id string, at time.Time) error {
	return s.exec(ctx, "set recovery kit", `UPDATE wallet_users SET kit_at = $2 WHERE id = $1`, id, at.UnixMilli())
}

// Delete deletes a user, and the rows that refer to it.
func (s *SQLStore) Delete(ctx context.Context, id string, now time.Time) error {
	return wrap("delete user", s.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM wallet_users WHERE id = $1`, id); err != nil {
			return err
		}
		return removal.Insert(ctx, tx, removal.Removal{User: id}, now)
	}))
}

// DeleteEnded deletes the identities that have ended.
func (s *SQLStore) DeleteEnded(ctx context.Context, now time.Time) error {
	return s.exec(ctx, "delete ended identities", `DELETE FROM wallet_identities WHERE ends_at <> 0 AND ends_at <= $1`, now.UnixMilli())
}

func (s *SQLStore) exec(ctx context.Context, doing, statement string, args ...any) error {
	return wrap(doing, s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	}))
}

func timeOf(milli int64) time.Time {
	if milli == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milli).UTC()
}

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
