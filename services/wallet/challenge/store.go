package challenge

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Mails sends the mails of challenges.
type Mails interface {
	// SendCode mails a code.
	SendCode(ctx context.Context, c *Challenge, code string) error
	// SendLink mails a link with the token.
	SendLink(ctx context.Context, c *Challenge, token string) error
}

// Recent are the times of challenges that were started in the last hour, the oldest first.
type Recent struct {
	// OfDevice are those of the same email and device, if the device is known to the user.
	OfDevice []time.Time
	// OfNetwork are those of the same email from devices that are not known, of the same network, and OfStrangers of any
	// network, if the device is not known.
	OfNetwork, OfStrangers []time.Time
	// OfAddress are those of the same network for any email.
	OfAddress []time.Time
}

// fromStrangers selects challenges of devices that are not known to the user of the email.
const fromStrangers = `(words <> '' OR purpose IN ('` + string(NewEmail) + `', '` + string(SignUp) + `'))`

// Store stores challenges.
type Store interface {
	// Insert stores a challenge and replaces those of the same purpose, email and device, unless check refuses it;
	// previous is the last of them, or nil.
	Insert(ctx context.Context, fresh *Challenge, check func(fresh, previous *Challenge, recent Recent) error) error
	// Update changes a challenge in one transaction, and returns the new challenge. change may run more than once. It
	// fails with [ErrEnded] if there is none, or with the error of change.
	Update(ctx context.Context, id string, change func(*Challenge) error) (*Challenge, error)
	// Find returns a challenge in any state. It fails with [ErrEnded].
	Find(ctx context.Context, id string) (*Challenge, error)
	// FindByLink returns the challenge of a link, by the hash of its token. It fails with [ErrEnded].
	FindByLink(ctx context.Context, linkHash string) (*Challenge, error)
	// DeleteBefore deletes the challenges that were started before a time and have expired.
	DeleteBefore(ctx context.Context, created time.Time) error
}

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of package schema.
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

const columns = `id, project, purpose, email, device, user_id, new_email, state, words, link_hash, code_mac, attempts, mails, mailed_at,
	browser, os, site, network, address, created_at, expires_at, old_email, signed`

// Insert stores a challenge and replaces the last one.
func (s *SQLStore) Insert(ctx context.Context, fresh *Challenge, check func(fresh, previous *Challenge, recent Recent) error) error {
	return wrap("insert challenge", s.db.InTx(ctx, func(tx *store.Tx) error {
		previous, err := scan(tx.QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_challenges
			WHERE project = $1 AND purpose = $2 AND email = $3 AND device = $4 ORDER BY created_at DESC LIMIT 1`,
			fresh.Project, fresh.Purpose, fresh.Email, fresh.Device))
		if errors.Is(err, ErrEnded) {
			previous = nil
		} else if err != nil {
			return err
		}
		since := fresh.CreatedAt.Add(-window).UnixMilli()
		recent, err := recentOf(ctx, tx, fresh, since)
		if err != nil {
			return err
		}
		if recent.OfAddress, err = times(ctx, tx, `SELECT created_at FROM wallet_challenges WHERE address = $1 AND created_at > $2 ORDER BY created_at`,
			fresh.AddressMAC, since); err != nil {
			return err
		}
		if err := check(fresh, previous, recent); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE wallet_challenges SET state = $1 WHERE project = $2 AND purpose = $3 AND email = $4 AND device = $5`,
			Ended, fresh.Project, fresh.Purpose, fresh.Email, fresh.Device); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO wallet_challenges (`+columns+`)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
			fresh.ID, fresh.Project, fresh.Purpose, fresh.Email, fresh.Device, fresh.UserID, fresh.NewEmail, fresh.State, fresh.Words, fresh.LinkHash,
			fresh.CodeMAC, fresh.Attempts, fresh.Mails, fresh.MailedAt.UnixMilli(), fresh.Browser, fresh.System, fresh.Site, fresh.Network,
			fresh.AddressMAC, fresh.CreatedAt.UnixMilli(), fresh.Expires.UnixMilli(), fresh.OldEmail, flag(fresh.Signed))
		return err
	}))
}

// recentOf returns the times of the challenges of the same email since a time.
func recentOf(ctx context.Context, tx *store.Tx, fresh *Challenge, since int64) (r Recent, err error) {
	const ofEmail = `SELECT created_at FROM wallet_challenges WHERE project = $1 AND email = $2 AND created_at > $3 AND `
	if !fresh.isFromStranger() {
		r.OfDevice, err = times(ctx, tx, ofEmail+`device = $4 ORDER BY created_at`, fresh.Project, fresh.Email, since, fresh.Device)
		return r, err
	}
	if r.OfStrangers, err = times(ctx, tx, ofEmail+fromStrangers+` ORDER BY created_at`, fresh.Project, fresh.Email, since); err != nil {
		return r, err
	}
	r.OfNetwork, err = times(ctx, tx, ofEmail+fromStrangers+` AND address = $4 ORDER BY created_at`, fresh.Project, fresh.Email, since, fresh.AddressMAC)
	return r, err
}

// Update changes a challenge.
func (s *SQLStore) Update(ctx context.Context, id string, change func(*Challenge) error) (found *Challenge, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if found, err = scan(tx.QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_challenges WHERE id = $1`, id)); err != nil {
			return err
		}
		if err := change(found); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE wallet_challenges SET state = $2, link_hash = $3, code_mac = $4, attempts = $5, mails = $6, mailed_at = $7, expires_at = $8
			WHERE id = $1`, id, found.State, found.LinkHash, found.CodeMAC, found.Attempts, found.Mails, found.MailedAt.UnixMilli(), found.Expires.UnixMilli())
		return err
	})
	return found, wrap("update challenge", err)
}

// Find returns a challenge.
func (s *SQLStore) Find(ctx context.Context, id string) (*Challenge, error) {
	found, err := scan(s.db.Reader().QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_challenges WHERE id = $1`, id))
	return found, wrap("find challenge", err)
}

// FindByLink returns the challenge of a link.
func (s *SQLStore) FindByLink(ctx context.Context, linkHash string) (*Challenge, error) {
	found, err := scan(s.db.Reader().QueryRowContext(ctx, `SELECT `+columns+` FROM wallet_challenges WHERE link_hash = $1`, linkHash))
	return found, wrap("find challenge", err)
}

// DeleteBefore deletes old challenges.
func (s *SQLStore) DeleteBefore(ctx context.Context, created time.Time) error {
	return wrap("delete challenges", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM wallet_challenges WHERE created_at < $1`, created.UnixMilli())
		return err
	}))
}

func scan(row *sql.Row) (*Challenge, error) {
	var c Challenge
	var mailed, created, expires int64
	err := row.Scan(&c.ID, &c.Project, &c.Purpose, &c.Email, &c.Device, &c.UserID, &c.NewEmail, &c.State, &c.Words, &c.LinkHash, &c.CodeMAC, &c.Attempts,
		&c.Mails, &mailed, &c.Browser, &c.System, &c.Site, &c.Network, &c.AddressMAC, &created, &expires, &c.OldEmail, &c.Signed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrEnded
	}
	c.MailedAt, c.CreatedAt, c.Expires = time.UnixMilli(mailed).UTC(), time.UnixMilli(created).UTC(), time.UnixMilli(expires).UTC()
	return &c, err
}

// flag returns a boolean as it is stored.
func flag(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

func times(ctx context.Context, q store.Queries, query string, args ...any) (all []time.Time, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var at int64
		if err := rows.Scan(&at); err != nil {
			return nil, err
		}
		all = append(all, time.UnixMilli(at).UTC())
	}
	return all, rows.Err()
}

// wrap adds the operation to an error of the database.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
