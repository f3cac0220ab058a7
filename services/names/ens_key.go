package names

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// keyFile is the prefix of the path of a file that contains the key.
const keyFile = "file:"

// ENSSigners returns the accounts that a resolver contract must trust, the current signer first. If no key is
// configured, it creates one and stores it in db.
func ENSSigners(ctx context.Context, cfg ENSConfig, db *store.DB) ([]evm.Address, error) {
	if err := sqlstore.Migrate(ctx, db); err != nil {
		return nil, err
	}
	keys, err := openKeys(ctx, cfg, db, rand.Reader)
	if err != nil {
		return nil, err
	}
	var all []evm.Address
	for _, key := range slices.Backward(keys) {
		all = append(all, key.Address())
	}
	return all, nil
}

// openKeys returns the configured keys, or the key in the database, which the first replica creates from random.
func openKeys(ctx context.Context, cfg ENSConfig, db *store.DB, random io.Reader) ([]ens.Key, error) {
	var keys []ens.Key
	for i, text := range cfg.Keys {
		key, err := readKey(text)
		if err != nil {
			return nil, fmt.Errorf("names.ens.keys[%d]: %w", i, err)
		}
		keys = append(keys, key)
	}
	if len(keys) > 0 {
		return keys, nil
	}
	kept, err := sqlstore.OpenKey(ctx, db, random)
	if err != nil {
		return nil, fmt.Errorf("key of the name service: %w", err)
	}
	return []ens.Key{kept}, nil
}

// signing returns the key that is used for signing: the last one.
func signing(keys []ens.Key) ens.Key { return keys[len(keys)-1] }

func readKey(text string) (ens.Key, error) {
	path, isFile := strings.CutPrefix(text, keyFile)
	if !isFile {
		return ens.ParseKey(text)
	}
	raw, err := files.ReadSecret(path)
	if err != nil {
		return ens.Key{}, err
	}
	return ens.ParseKey(strings.TrimSpace(string(raw)))
}
