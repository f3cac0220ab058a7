package device

import (
	"context"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// SQLStore is the [Store] in an SQL database.
type SQLStore struct{ db *store.DB }

// NewSQLStore returns a store in db, which has the tables of package schema.
func NewSQLStore(db *store.DB) *SQLStore { return &SQLStore{db} }

// UseProof stores the id of a proof.
func (s *SQLStore) UseProof(ctx context.Context, id string, expires time.Time) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO wallet_proofs (id, expires_at) VALUES ($1, $2)`, id, expires.UnixMilli())
		return err
	})
	if store.IsUniqueViolation(err) {
		return ErrUsed
	}
	if err != nil {
		return fmt.Errorf("use proof: %w", err)
	}
	return nil
}

// DeleteExpired deletes the proofs that expire at now or earlier.
func (s *SQLStore) DeleteExpired(ctx context.Context, now time.Time) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM wallet_proofs WHERE expires_at <= $1`, now.UnixMilli())
		return err
	})
}
