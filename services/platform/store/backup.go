package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup copies an SQLite database to a new file at path. The copy is consistent: it has each transaction completely or
// not at all. Other processes may read and write meanwhile. An interrupted copy leaves no file at path. It fails if the
// file exists, and on PostgreSQL.
func (db *DB) Backup(ctx context.Context, path string) error {
	if db.dialect != SQLite {
		return errors.New("back up: the database is not SQLite")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("back up: %s exists already", path)
	}
	partial := path + ".partial"
	if err := removeIfThere(partial); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("back up: there is no folder %s", filepath.Dir(path))
	}
	if _, err := db.writer.ExecContext(ctx, "VACUUM INTO ?", partial); err != nil {
		return errors.Join(fmt.Errorf("back up: %w", err), removeIfThere(partial))
	}
	// VACUUM INTO does not flush the copy to the disk.
	if err := flush(partial); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	if err := os.Rename(partial, path); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	return flush(filepath.Dir(path))
}

// flush flushes a file, or the entries of a folder, to the disk.
func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
