package store

import "context"

// Holding runs work while this process alone holds the migration lock.
func (db *DB) Holding(ctx context.Context, work func() error) error {
	return db.holding(ctx, migrationLock, work)
}
