package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// addHistory adds a change to the history, and counts it against the account's limit. It fails with [registry.ErrUsed]
// if the history has the signed text.
func (s *Store) addHistory(ctx context.Context, tx *store.Tx, c registry.Change) error {
	if err := s.count(ctx, tx, c); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO name_history (digest, name, action, account, coin_type, proof, message, signature, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		digest(c), string(c.Name), string(c.Action), c.By.Address.String(), int64(c.By.CoinType), string(c.By.Proof), c.Message,
		hexutil.Encode(c.Signature), c.At.UnixMilli())
	if store.IsUniqueViolation(err) {
		return registry.ErrUsed
	}
	return err
}

// count adds one to the changes of the account in this hour. It writes one row per account, so that accounts do not wait for each other.
func (s *Store) count(ctx context.Context, tx *store.Tx, c registry.Change) error {
	if s.changesPerHour == 0 {
		return nil
	}
	var changes int
	err := tx.QueryRowContext(ctx, `INSERT INTO name_changes (account, hour, changes) VALUES ($1, $2, 1)
		ON CONFLICT (account) DO UPDATE SET hour = excluded.hour,
			changes = CASE WHEN name_changes.hour = excluded.hour THEN name_changes.changes + 1 ELSE 1 END
		RETURNING changes`, c.By.Address.String(), c.At.Unix()/int64(time.Hour/time.Second)).Scan(&changes)
	if err == nil && changes > s.changesPerHour {
		return registry.ErrLimited
	}
	return err
}

// digest identifies a signed text: the same text of the same account can be used once, whatever the signature.
func digest(c registry.Change) string {
	sum := sha256.Sum256(append(c.By.Address[:], c.Message...))
	return hex.EncodeToString(sum[:])
}
