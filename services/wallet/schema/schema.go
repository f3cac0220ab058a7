// Package schema has the tables of the wallet service.
package schema

import (
	"context"
	"embed"
	"io/fs"

	"github.com/hawser-dev/hawser/services/platform/store"
)

//go:embed migrations
var migrations embed.FS

// Migrate creates the tables that do not exist.
func Migrate(ctx context.Context, db *store.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, "wallet", files)
}
