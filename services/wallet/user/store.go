package user

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet/notice"
	"github.com/hawser-dev/hawser/services/wallet/removal"
)

// Store stores users. An identity that ends at now or earlier is ignored.
type Store interface {
	// SignIn returns the user of the first identity of fresh, or stores fresh if there is none, and then publishes
	// UserCreated. It also stores the device as known to the user. It fails with [ErrWaits], and with [ErrNewDevice] unless isApproved.
	SignIn(ctx context.Context, fresh *User, device string, isApproved bool, now time.Time) (*User, error)
	// Knows reports whether an identity has a user, and whether that user has signed in from a device.
	Knows(ctx context.Context, project, provider, subject, device string, now time.Time) (isTaken, isKnown bool, err error)
	// Find returns a user. It fails with [ErrNone].
	Find(ctx context.Context, id string, now time.Time) (*User, error)
	// WithEmail returns the ids of the users of all projects with an email, at most limit, the newest user first.
	WithEmail(ctx context.Context, email string, now time.Time, limit int) ([]string, error)
	// ChangeEmail adds an email and makes the user's other emails end at a time. Without a proven old email, it starts at
	// that time. It fails with [ErrTaken], or with [ErrChanged] if the old email is not that of the user.
	ChangeEmail(ctx context.Context, id string, email Identity, by Proof, now, later time.Time) (Identity, error)
	// Link adds an identity and returns it. One that the user has signs in as it did. It fails with [ErrTaken] if it is
	// another user's, and with [ErrOften].
	Link(ctx context.Context, id string, added Identity, now time.Time) (Identity, error)
	// Unlink makes an identity end at a time, and deletes it if that is now or if it has not started. It returns
	// [notice.IdentityEnds] or [notice.IdentityRemoved]. It fails with [ErrNone], [ErrLast] or [ErrOften].
	Unlink(ctx context.Context, id, provider, subject string, now, ends time.Time) (notice.Kind, error)
	// Keep makes an identity that ends stay. If it is an email, newer ones are deleted if the wallet signed, and else end at
	// a time. It fails with [ErrNone], or with [ErrSigned] if only the signature of the wallet keeps it.
	Keep(ctx context.Context, id, provider, subject string, signed bool, now, ends time.Time) error
	// Record stores a change, and Changes returns those since a time.
	Record(ctx context.Context, id string, c notice.Change) error
	Changes(ctx context.Context, id string, since time.Time) ([]notice.Change, error)
	// CountChanges returns how many changes of a kind there are since a time.
	CountChanges(ctx context.Context, id string, kind notice.Kind, since time.Time) (int, error)
	// SetAccount stores the preferred account, and SetKit the time of a recovery kit.
	SetAccount(ctx context.Context, id string, account int32) error
	SetKit(ctx context.Context, id string, at time.Time) error
	// Delete deletes a user, and every row of the service that belongs to the user.
	Delete(ctx context.Context, id string, now time.Time) error
	// DeleteEnded deletes the identities that end at now or earlier and returns them. It also deletes old changes.
	DeleteEnded(ctx context.Context, now time.Time) ([]Owned, error)
	// Start makes the identities that start at now or earlier sign in, and returns them.
	Start(ctx context.Context, now time.Time) ([]Owned, error)
}

// SQLStore is the [Store] in an SQL database.
type SQLStore struct {
	db     *store.DB
	outbox *bus.Outbox
}

// NewSQLStore returns a store in db, which has the tables of package schema. It adds its events to outbox.
func NewSQLStore(db *store.DB, outbox *bus.Outbox) *SQLStore { return &SQLStore{db, outbox} }

// owner returns the user of an identity, and whether the identity does not sign in yet; empty if there is none.
func owner(ctx context.Context, q store.Queries, project, provider, subject string, now time.Time) (id string, waits bool, err error) {
	var starts int64
	err = q.QueryRowContext(ctx, `SELECT user_id, starts_at FROM wallet_identities WHERE project = $1 AND provider = $2 AND subject = $3 AND (ends_at = 0 OR ends_at > $4)`,
		project, provider, subject, now.UnixMilli()).Scan(&id, &starts)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return id, starts > now.UnixMilli(), err
}

// SignIn returns the user of an identity.
func (s *SQLStore) SignIn(ctx context.Context, fresh *User, device string, isApproved bool, now time.Time) (found *User, err error) {
	proven := fresh.Identities[0]
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		id, waits, err := owner(ctx, tx, fresh.Project, proven.Provider, proven.Subject, now)
		if err != nil {
			return err
		}
		if waits {
			return ErrWaits
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
			if err := s.outbox.Add(ctx, tx, &walletv1.UserCreated{
				ProjectId: fresh.Project, UserId: fresh.ID, CreatedAt: fresh.CreatedAt.UnixMilli(),
			}); err != nil {
				return err
			}
		}
		if err := expectKnown(ctx, tx, id, device, isApproved || id == fresh.ID); err != nil {
			return err
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

// expectKnown fails with [ErrNewDevice] for a device that the user does not know, unless it is approved.
func expectKnown(ctx context.Context, tx *store.Tx, id, device string, isApproved bool) error {
	if isApproved {
		return nil
	}
	var n int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM wallet_devices WHERE user_id = $1 AND device = $2`, id, device).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return ErrNewDevice
	}
	return nil
}

// Knows reports whether an identity has a user, and whether that user has signed in from a device.
func (s *SQLStore) Knows(ctx context.Context, project, provider, subject, device string, now time.Time) (isTaken, isKnown bool, err error) {
	var users, devices int
	err = s.db.Reader().QueryRowContext(ctx, `SELECT count(*), count(CASE WHEN i.starts_at <= $4 THEN d.device END)
		FROM wallet_identities i LEFT JOIN wallet_devices d ON d.user_id = i.user_id AND d.device = $5
		WHERE i.project = $1 AND i.provider = $2 AND i.subject = $3 AND (i.ends_at = 0 OR i.ends_at > $4)`,
		project, provider, subject, now.UnixMilli(), device).Scan(&users, &devices)
	return users > 0, devices > 0, wrap("find device", err)
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
	rows, err := q.QueryContext(ctx, `SELECT provider, subject, name, created_at, starts_at, ends_at, ends_signed FROM wallet_identities
		WHERE user_id = $1 AND (ends_at = 0 OR ends_at > $2) ORDER BY created_at, provider, subject`, id, now.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i Identity
		var created, starts, ends int64
		if err := rows.Scan(&i.Provider, &i.Subject, &i.Name, &created, &starts, &ends, &i.EndsSigned); err != nil {
			return nil, err
		}
		i.CreatedAt, i.Ends = time.UnixMilli(created).UTC(), timeOf(ends)
		if starts > now.UnixMilli() {
			i.Starts = timeOf(starts)
		}
		u.Identities = append(u.Identities, i)
	}
	return &u, rows.Err()
}

// WithEmail returns the ids of the users with an email.
func (s *SQLStore) WithEmail(ctx context.Context, email string, now time.Time, limit int) (ids []string, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT u.id FROM wallet_users u JOIN wallet_identities i ON i.user_id = u.id
		WHERE i.provider = $1 AND i.subject = $2 AND (i.ends_at = 0 OR i.ends_at > $3) ORDER BY u.created_at DESC, u.id LIMIT $4`, Email, email, now.UnixMilli(), limit)
	if err != nil {
		return nil, wrap("find users by email", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, wrap("find users by email", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// identity returns an identity of the user; nil if there is none.
func (u *User) identity(provider, subject string) *Identity {
	for at, i := range u.Identities {
		if i.Provider == provider && i.Subject == subject {
			return &u.Identities[at]
		}
	}
	return nil
}

// ChangeEmail adds an email and makes the others end.
func (s *SQLStore) ChangeEmail(ctx context.Context, id string, email Identity, by Proof, now, later time.Time) (Identity, error) {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		found, err := find(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if found.Email() != by.OldEmail {
			return ErrChanged
		}
		kind := notice.EmailChanged
		email.Starts = time.Time{}
		if has := found.identity(Email, email.Subject); by.OldEmail == "" && (has == nil || !has.Starts.IsZero() || has.EndsSigned) {
			kind, email.Starts = notice.EmailWaits, later
		}
		if err := link(ctx, tx, found, email, now); err != nil {
			return err
		}
		for _, other := range found.Identities {
			switch {
			case other.Provider != Email || other.Subject == email.Subject:
				continue
			case !other.Starts.IsZero():
				err = remove(ctx, tx, id, other, now)
			case other.Ends.IsZero():
				err = setEnd(ctx, tx, id, other, later, by.Signed)
			case by.Signed && kind == notice.EmailChanged:
				err = setEnd(ctx, tx, id, other, other.Ends, true)
			}
			if err != nil {
				return err
			}
		}
		return notice.Insert(ctx, tx, id, notice.Change{Kind: kind, Provider: Email, At: now})
	})
	return email, wrap("change email", err)
}

// Link adds an identity.
func (s *SQLStore) Link(ctx context.Context, id string, added Identity, now time.Time) (Identity, error) {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		found, err := find(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if has := found.identity(added.Provider, added.Subject); has != nil && !added.Starts.IsZero() {
			added.Starts = has.Starts
		}
		kind := notice.IdentityAdded
		if !added.Starts.IsZero() {
			kind = notice.IdentityWaits
			if err := bound(ctx, tx, id, kind, now); err != nil {
				return err
			}
		}
		if err := link(ctx, tx, found, added, now); err != nil {
			return err
		}
		return notice.Insert(ctx, tx, id, notice.Change{Kind: kind, Provider: added.Provider, At: now})
	})
	return added, wrap("link identity", err)
}

// bound fails with [ErrOften] if a user made too many changes of a kind in the last hour.
func bound(ctx context.Context, tx *store.Tx, id string, kind notice.Kind, now time.Time) error {
	made, err := notice.Count(ctx, tx, id, kind, now.Add(-time.Hour))
	if err == nil && made >= maxUnsigned {
		return ErrOften
	}
	return err
}

func link(ctx context.Context, tx *store.Tx, to *User, added Identity, now time.Time) error {
	holder, _, err := owner(ctx, tx, to.Project, added.Provider, added.Subject, now)
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
	_, err := tx.ExecContext(ctx, `INSERT INTO wallet_identities (project, provider, subject, user_id, name, created_at, starts_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 0)
		ON CONFLICT (project, provider, subject) DO UPDATE SET user_id = excluded.user_id, name = excluded.name, created_at = excluded.created_at,
			starts_at = excluded.starts_at, ends_at = 0, ends_signed = 0`,
		project, i.Provider, i.Subject, id, i.Name, i.CreatedAt.UnixMilli(), milliOf(i.Starts))
	return err
}

// setEnd makes an identity of a user end at a time; the zero time is never. signed is whether the wallet signed that.
func setEnd(ctx context.Context, tx *store.Tx, id string, i Identity, at time.Time, signed bool) error {
	flag := 0
	if signed {
		flag = 1
	}
	_, err := tx.ExecContext(ctx, `UPDATE wallet_identities SET ends_at = $4, ends_signed = $5 WHERE user_id = $1 AND provider = $2 AND subject = $3`,
		id, i.Provider, i.Subject, milliOf(at), flag)
	return err
}

// remove deletes an identity and lists its removal.
func remove(ctx context.Context, tx *store.Tx, id string, i Identity, now time.Time) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM wallet_identities WHERE user_id = $1 AND provider = $2 AND subject = $3`, id, i.Provider, i.Subject); err != nil {
		return err
	}
	return removal.Wallets.Insert(ctx, tx, removal.OfIdentity(id, Key(i.Provider, i.Subject), now), now)
}

// Unlink removes an identity, or makes it end.
func (s *SQLStore) Unlink(ctx context.Context, id, provider, subject string, now, ends time.Time) (kind notice.Kind, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		kind = notice.IdentityRemoved
		found, err := find(ctx, tx, id, now)
		if err != nil {
			return err
		}
		unlinked := found.identity(provider, subject)
		if unlinked == nil {
			return ErrNone
		}
		isLast := !slices.ContainsFunc(found.Identities, func(i Identity) bool {
			return i.Starts.IsZero() && i.Ends.IsZero() && (i.Provider != provider || i.Subject != subject)
		})
		switch {
		case !unlinked.Starts.IsZero():
			err = remove(ctx, tx, id, *unlinked, now)
		case isLast:
			err = ErrLast
		case !ends.After(now):
			err = remove(ctx, tx, id, *unlinked, now)
		case unlinked.Ends.IsZero():
			kind = notice.IdentityEnds
			if err = bound(ctx, tx, id, kind, now); err == nil {
				err = setEnd(ctx, tx, id, *unlinked, ends, false)
			}
		default:
			kind = notice.IdentityEnds
			err = bound(ctx, tx, id, kind, now)
		}
		if err != nil {
			return err
		}
		return notice.Insert(ctx, tx, id, notice.Change{Kind: kind, Provider: provider, At: now})
	})
	return kind, wrap("unlink identity", err)
}

// Keep makes an identity stay.
func (s *SQLStore) Keep(ctx context.Context, id, provider, subject string, signed bool, now, ends time.Time) error {
	return wrap("keep identity", s.db.InTx(ctx, func(tx *store.Tx) error {
		found, err := find(ctx, tx, id, now)
		if err != nil {
			return err
		}
		kept := found.identity(provider, subject)
		if kept == nil || kept.Ends.IsZero() {
			return ErrNone
		}
		if kept.EndsSigned && !signed {
			return ErrSigned
		}
		if err := setEnd(ctx, tx, id, *kept, time.Time{}, false); err != nil {
			return err
		}
		for _, other := range found.Identities {
			if provider != Email || other.Provider != Email || other.Subject == subject || other.CreatedAt.Before(kept.CreatedAt) {
				continue
			}
			switch {
			case signed, !other.Starts.IsZero():
				err = remove(ctx, tx, id, other, now)
			case other.Ends.IsZero():
				err = setEnd(ctx, tx, id, other, ends, false)
			}
			if err != nil {
				return err
			}
		}
		return notice.Insert(ctx, tx, id, notice.Change{Kind: notice.IdentityKept, Provider: provider, At: now})
	}))
}

// Record stores a change.
func (s *SQLStore) Record(ctx context.Context, id string, c notice.Change) error {
	return wrap("record change", s.db.InTx(ctx, func(tx *store.Tx) error { return notice.Insert(ctx, tx, id, c) }))
}

// Changes returns the changes since a time.
func (s *SQLStore) Changes(ctx context.Context, id string, since time.Time) ([]notice.Change, error) {
	return notice.List(ctx, s.db, id, since)
}

// CountChanges returns how many changes of a kind there are since a time.
func (s *SQLStore) CountChanges(ctx context.Context, id string, kind notice.Kind, since time.Time) (int, error) {
	n, err := notice.Count(ctx, s.db.Reader(), id, kind, since)
	return n, wrap("count changes", err)
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
		return removal.Wallets.Insert(ctx, tx, removal.Removal{User: id}, now)
	}))
}

// DeleteEnded deletes the identities that have ended, and old changes.
func (s *SQLStore) DeleteEnded(ctx context.Context, now time.Time) (ended []Owned, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		ended, err = changed(ctx, tx, `DELETE FROM wallet_identities WHERE ends_at <> 0 AND ends_at <= $1 RETURNING user_id, provider, subject`, now.UnixMilli())
		if err != nil {
			return err
		}
		for _, i := range ended {
			if err := removal.Wallets.Insert(ctx, tx, removal.OfIdentity(i.UserID, Key(i.Provider, i.Subject), now), now); err != nil {
				return err
			}
			if err := notice.Insert(ctx, tx, i.UserID, notice.Change{Kind: notice.IdentityRemoved, Provider: i.Provider, At: now}); err != nil {
				return err
			}
		}
		return nil
	})
	return ended, wrap("delete ended identities", errors.Join(err, notice.DeleteBefore(ctx, s.db, now.Add(-notice.Lifetime))))
}

// Start makes identities sign in whose time has come.
func (s *SQLStore) Start(ctx context.Context, now time.Time) (started []Owned, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		started, err = changed(ctx, tx, `UPDATE wallet_identities SET starts_at = 0 WHERE starts_at <> 0 AND starts_at <= $1 RETURNING user_id, provider, subject`, now.UnixMilli())
		if err != nil {
			return err
		}
		for _, i := range started {
			kind := notice.IdentityAdded
			if i.Provider == Email {
				kind = notice.EmailChanged
			}
			if err := notice.Insert(ctx, tx, i.UserID, notice.Change{Kind: kind, Provider: i.Provider, At: now}); err != nil {
				return err
			}
		}
		return nil
	})
	return started, wrap("start identities", err)
}

// Owned is an identity, of which provider and subject are set, and the id of its user.
type Owned struct {
	Identity

	UserID string
}

// changed runs a statement that returns user, provider and subject of the identities that it changed.
func changed(ctx context.Context, tx *store.Tx, statement string, args ...any) (all []Owned, err error) {
	rows, err := tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i Owned
		if err := rows.Scan(&i.UserID, &i.Provider, &i.Subject); err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, rows.Err()
}

func (s *SQLStore) exec(ctx context.Context, doing, statement string, args ...any) error {
	return wrap(doing, s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	}))
}

// milliOf returns a time as it is stored; 0 for the zero time.
func milliOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
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
