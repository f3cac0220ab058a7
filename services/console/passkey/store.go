package passkey

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of the console service.
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

const columns = `id, operator_id, name, credential, public_key, signatures, backup_eligible, created_at, used_at`

// AddChallenge stores a challenge.
func (s *SQLStore) AddChallenge(ctx context.Context, hash, session string, expires time.Time) error {
	return wrap("add challenge", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO console_challenges (hash, session_id, expires_at) VALUES ($1, $2, $3)`, hash, session, expires.UnixMilli())
		return err
	}))
}

// TakeChallenge deletes a challenge. The deletion decides, so that of two answers one is accepted.
func (s *SQLStore) TakeChallenge(ctx context.Context, hash, session string, now time.Time) error {
	return wrap("take challenge", s.db.InTx(ctx, func(tx *store.Tx) error {
		var taken string
		err := tx.QueryRowContext(ctx, `DELETE FROM console_challenges WHERE hash = $1 AND session_id = $2 AND expires_at > $3 RETURNING hash`, hash, session, now.UnixMilli()).Scan(&taken)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrRefused
		}
		return err
	}))
}

// DeleteExpired deletes challenges.
func (s *SQLStore) DeleteExpired(ctx context.Context, now time.Time) error {
	return wrap("delete expired challenges", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM console_challenges WHERE expires_at <= $1`, now.UnixMilli())
		return err
	}))
}

// Add stores a passkey.
func (s *SQLStore) Add(ctx context.Context, p Passkey) error {
	return wrap("add passkey", s.db.InTx(ctx, func(tx *store.Tx) error {
		var owned, used int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM console_passkeys WHERE operator_id = $1`, p.OperatorID).Scan(&owned); err != nil {
			return err
		}
		if owned >= Most {
			return ErrFull
		}
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM console_passkeys WHERE credential = $1`, encode(p.Credential)).Scan(&used); err != nil {
			return err
		}
		if used > 0 {
			return ErrRefused
		}
		shared := 0
		if p.BackupEligible {
			shared = 1
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO console_passkeys (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)`,
			p.ID, p.OperatorID, p.Name, encode(p.Credential), encode(p.PublicKey), int64(p.Signatures), shared, p.CreatedAt.UnixMilli())
		return err
	}))
}

// Find returns a passkey by its credential.
func (s *SQLStore) Find(ctx context.Context, credential []byte) (Passkey, error) {
	found, err := scan(s.db.Reader().QueryRowContext(ctx, `SELECT `+columns+` FROM console_passkeys WHERE credential = $1`, encode(credential)))
	if errors.Is(err, sql.ErrNoRows) {
		return Passkey{}, ErrRefused
	}
	return found, wrap("find passkey", err)
}

// Use stores a login. The update decides, so that of two logins with one counter one succeeds.
func (s *SQLStore) Use(ctx context.Context, id string, signatures uint32, now time.Time) error {
	return wrap("use passkey", s.db.InTx(ctx, func(tx *store.Tx) error {
		var used string
		err := tx.QueryRowContext(ctx, `UPDATE console_passkeys SET signatures = $2, used_at = $3 WHERE id = $1 AND (signatures < $2 OR signatures = 0 AND $2 = 0) RETURNING id`,
			id, int64(signatures), now.UnixMilli()).Scan(&used)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrCopied
		}
		return err
	}))
}

// List returns the passkeys of an operator.
func (s *SQLStore) List(ctx context.Context, operatorID string) (all []Passkey, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT `+columns+` FROM console_passkeys WHERE operator_id = $1 ORDER BY created_at DESC, id`, operatorID)
	if err != nil {
		return nil, wrap("list passkeys", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		found, err := scan(rows)
		if err != nil {
			return nil, wrap("list passkeys", err)
		}
		all = append(all, found)
	}
	return all, wrap("list passkeys", rows.Err())
}

// Remove deletes a passkey.
func (s *SQLStore) Remove(ctx context.Context, operatorID, id string) (removed Passkey, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		removed, err = scan(tx.QueryRowContext(ctx, `DELETE FROM console_passkeys WHERE id = $1 AND operator_id = $2 RETURNING `+columns, id, operatorID))
		if errors.Is(err, sql.ErrNoRows) {
			return ErrUnknown
		}
		return err
	})
	return removed, wrap("remove passkey", err)
}

func scan(row interface{ Scan(into ...any) error }) (Passkey, error) {
	var p Passkey
	var credential, key string
	var signatures, shared, created, used int64
	if err := row.Scan(&p.ID, &p.OperatorID, &p.Name, &credential, &key, &signatures, &shared, &created, &used); err != nil {
		return Passkey{}, err
	}
	var err, badKey error
	p.Credential, err = base64.RawURLEncoding.DecodeString(credential)
	p.PublicKey, badKey = base64.RawURLEncoding.DecodeString(key)
	p.Signatures, p.BackupEligible, p.CreatedAt = uint32(signatures), shared != 0, time.UnixMilli(created).UTC()
	if used != 0 {
		p.UsedAt = time.UnixMilli(used).UTC()
	}
	return p, errors.Join(err, badKey)
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// wrap adds the operation to an error of the database, and returns errors of the domain unchanged.
func wrap(doing string, err error) error {
	for _, own := range []error{nil, ErrRefused, ErrUnknown, ErrFull} {
		if errors.Is(err, own) {
			return err
		}
	}
	return fmt.Errorf("%s: %w", doing, err)
}
