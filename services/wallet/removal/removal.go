// Package removal lists removed factors and users, in the database and in a file of each replica.
//
// A database that was restored from a backup has some of them again, and has lost the list of their removal; the file
// of any replica is enough to find them.
package removal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// fileName is the name of the file in data_dir.
const fileName = "wallet.removed"

// overlap is how far back the database is read again, because clocks of replicas differ, and transactions end later
// than they begin.
const overlap = time.Hour

// Removal is a removed factor, or a removed user if Factor is empty.
type Removal struct{ User, Factor string }

// Insert lists a removal, in the transaction of the removal.
func Insert(ctx context.Context, tx *store.Tx, r Removal, now time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO wallet_removals (user_id, factor_id, removed_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, factor_id) DO NOTHING`,
		r.User, r.Factor, now.UnixMilli())
	return err
}

// List copies the removals of a database to a file. It is safe for concurrent use.
type List struct {
	db   *store.DB
	path string

	mu     sync.Mutex
	listed map[Removal]bool
	read   time.Time
}

// Open returns the list of a data directory.
func Open(db *store.DB, dataDir string) (*List, error) {
	l := &List{db: db, path: filepath.Join(dataDir, fileName), listed: map[Removal]bool{}}
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			// What follows the last complete line was not written completely.
			return l, nil
		}
		if err != nil {
			return nil, err
		}
		var r Removal
		r.User, r.Factor, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		l.listed[r] = true
	}
}

// Lost calls again for each removal that is in the file but not in the database, and lists it in the database if again
// returns true.
func (l *List) Lost(ctx context.Context, now time.Time, again func(Removal) (isRemoved bool, err error)) error {
	known, err := l.since(ctx, time.UnixMilli(0))
	if err != nil {
		return err
	}
	lost := maps.Clone(l.listed)
	for _, r := range known {
		delete(lost, r)
	}
	for r := range lost {
		isRemoved, err := again(r)
		if err != nil {
			return err
		}
		if !isRemoved {
			continue
		}
		if err := l.db.InTx(ctx, func(tx *store.Tx) error { return Insert(ctx, tx, r, now) }); err != nil {
			return fmt.Errorf("insert removal: %w", err)
		}
	}
	return nil
}

// Copy appends the removals that are not in the file yet.
func (l *List) Copy(ctx context.Context, now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, err := l.since(ctx, l.read)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, r := range found {
		if !l.listed[r] {
			text.WriteString(strings.TrimSpace(r.User+" "+r.Factor) + "\n")
		}
	}
	if text.Len() > 0 {
		if err := l.write(text.String()); err != nil {
			return fmt.Errorf("record removals: %w", err)
		}
	}
	for _, r := range found {
		l.listed[r] = true
	}
	l.read = now.Add(-overlap)
	return nil
}

// write appends complete lines to the file.
func (l *List) write(text string) error {
	f, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	end, err := endOfLines(f)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.WriteAt([]byte(text), end)
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// maxLine is more than the length of a line, in bytes.
const maxLine = 256

// endOfLines returns where the last complete line of a file ends. What follows it was not written completely: without
// its end, a removed factor could look like a removed user.
func endOfLines(f *os.File) (int64, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	tail := make([]byte, min(size, maxLine))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return 0, err
	}
	return size - int64(len(tail)) + int64(bytes.LastIndexByte(tail, '\n')) + 1, nil
}

func (l *List) since(ctx context.Context, since time.Time) (found []Removal, err error) {
	rows, err := l.db.Reader().QueryContext(ctx, `SELECT user_id, factor_id FROM wallet_removals WHERE removed_at >= $1`, since.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("list removals: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r Removal
		if err := rows.Scan(&r.User, &r.Factor); err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}
