// Package contacts stores the contacts of wallets, encrypted in the frame by a key that only the opened wallet has. Each change names the version that it
// was made from, so that two devices do not overwrite each other's.
package contacts

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet/factor"
)

// ErrChanged means that another device stored contacts since the version that was read.
var ErrChanged = errors.New("another device changed the contacts")

// Record is what a wallet stores. Before the first contacts it is the zero value.
type Record struct {
	// Version is one higher with each change.
	Version int64
	// Blob is encrypted in the frame.
	Blob []byte
}

// Store stores the contacts of wallets in an SQL database. It is safe for concurrent use.
type Store struct{ db *store.DB }

// NewStore returns a store in db, which has the tables of package schema.
func NewStore(db *store.DB) *Store { return &Store{db} }

// Find returns the contacts of a user's wallet. It fails with [factor.ErrNoWallet].
func (s *Store) Find(ctx context.Context, userID string) (Record, error) {
	_, found, err := find(ctx, s.db.Reader(), userID)
	return found, err
}

// Replace stores a blob in place of the one with a version, and returns the version of the new one. It fails with [ErrChanged] if the wallet has another
// version, or with [factor.ErrNoWallet] if it is not the user's.
func (s *Store) Replace(ctx context.Context, userID, walletID string, version int64, blob []byte) (int64, error) {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		id, found, err := find(ctx, tx, userID)
		if err != nil {
			return err
		}
		if id != walletID {
			return factor.ErrNoWallet
		}
		if found.Version != version {
			return ErrChanged
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO wallet_contacts (wallet_id, version, blob) VALUES ($1, $2, $3)
			ON CONFLICT (wallet_id) DO UPDATE SET version = excluded.version, blob = excluded.blob`,
			walletID, version+1, base64.StdEncoding.EncodeToString(blob))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("replace contacts: %w", err)
	}
	return version + 1, nil
}

// find returns the id of a user's wallet, and its contacts.
func find(ctx context.Context, in store.Queries, userID string) (walletID string, found Record, err error) {
	var version sql.NullInt64
	var blob sql.NullString
	err = in.QueryRowContext(ctx, `SELECT w.id, c.version, c.blob FROM wallet_wallets w LEFT JOIN wallet_contacts c ON c.wallet_id = w.id WHERE w.user_id = $1`,
		userID).Scan(&walletID, &version, &blob)
	if errors.Is(err, sql.ErrNoRows) {
		return "", Record{}, factor.ErrNoWallet
	}
	if err != nil {
		return "", Record{}, fmt.Errorf("find contacts: %w", err)
	}
	found.Version = version.Int64
	if found.Blob, err = base64.StdEncoding.DecodeString(blob.String); err != nil {
		return "", Record{}, fmt.Errorf("find contacts: %w", err)
	}
	return walletID, found, nil
}
