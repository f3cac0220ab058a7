package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// addWindow adds the blocks from low to high to the window of an account that ends before low, or to a new one.
func (s *Store) addWindow(ctx context.Context, tx *store.Tx, a index.Account, low, high uint64) error {
	joined, err := tx.ExecContext(ctx, `UPDATE activity_windows SET high = $4 WHERE chain_id = $1 AND account = $2 AND high = $3`,
		a.ChainID, lower(a.Address), int64(low)-1, int64(high))
	if err != nil {
		return err
	}
	n, err := joined.RowsAffected()
	if err == nil && n == 0 {
		err = exec(ctx, tx, `INSERT INTO activity_windows (chain_id, account, low, high, whole, failures, rests_until) VALUES ($1, $2, $3, $4, $5, 0, 0)`,
			a.ChainID, lower(a.Address), int64(low), int64(high), true)
	}
	if err != nil {
		return err
	}
	return s.readLongByLogs(ctx, tx, a)
}

// readLongByLogs marks long windows to be read by their logs, and records the first block from which native transfers
// are known.
func (s *Store) readLongByLogs(ctx context.Context, tx *store.Tx, a index.Account) error {
	most := int64(s.whole(a.ChainID)) - 1
	err := exec(ctx, tx, `UPDATE activity_accounts SET native_from = (
			SELECT MAX(high) + 1 FROM activity_windows w WHERE w.chain_id = $1 AND w.account = $2 AND w.whole AND w.high - w.low > $3)
		WHERE chain_id = $1 AND account = $2 AND EXISTS (
			SELECT 1 FROM activity_windows w WHERE w.chain_id = $1 AND w.account = $2 AND w.whole AND w.high - w.low > $3)`,
		a.ChainID, lower(a.Address), most)
	if err != nil {
		return err
	}
	return exec(ctx, tx, `UPDATE activity_windows SET whole = $4 WHERE chain_id = $1 AND account = $2 AND whole AND high - low > $3`,
		a.ChainID, lower(a.Address), most, false)
}

// NextWindow implements [index.Store]. It returns a window with the newest blocks.
func (s *Store) NextWindow(ctx context.Context, chainID string, since, now time.Time) (index.Window, bool, error) {
	w := index.Window{Account: index.Account{ChainID: chainID}}
	var account string
	var low, high int64
	err := s.db.Reader().QueryRowContext(ctx, `SELECT w.account, w.low, w.high, w.whole, w.failures
		FROM activity_windows w JOIN activity_accounts a ON a.chain_id = w.chain_id AND a.account = w.account
		WHERE w.chain_id = $1 AND a.asked_at >= $2 AND w.rests_until <= $3 ORDER BY w.high DESC, w.account LIMIT 1`,
		chainID, since.UnixMilli(), now.UnixMilli()).Scan(&account, &low, &high, &w.Whole, &w.Failures)
	if errors.Is(err, sql.ErrNoRows) {
		return index.Window{}, false, nil
	}
	if err == nil {
		w.Account.Address, err = evm.ParseAddress(account)
	}
	w.Low, w.High = uint64(low), uint64(high)
	return w, err == nil, wrap("find window", err)
}

// Fill implements [index.Store].
func (s *Store) Fill(ctx context.Context, f index.Filling) error {
	w := f.Window
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := shrink(ctx, tx, f); err != nil {
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

// shrink removes the blocks that were read from the window.
func shrink(ctx context.Context, tx *store.Tx, f index.Filling) error {
	w := f.Window
	statement := `UPDATE activity_windows SET high = $5, failures = 0 WHERE chain_id = $1 AND account = $2 AND low = $3 AND high = $4`
	args := []any{w.Account.ChainID, lower(w.Account.Address), int64(w.Low), int64(w.High), int64(f.Low) - 1}
	if f.Low == w.Low {
		statement, args = `DELETE FROM activity_windows WHERE chain_id = $1 AND account = $2 AND low = $3 AND high = $4`, args[:4]
	}
	done, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, index.ErrStale)
	}
	return nil
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
	var high, failures sql.NullInt64
	err := s.db.Reader().QueryRowContext(ctx, `SELECT a.native_from,
			(SELECT MAX(w.high) FROM activity_windows w WHERE w.chain_id = a.chain_id AND w.account = a.account),
			(SELECT MIN(w.failures) FROM activity_windows w WHERE w.chain_id = a.chain_id AND w.account = a.account)
		FROM activity_accounts a WHERE a.chain_id = $1 AND a.account = $2`, a.ChainID, lower(a.Address)).Scan(&native, &high, &failures)
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
	p.Native = max(p.Native, p.From)
	return p, true, nil
}
