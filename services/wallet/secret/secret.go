// Package secret manages the secrets of an installation. They are random, sealed, and the same in every replica.
package secret

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Names of secrets.
const (
	// Pepper is the key of the HMACs of codes.
	Pepper = "pepper"
	// SigningSeed is the seed of the key that signs access tokens.
	SigningSeed = "signing-seed"
)

// size is the size of a secret, in bytes.
const size = 32

// Source returns a secret. It fails with [seal.ErrUnavailable] while the key management service is not available.
type Source func(ctx context.Context) (seal.Secret, error)

// Fixed returns a source of a given secret.
func Fixed(known seal.Secret) Source {
	return func(context.Context) (seal.Secret, error) { return known, nil }
}

// Store opens secrets and caches them. It is safe for concurrent use.
type Store struct {
	db     *store.DB
	sealer *seal.Sealer
	opened sync.Map
}

// NewStore returns the secrets in db, which has the tables of package schema.
func NewStore(db *store.DB, s *seal.Sealer) *Store { return &Store{db: db, sealer: s} }

// IsUsed reports whether the database has a secret.
func IsUsed(ctx context.Context, db *store.DB) (bool, error) {
	var n int
	if err := db.Reader().QueryRowContext(ctx, `SELECT count(*) FROM wallet_secrets`).Scan(&n); err != nil {
		return false, fmt.Errorf("count secrets: %w", err)
	}
	return n > 0, nil
}

// Source returns the source of a secret, which its first call creates. If several processes create it, one succeeds.
func (s *Store) Source(name string) Source {
	return func(ctx context.Context) (seal.Secret, error) {
		if known, ok := s.opened.Load(name); ok {
			return known.(seal.Secret), nil
		}
		opened, err := s.open(ctx, name)
		if err != nil {
			return nil, err
		}
		s.opened.Store(name, opened)
		return opened, nil
	}
}

func (s *Store) open(ctx context.Context, name string) (seal.Secret, error) {
	for {
		var sealed string
		err := s.db.Reader().QueryRowContext(ctx, `SELECT sealed FROM wallet_secrets WHERE name = $1`, name).Scan(&sealed)
		if err == nil {
			opened, err := s.sealer.Open(ctx, sealed, aad(name))
			if err != nil {
				return nil, fmt.Errorf("open the secret %s: %w", name, err)
			}
			return opened, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("find secret: %w", err)
		}
		fresh := make(seal.Secret, size)
		_, _ = rand.Read(fresh)
		if sealed, err = s.sealer.Seal(ctx, fresh, aad(name)); err != nil {
			return nil, err
		}
		if err := s.db.InTx(ctx, func(tx *store.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO wallet_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, sealed)
			return err
		}); err != nil {
			return nil, fmt.Errorf("insert secret: %w", err)
		}
	}
}

// Rewrap seals the secrets with the current key, and returns how many it changed.
func (s *Store) Rewrap(ctx context.Context) (changed int, err error) {
	for _, name := range []string{Pepper, SigningSeed} {
		isNew, err := s.rewrap(ctx, name)
		if err != nil {
			return changed, fmt.Errorf("rewrap the secret %s: %w", name, err)
		}
		if isNew {
			changed++
		}
	}
	return changed, nil
}

func (s *Store) rewrap(ctx context.Context, name string) (changed bool, err error) {
	var was string
	if err := s.db.Reader().QueryRowContext(ctx, `SELECT sealed FROM wallet_secrets WHERE name = $1`, name).Scan(&was); errors.Is(err, sql.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	fresh, changed, err := s.sealer.Rewrap(ctx, was, aad(name))
	if err != nil || !changed {
		return false, err
	}
	return true, s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE wallet_secrets SET sealed = $3 WHERE name = $1 AND sealed = $2`, name, was, fresh)
		return err
	})
}

func aad(name string) string { return "secret|" + name }
