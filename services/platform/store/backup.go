package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup copies an SQLite database to the file at path, as it is at one moment: every transaction is in the copy or not. Other processes may read and write
// meanwhile. The file must not exist; it is there whole or not at all. On PostgreSQL it is an error.
func (db *DB) Backup(ctx context.Context, path string) error {
	if db.dialect != SQLite {
		return errors.New("back up: the database is not SQLite")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("back up: %s exists already", path)
	}
	partial := path + ".partial"
	if err := os.Remove(partial); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("back up: %w", err)
	}
	if _, err := db.writer.ExecContext(ctx, "VACUUM INTO ?", partial); err != nil {
		return errors.Join(fmt.Errorf("back up: %w", err), os.Remove(partial))
	}
	// SQLite leaves the copy to the system's cache.
	if err := flush(partial); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	if err := os.Rename(partial, path); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	return flush(filepath.Dir(path))
}

// flush writes a file, or the names in a folder, to the disk.
func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
