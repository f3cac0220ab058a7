package sandbox

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// openSecret returns the secret that webhook keys are derived from. The first replica generates and stores it, so all sign with the same.
func openSecret(ctx context.Context, db *store.DB, random io.Reader) (secret string, err error) {
	fresh := make([]byte, secretLength)
	if _, err := io.ReadFull(random, fresh); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	err = db.InTx(ctx, func(tx *store.Tx) error {
		const keep = `INSERT INTO onramp_sandbox_secret (id, secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`
		if _, err := tx.ExecContext(ctx, keep, hex.EncodeToString(fresh)); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT secret FROM onramp_sandbox_secret WHERE id = 1`).Scan(&secret)
	})
	return secret, wrap("secret of the webhooks", err)
}
