package sqlstore

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// selection is a condition on a column with accounts, which has one argument.
type selection struct {
	on       func(column string, argument int) string
	argument string
}

// among selects the accounts of a list of any length.
func (s *Store) among(list []evm.Address) selection {
	return selection{func(column string, argument int) string { return column + " IN " + s.db.Members(argument) }, listOf(list)}
}

// listOf returns the argument for a list of addresses, of which [store.DB.Members] is the subquery.
func listOf(list []evm.Address) string {
	const each = len(`"0x",`) + 2*len(evm.Address{})
	var json strings.Builder
	json.Grow(len(list)*each + len(`[]`))
	json.WriteByte('[')
	for i, a := range list {
		if i > 0 {
			json.WriteByte(',')
		}
		var digits [2 * len(a)]byte
		hex.Encode(digits[:], a[:])
		json.WriteString(`"0x`)
		json.Write(digits[:])
		json.WriteByte('"')
	}
	json.WriteByte(']')
	return json.String()
}

// readLongByLogs marks long windows to be read by their logs, and records the first block from which native transfers
// are known.
func (s *Store) readLongByLogs(ctx context.Context, tx *store.Tx, chainID string, accounts selection) error {
	which, args := accounts.on("account", 3), []any{chainID, int64(s.whole(chainID)) - 1, accounts.argument}
	const long = `chain_id = $1 AND whole AND high - low > $2`
	err := exec(ctx, tx, `UPDATE activity_accounts SET native_from = (
			SELECT MAX(w.high) + 1 FROM activity_windows w WHERE w.account = activity_accounts.account AND `+long+`)
		WHERE chain_id = $1 AND account IN (SELECT account FROM activity_windows WHERE `+long+` AND `+which+`)`, args...)
	if err != nil {
		return err
	}
	return exec(ctx, tx, `UPDATE activity_windows SET whole = FALSE WHERE `+long+` AND `+which, args...)
}

// windowsOfCaller is how many windows of a caller are listed at a time.
const windowsOfCaller = 4

// nextWindows selects the next windows of each caller. SQLite reads the tables of a CROSS JOIN in this order: a chain has many accounts, and those that are
// followed have few windows.
const nextWindows = `SELECT caller, account, low, high, whole, failures, watched FROM (
		SELECT a.caller, w.account, w.low, w.high, w.whole, w.failures, a.watched_at >= $2 AS watched, a.tracked_at, ROW_NUMBER() OVER (PARTITION BY a.caller
			ORDER BY a.begun, CASE WHEN a.watched_at >= $2 THEN 0 ELSE 1 END, a.tracked_at, w.account, w.high DESC) AS turn
		FROM activity_windows w CROSS JOIN activity_accounts a
		WHERE w.chain_id = $1 AND w.rests_until <= $3 AND a.chain_id = w.chain_id AND a.account = w.account AND a.asked_at >= $2) AS listed
	WHERE turn <= $4 ORDER BY turn, tracked_at, account`

// NextWindows implements [index.Store].
func (s *Store) NextWindows(ctx context.Context, chainID string, since, now time.Time) ([]index.Window, error) {
	return s.readWindows(ctx, chainID, nextWindows, chainID, since.UnixMilli(), now.UnixMilli(), windowsOfCaller)
}

// sharedWindows selects the windows that can be read with another one.
const sharedWindows = `SELECT a.caller, w.account, w.low, w.high, w.whole, w.failures, a.watched_at >= $6
	FROM activity_windows w CROSS JOIN activity_accounts a
	WHERE w.chain_id = $1 AND w.high >= $2 AND w.low <= $3 AND w.whole = $4 AND w.failures = 0 AND w.account <> $5 AND w.rests_until < $8
		AND a.chain_id = w.chain_id AND a.account = w.account AND a.asked_at >= $6
	ORDER BY w.high LIMIT $7`

// SharedWindows implements [index.Store].
func (s *Store) SharedWindows(ctx context.Context, w index.Window, low uint64, most int, since time.Time) ([]index.Window, error) {
	return s.readWindows(ctx, w.Account.ChainID, sharedWindows,
		w.Account.ChainID, int64(low), int64(w.High), w.Whole, lower(w.Account.Address), since.UnixMilli(), most, int64(dormant))
}

func (s *Store) readWindows(ctx context.Context, chainID, query string, args ...any) (list []index.Window, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, wrap("list windows", err)
	}
	defer rows.Close()
	for rows.Next() {
		w := index.Window{Account: index.Account{ChainID: chainID}}
		var account string
		var low, high int64
		if err := rows.Scan(&w.Caller, &account, &low, &high, &w.Whole, &w.Failures, &w.Watched); err != nil {
			return nil, wrap("list windows", err)
		}
		if w.Account.Address, err = evm.ParseAddress(account); err != nil {
			return nil, wrap("list windows", err)
		}
		w.Low, w.High = uint64(low), uint64(high)
		list = append(list, w)
	}
	return list, wrap("list windows", rows.Err())
}

// Fill implements [index.Store].
func (s *Store) Fill(ctx context.Context, f index.Filling) error {
	w := f.Window
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		for _, part := range append([]index.Window{w}, f.Shared...) {
			if err := cut(ctx, tx, part, f.Low, w.High); err != nil {
				return err
			}
		}
		if err := exec(ctx, tx, `UPDATE activity_accounts SET begun = TRUE WHERE chain_id = $1 AND account = $2 AND NOT begun`,
			w.Account.ChainID, lower(w.Account.Address)); err != nil {
			return err
		}
		recent, err := readBlocks(ctx, tx, w.Account.ChainID, recentBlocks)
		if err != nil {
			return err
		}
		for _, h := range recent {
			for _, row := range f.Rows {
				if row.Block == h.Number && row.BlockHash != h.Hash {
					return index.ErrStale
				}
			}
		}
		changed := map[string]bool{}
		if err := insertRows(ctx, tx, f.Rows, changed); err != nil {
			return err
		}
		return s.publish(ctx, tx, w.Account.ChainID, w.High, changed)
	})
	return wrap("fill window", err)
}

// cut removes the blocks from low to high from a window. What is left before and after them stays to be read.
func cut(ctx context.Context, tx *store.Tx, w index.Window, low, high uint64) error {
	statement := `UPDATE activity_windows SET high = $5, failures = 0 WHERE chain_id = $1 AND account = $2 AND low = $3 AND high = $4`
	args := []any{w.Account.ChainID, lower(w.Account.Address), int64(w.Low), int64(w.High), int64(low) - 1}
	if low <= w.Low {
		statement, args = `DELETE FROM activity_windows WHERE chain_id = $1 AND account = $2 AND low = $3 AND high = $4`, args[:4]
	}
	done, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, index.ErrStale)
	}
	if w.High <= high {
		return nil
	}
	return exec(ctx, tx, `INSERT INTO activity_windows (chain_id, account, low, high, whole, failures, rests_until) VALUES ($1, $2, $3, $4, $5, 0, 0)`,
		w.Account.ChainID, lower(w.Account.Address), int64(high)+1, int64(w.High), w.Whole)
}

// Defer implements [index.Store].
func (s *Store) Defer(ctx context.Context, w index.Window, until time.Time) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		return exec(ctx, tx, `UPDATE activity_windows SET failures = failures + 1, rests_until = $4 WHERE chain_id = $1 AND account = $2 AND low = $3`,
			w.Account.ChainID, lower(w.Account.Address), int64(w.Low), until.UnixMilli())
	})
	return wrap("defer window", err)
}

// Progress implements [index.Store].
func (s *Store) Progress(ctx context.Context, a index.Account) (index.Progress, bool, error) {
	var native int64
	var high, failures, missed sql.NullInt64
	// Of an account that is not followed, the blocks after the last one that was are unread too.
	err := s.db.Reader().QueryRowContext(ctx, `SELECT a.native_from,
			(SELECT MAX(w.high) FROM activity_windows w WHERE w.chain_id = a.chain_id AND w.account = a.account),
			(SELECT MIN(w.failures) FROM activity_windows w WHERE w.chain_id = a.chain_id AND w.account = a.account),
			(SELECT MAX(b.number) FROM activity_blocks b WHERE b.chain_id = a.chain_id AND b.number > a.followed_to)
		FROM activity_accounts a WHERE a.chain_id = $1 AND a.account = $2`, a.ChainID, lower(a.Address)).Scan(&native, &high, &failures, &missed)
	if errors.Is(err, sql.ErrNoRows) {
		return index.Progress{}, false, nil
	}
	if err != nil {
		return index.Progress{}, false, wrap("find progress", err)
	}
	p := index.Progress{Native: uint64(native), Reading: failures.Valid && failures.Int64 < index.MaxFailures}
	if high.Valid {
		p.From = uint64(high.Int64) + 1
	}
	if missed.Valid {
		p.From, p.Reading = uint64(missed.Int64)+1, true
	}
	p.Native = max(p.Native, p.From)
	return p, true, nil
}
