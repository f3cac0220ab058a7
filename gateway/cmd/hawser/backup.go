package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// backUp runs `hawser backup`, which copies the SQLite database to a file while the suite runs.
func backUp(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) (err error) {
	to := flags.String("to", "", "file to write; it must not exist")
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	if *to == "" {
		return usagef("backup wants -to with the file to write")
	}
	file, isNew := c.databaseFile()
	if file == "" {
		return errors.New("store.dsn is a PostgreSQL server: back it up by pg_dump")
	}
	if isNew {
		return noDatabase(file)
	}
	db, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Backup(ctx, *to); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "The database is copied to %s.\n", *to)
	return err
}
