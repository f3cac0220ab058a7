package wallet

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/wallet/factor"
	"github.com/hawser-dev/hawser/services/wallet/schema"
	"github.com/hawser-dev/hawser/services/wallet/seal"
)

// Names of secrets.
const (
	// pepper is the key of the HMACs of codes.
	pepper = "pepper"
	// signingSeed is the seed of the key that signs access tokens.
	signingSeed = "signing-seed"
	secretSize  = 32
)

// openSealer opens the configured keys. The first start of an installation makes the key file; later ones refuse to start without it, because
// a new key would open no wallet.
func openSealer(ctx context.Context, cfg Config, db *store.DB) (*seal.Sealer, error) {
	if file := cfg.keyFile(); file != "" {
		cfg.Key.File = file
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			var sealed int
			if err := db.Reader().QueryRowContext(ctx, `SELECT count(*) FROM wallet_secrets`).Scan(&sealed); err != nil {
				return nil, fmt.Errorf("count secrets: %w", err)
			}
			if sealed > 0 {
				return nil, fmt.Errorf("the key file %s is missing, without which the wallets of this database cannot be opened: restore it", file)
			}
			if err := seal.CreateAge(file); err != nil {
				return nil, fmt.Errorf("make the key file: %w", err)
			}
		}
	}
	current, err := cfg.Key.Open(ctx)
	if err != nil {
		return nil, err
	}
	previous := make([]seal.KEK, len(cfg.PreviousKeys))
	for i, c := range cfg.PreviousKeys {
		if previous[i], err = c.Open(ctx); err != nil {
			return nil, err
		}
	}
	s := seal.New(current, previous...)
	return s, s.Check(ctx)
}

// secret returns a sealed secret of the installation, which the first call makes. Of several processes that make it, one succeeds.
func secret(ctx context.Context, db *store.DB, sealer *seal.Sealer, name string) (seal.Secret, error) {
	for {
		var sealed string
		err := db.Reader().QueryRowContext(ctx, `SELECT sealed FROM wallet_secrets WHERE name = $1`, name).Scan(&sealed)
		if err == nil {
			opened, err := sealer.Open(ctx, sealed, secretAAD(name))
			if err != nil {
				return nil, fmt.Errorf("open the secret %s: %w", name, err)
			}
			return opened, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("find secret: %w", err)
		}
		fresh := make(seal.Secret, secretSize)
		_, _ = rand.Read(fresh)
		if sealed, err = sealer.Seal(ctx, fresh, secretAAD(name)); err != nil {
			return nil, err
		}
		if err := db.InTx(ctx, func(tx *store.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO wallet_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, sealed)
			return err
		}); err != nil {
			return nil, fmt.Errorf("insert secret: %w", err)
		}
	}
}

func secretAAD(name string) string { return "secret|" + name }

// Rewrap seals everything that is sealed with wallet.key, and returns how many values it changed. Then the keys before it are not needed.
func Rewrap(ctx context.Context, cfg Config, db *store.DB) (int, error) {
	if err := schema.Migrate(ctx, db); err != nil {
		return 0, err
	}
	sealer, err := openSealer(ctx, cfg, db)
	if err != nil {
		return 0, err
	}
	changed, err := factor.NewWallets(factor.NewSQLStore(db), sealer, clock.System{}).Rewrap(ctx)
	if err != nil {
		return changed, err
	}
	for _, name := range []string{pepper, signingSeed} {
		isNew, err := rewrapSecret(ctx, db, sealer, name)
		if err != nil {
			return changed, fmt.Errorf("rewrap the secret %s: %w", name, err)
		}
		if isNew {
			changed++
		}
	}
	return changed, nil
}

func rewrapSecret(ctx context.Context, db *store.DB, sealer *seal.Sealer, name string) (changed bool, err error) {
	var was string
	if err := db.Reader().QueryRowContext(ctx, `SELECT sealed FROM wallet_secrets WHERE name = $1`, name).Scan(&was); errors.Is(err, sql.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	fresh, changed, err := sealer.Rewrap(ctx, was, secretAAD(name))
	if err != nil || !changed {
		return false, err
	}
	return true, db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE wallet_secrets SET sealed = $3 WHERE name = $1 AND sealed = $2`, name, was, fresh)
		return err
	})
}
