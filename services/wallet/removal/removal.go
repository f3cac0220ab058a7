// Package removal lists what was removed or revoked, in the database and in a file of each replica.
//
// A database that was restored from a backup has some of it again, and has lost the list of its removal; the file of any
// replica is enough to find it.
package removal

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// overlap is how far back the database is read again, because clocks of replicas differ, and transactions end later
// than they begin.
const overlap = time.Hour

const (
	// markInterval is how often a mark is made when nothing is removed.
	markInterval = time.Hour
	// markLifetime is longer than any session of a device: an older backup has none that is still valid.
	markLifetime = 31 * 24 * time.Hour
	// noUser is the user of a mark.
	noUser = "-"
	// The prefixes of items.
	markPrefix, identityPrefix = "mark/", "identity/"
)

// Removal is what was removed of a user or an account. Item is the id of a factor or of a smart session, the text of
// [OfIdentity] or [NewMark], or empty for the user. What follows an @ is the Unix time in seconds until which it matters.
type Removal struct{ User, Item string }

// OfIdentity returns the removal of an identity by its key. An identity can be removed several times.
func OfIdentity(user, key string, now time.Time) Removal {
	return Removal{User: user, Item: identityPrefix + key + "/" + strconv.FormatInt(now.UnixMilli(), 10)}
}

// Identity returns the key of a removed identity.
func (r Removal) Identity() (key string, is bool) {
	rest, is := strings.CutPrefix(r.Item, identityPrefix)
	key, _, _ = strings.Cut(rest, "/")
	return key, is
}

// Until returns a removal that matters until a time.
func (r Removal) Until(t time.Time) Removal {
	r.Item += "@" + strconv.FormatInt(t.Unix(), 10)
	return r
}

// ID returns the item without the time until which it matters.
func (r Removal) ID() string {
	id, _, _ := strings.Cut(r.Item, "@")
	return id
}

// isOver reports whether a removal does not matter any more.
func (r Removal) isOver(now time.Time) bool {
	_, until, found := strings.Cut(r.Item, "@")
	seconds, err := strconv.ParseInt(until, 10, 64)
	return found && err == nil && seconds <= now.Unix()
}

// NewMark returns a mark: a database without it is older than the list.
func NewMark(now time.Time) Removal {
	var raw [8]byte
	_, _ = rand.Read(raw[:])
	return Removal{User: noUser, Item: markPrefix + hex.EncodeToString(raw[:])}.Until(now.Add(markLifetime))
}

// IsMark reports whether it is a mark.
func (r Removal) IsMark() bool { return r.User == noUser }

// Table is a table with the columns user_id, factor_id and removed_at (Unix milliseconds).
type Table string

// Wallets is the table of the wallet service.
const Wallets Table = "wallet_removals"

// Insert lists a removal, in the transaction of the removal.
func (t Table) Insert(ctx context.Context, tx *store.Tx, r Removal, now time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO `+string(t)+` (user_id, factor_id, removed_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, factor_id) DO NOTHING`,
		r.User, r.Item, now.UnixMilli())
	return err
}

// List copies the removals of a database to a file. It is safe for concurrent use.
type List struct {
	db    *store.DB
	table Table
	path  string

	mu     sync.Mutex
	listed map[Removal]bool
	read   time.Time
}

// Folder is where a replica keeps its lists.
type Folder struct {
	// Own is the folder of this replica, to which no other one writes.
	Own string
	// Shared has the folder of each replica, Own among them; empty if a replica sees only its own.
	Shared string
}

// leftAfter is when a replica whose list has not changed counts as ended: each one writes a mark within markInterval.
const leftAfter = 2 * 24 * time.Hour

// Open returns the list of a table in a file of a folder, which is made unless there is one. It has what the files of other replicas in a shared folder have
// as well, and deletes those of replicas that have ended. Lines that do not matter any more are deleted from the file.
func Open(db *store.DB, table Table, folder Folder, file string, now time.Time) (*List, error) {
	if err := os.MkdirAll(folder.Own, 0o700); err != nil {
		return nil, err
	}
	l := &List{db: db, table: table, path: filepath.Join(folder.Own, file), listed: map[Removal]bool{}}
	var kept strings.Builder
	over, err := l.readFile(l.path, &kept, now)
	if err != nil {
		return nil, err
	}
	others, err := folder.others(file)
	if err != nil {
		return nil, err
	}
	before := kept.Len()
	for _, other := range others {
		if _, err := l.readFile(other, &kept, now); err != nil {
			return nil, err
		}
	}
	if over == 0 && kept.Len() == before {
		return l, deleteLeft(others, now)
	}
	return l, errors.Join(l.replace(kept.String()), deleteLeft(others, now))
}

// others returns the files of that name of other replicas.
func (f Folder) others(file string) ([]string, error) {
	if f.Shared == "" {
		return nil, nil
	}
	all, err := filepath.Glob(filepath.Join(f.Shared, "*", file))
	own := filepath.Join(f.Own, file)
	return slices.DeleteFunc(all, func(path string) bool { return path == own }), err
}

// deleteLeft deletes the files of replicas that have ended, whose lines this one has.
func deleteLeft(files []string, now time.Time) error {
	var errs []error
	for _, file := range files {
		info, err := os.Stat(file)
		if err == nil && now.Sub(info.ModTime()) > leftAfter {
			err = os.Remove(file)
		}
		// Another replica may delete it at the same time.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// readFile adds the removals of a file, and their lines to kept, unless they are known. It returns how many lines do not matter any more.
func (l *List) readFile(path string, kept *strings.Builder, now time.Time) (over int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			// What follows the last complete line was not written completely.
			return over, nil
		}
		if err != nil {
			return 0, err
		}
		var r Removal
		r.User, r.Item, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if r.isOver(now) {
			over++
			continue
		}
		if !l.listed[r] {
			l.listed[r] = true
			kept.WriteString(line)
		}
	}
}

// replace replaces the file as a whole.
func (l *List) replace(text string) error {
	next := l.path + ".next"
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(next, l.path)
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
		if err := l.db.InTx(ctx, func(tx *store.Tx) error { return l.table.Insert(ctx, tx, r, now) }); err != nil {
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
			text.WriteString(strings.TrimSpace(r.User+" "+r.Item) + "\n")
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

// Mark makes a mark if the last one is an hour old, so that a restored database is found also if nothing was removed
// since its backup. It also deletes from the database what does not matter any more then.
func (l *List) Mark(ctx context.Context, now time.Time) error {
	recent, err := l.since(ctx, now.Add(-markInterval))
	if err != nil || slices.ContainsFunc(recent, Removal.IsMark) {
		return err
	}
	all, err := l.since(ctx, time.UnixMilli(0))
	if err != nil {
		return err
	}
	return l.db.InTx(ctx, func(tx *store.Tx) error {
		for _, r := range all {
			// A replica whose clock is behind must not find the line of its file without the row.
			if !r.isOver(now.Add(-overlap)) {
				continue
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+string(l.table)+` WHERE user_id = $1 AND factor_id = $2`, r.User, r.Item); err != nil {
				return err
			}
		}
		return l.table.Insert(ctx, tx, NewMark(now), now)
	})
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
	rows, err := l.db.Reader().QueryContext(ctx, `SELECT user_id, factor_id FROM `+string(l.table)+` WHERE removed_at >= $1`, since.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("list removals: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r Removal
		if err := rows.Scan(&r.User, &r.Item); err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}
