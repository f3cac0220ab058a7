package nfts

import (
	"context"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"

	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// keyLength is the length of the key that signs references, in bytes.
const keyLength = 32

// Migrate creates the tables that do not exist.
func Migrate(ctx context.Context, db *store.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, Name, files)
}

// openKey returns the key with which all replicas sign references. The first replica creates it from random.
func openKey(ctx context.Context, db *store.DB, random io.Reader) ([]byte, error) {
	if err := Migrate(ctx, db); err != nil {
		return nil, err
	}
	fresh := make([]byte, keyLength)
	if _, err := io.ReadFull(random, fresh); err != nil {
		return nil, fmt.Errorf("media key: %w", err)
	}
	var kept string
	err := db.InTx(ctx, func(tx *store.Tx) error {
		const keep = `INSERT INTO nft_media_key (id, key) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`
		if _, err := tx.ExecContext(ctx, keep, hex.EncodeToString(fresh)); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT key FROM nft_media_key WHERE id = 1`).Scan(&kept)
	})
	if err != nil {
		return nil, fmt.Errorf("media key: %w", err)
	}
	key, err := hex.DecodeString(kept)
	if err != nil || len(key) != keyLength {
		return nil, fmt.Errorf("media key: the kept one is not %d bytes", keyLength)
	}
	return key, nil
}
