package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/sessions"
	"github.com/hawser-dev/hawser/services/wallet"
)

// backupTime names the folder of a backup: by the time in UTC, so that names sort by age.
const backupTime = "hawser-20060102T150405.000Z"

// backUp runs `hawser backup`, which copies the state of a running suite: to a file the SQLite database, and to a folder also what is beside the database.
func backUp(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	to := flags.String("to", "", "file for the SQLite database, which must not exist; or a folder, which is made if the path ends in /, in which each backup makes one of its own: with the database, and the lists of what was removed")
	keys := flags.Bool("keys", false, "copy the key that seals embedded wallets as well, to a folder that you keep apart from other backups")
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	if *to == "" {
		return usagef("backup wants -to with the file or the folder to write to")
	}
	if strings.HasSuffix(*to, "/") {
		// The image has no program that could make it.
		if err := os.MkdirAll(*to, 0o700); err != nil {
			return fmt.Errorf("back up: %w", err)
		}
	}
	if isFolder(*to) {
		return c.backUpTo(ctx, filepath.Join(*to, time.Now().UTC().Format(backupTime)), *keys, out)
	}
	if *keys {
		return usagef("backup -keys wants -to with a folder that exists")
	}
	file, isNew := c.databaseFile()
	if file == "" {
		return errors.New("store.dsn is a PostgreSQL server: back it up by pg_dump")
	}
	if isNew {
		return noDatabase(file)
	}
	if err := copyDatabase(ctx, file, *to); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "The database is copied to %s.\n", *to)
	return err
}

// backUpTo copies the SQLite database, the lists of what was removed and, if keys is set, the key, to a new folder. The lists come last, because a list
// has to be newer than the database that it is restored with.
func (c Config) backUpTo(ctx context.Context, folder string, keys bool, out io.Writer) (err error) {
	file, isNew := c.databaseFile()
	if file != "" && isNew {
		return noDatabase(file)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	var copied []string
	if file != "" {
		if err := copyDatabase(ctx, file, filepath.Join(folder, "hawser.db")); err != nil {
			return err
		}
		copied = append(copied, "hawser.db")
	}
	for _, name := range []string{wallet.RemovedFile, sessions.RevokedFile} {
		switch err := copyPrivate(c.newestList(name), filepath.Join(folder, name)); {
		case err == nil:
			copied = append(copied, name)
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("back up: %w", err)
		}
	}
	if keys {
		key, err := c.keyFile()
		if err != nil {
			return err
		}
		if err := copyPrivate(key, filepath.Join(folder, "wallet.key")); err != nil {
			return fmt.Errorf("back up: %w", err)
		}
		copied = append(copied, "wallet.key")
	}
	if len(copied) == 0 {
		return fmt.Errorf("back up: nothing is in %s, and PostgreSQL is backed up by pg_dump", c.DataDir)
	}
	note := ""
	if file == "" {
		note = " The database is PostgreSQL: back it up by pg_dump."
	}
	_, err = fmt.Fprintf(out, "Copied to %s: %s.%s\n", folder, strings.Join(copied, ", "), note)
	return err
}

// newestList returns the file of a list that was written last, of those of all replicas that this process sees: each has what was removed until then.
func (c Config) newestList(name string) string {
	lists := c.removals()
	newest := filepath.Join(lists.Own, name)
	if lists.Shared == "" {
		return newest
	}
	// The pattern has no mistake.
	all, _ := filepath.Glob(filepath.Join(lists.Shared, "*", name))
	var at time.Time
	for _, file := range all {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(at) {
			newest, at = file, info.ModTime()
		}
	}
	return newest
}

// keyFile returns the file of the key that seals embedded wallets.
func (c Config) keyFile() (string, error) {
	keys := c.wallet().Keys()
	if keys.Current.Provider != seal.Age {
		return "", errors.New("back up: wallet.key is in a key management service, which keeps it")
	}
	if keys.Current.File != "" {
		return keys.Current.File, nil
	}
	return keys.File, nil
}

func copyDatabase(ctx context.Context, from, to string) (err error) {
	db, err := store.Open(ctx, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Backup(ctx, to)
}

// copyPrivate copies a file to a new one that only this user may read, and flushes it to the disk.
func copyPrivate(from, to string) (err error) {
	read, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = read.Close() }()
	written, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(written, read)
	return errors.Join(err, written.Sync(), written.Close())
}
