package names

import (
	"context"
	"io"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// keptKey returns the key in the database, which the first replica creates from random.
func keptKey(ctx context.Context, db *store.DB, random io.Reader) (ens.Key, error) {
	fresh, err := ens.NewKey(random)
	if err != nil {
		return ens.Key{}, err
	}
	var kept string
	err = db.InTx(ctx, func(tx *store.Tx) error {
		const keep = `INSERT INTO name_ens_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`
		if _, err := tx.ExecContext(ctx, keep, fresh.Hex()); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT key FROM name_ens_key WHERE id = 1`).Scan(&kept)
	})
	if err != nil {
		return ens.Key{}, err
	}
	return ens.ParseKey(kept)
}
