package sqlstore

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// requestGrain is the precision of the stored time of the last request, so that frequent requests do not each cause a
// write.
const requestGrain = time.Minute

// dropLimit bounds how many accounts are dropped for one new account, or in one transaction.
const dropLimit = 100

// Requested implements [index.Store].
func (s *Store) Requested(ctx context.Context, r index.Request) (tracked bool, err error) {
	a := r.Account
	var requested, watchedAt int64
	var caller string
	var unread bool
	err = s.db.Reader().QueryRowContext(ctx, `SELECT asked_at, watched_at, caller,
			followed_to IS NOT NULL OR EXISTS (SELECT 1 FROM activity_windows w WHERE w.chain_id = a.chain_id AND w.account = a.account)
		FROM activity_accounts a WHERE chain_id = $1 AND account = $2`, a.ChainID, lower(a.Address)).Scan(&requested, &watchedAt, &caller, &unread)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil && unread && caller != r.Caller && !r.Waits {
		caller, err = s.lessBusy(ctx, a.ChainID, caller, r.Caller)
	}
	moved := unread && err == nil && caller == r.Caller
	old := func(at int64) bool { return r.At.Sub(time.UnixMilli(at)) >= requestGrain }
	if err != nil || !moved && !old(requested) && (!r.Watched || !old(watchedAt)) {
		return err == nil, wrap("find account", err)
	}
	if r.Watched {
		watchedAt = r.At.UnixMilli()
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		return exec(ctx, tx, `UPDATE activity_accounts SET asked_at = $3, watched_at = $4, caller = $5 WHERE chain_id = $1 AND account = $2`,
			a.ChainID, lower(a.Address), r.At.UnixMilli(), watchedAt, caller)
	})
	return true, wrap("record request", err)
}

// lessBusy returns other if it has fewer accounts with unread blocks than the caller, which has an account that other requests; else the caller.
func (s *Store) lessBusy(ctx context.Context, chainID, caller, other string) (string, error) {
	var own, others int
	const unread = `(SELECT COUNT(*) FROM (SELECT 1 FROM activity_accounts a WHERE a.chain_id = $1 AND a.caller = %s
		AND EXISTS (SELECT 1 FROM activity_windows w WHERE w.chain_id = a.chain_id AND w.account = a.account) LIMIT 100) AS unread)`
	err := s.db.Reader().QueryRowContext(ctx, `SELECT `+fmt.Sprintf(unread, "$2")+`, `+fmt.Sprintf(unread, "$3"), chainID, caller, other).Scan(&own, &others)
	if others+1 < own {
		return other, err
	}
	return caller, err
}

// Track implements [index.Store].
func (s *Store) Track(ctx context.Context, r index.Request, most int, since time.Time) error {
	a := r.Account
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		newest, err := readBlocks(ctx, tx, a.ChainID, 1)
		if err != nil {
			return err
		}
		if len(newest) == 0 {
			return index.ErrStale
		}
		added, err := tx.ExecContext(ctx, `INSERT INTO activity_accounts (chain_id, account, asked_at, native_from, caller, tracked_at, begun, followed_to)
			VALUES ($1, $2, $3, 0, $4, $3, FALSE, -1) ON CONFLICT (chain_id, account) DO NOTHING`, a.ChainID, lower(a.Address), r.At.UnixMilli(), r.Caller)
		if err != nil {
			return err
		}
		if n, err := added.RowsAffected(); err != nil || n == 0 {
			return err
		}
		if err := s.changeFollowed(ctx, tx, a.ChainID, followChange{begin: []evm.Address{a.Address}}); err != nil {
			return err
		}
		return countNew(ctx, tx, a, most, since)
	})
	return wrap("track account", err)
}

// countNew counts the new account a, and drops the least used accounts of its chain, but not a, until there are at most most.
func countNew(ctx context.Context, tx *store.Tx, a index.Account, most int, since time.Time) error {
	var kept int
	err := tx.QueryRowContext(ctx, `UPDATE activity_following SET kept = kept + 1 WHERE chain_id = $1 RETURNING kept`, a.ChainID).Scan(&kept)
	if err != nil || kept <= most {
		return err
	}
	tooMany := min(kept-most, dropLimit)
	const oldest = `SELECT account FROM activity_accounts WHERE chain_id = $1 AND account <> $2 AND watched_at %s $3 ORDER BY asked_at LIMIT $4`
	dropped := 0
	for _, watched := range []string{"<", ">="} {
		list, err := readStrings(ctx, tx, fmt.Sprintf(oldest, watched), a.ChainID, lower(a.Address), since.UnixMilli(), tooMany-dropped)
		if err != nil {
			return err
		}
		for _, account := range list {
			if err := drop(ctx, tx, a.ChainID, account); err != nil {
				return err
			}
		}
		if dropped += len(list); dropped == tooMany {
			break
		}
	}
	return nil
}

// drop deletes an account with all its data.
func drop(ctx context.Context, tx *store.Tx, chainID, account string) error {
	for _, table := range []string{"activity_rows", "activity_arrivals", "activity_approvals", "activity_windows", "activity_accounts"} {
		if err := exec(ctx, tx, `DELETE FROM `+table+` WHERE chain_id = $1 AND account = $2`, chainID, account); err != nil {
			return err
		}
	}
	return exec(ctx, tx, `UPDATE activity_following SET kept = kept - 1 WHERE chain_id = $1`, chainID)
}

// ChainsOf implements [index.Store].
func (s *Store) ChainsOf(ctx context.Context, address evm.Address) ([]string, error) {
	list, err := readStrings(ctx, s.db.Reader(), `SELECT chain_id FROM activity_accounts WHERE account = $1 ORDER BY chain_id`, lower(address))
	return list, wrap("list chains", err)
}

// Chains implements [index.Store].
func (s *Store) Chains(ctx context.Context, since time.Time) ([]string, error) {
	list, err := readStrings(ctx, s.db.Reader(), `SELECT DISTINCT chain_id FROM activity_accounts WHERE asked_at >= $1 ORDER BY chain_id`,
		since.UnixMilli())
	return list, wrap("list chains", err)
}

func readAccounts(ctx context.Context, q store.Queries, query string, args ...any) (list []evm.Address, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		account, err := evm.ParseAddress(text)
		if err != nil {
			return nil, err
		}
		list = append(list, account)
	}
	return list, rows.Err()
}

// Forget implements [index.Store]. It searches only the rows of the accounts that it drops, some in each transaction, so that others can write.
func (s *Store) Forget(ctx context.Context, since time.Time) error {
	for {
		more, err := s.forgetSome(ctx, since)
		if err != nil || !more {
			return wrap("forget accounts", err)
		}
	}
}

// forgetSome drops up to dropLimit accounts, and reports whether there may be more.
func (s *Store) forgetSome(ctx context.Context, since time.Time) (more bool, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		unused, err := readStrings(ctx, tx, `SELECT chain_id || '/' || account FROM activity_accounts WHERE asked_at < $1 ORDER BY asked_at LIMIT $2`,
			since.UnixMilli(), dropLimit)
		if err != nil {
			return err
		}
		for _, text := range unused {
			chainID, account, _ := strings.Cut(text, "/")
			if err := drop(ctx, tx, chainID, account); err != nil {
				return err
			}
		}
		if more = len(unused) == dropLimit; more {
			return nil
		}
		// A process of the version before does not count.
		const count = `UPDATE activity_following SET kept = (SELECT COUNT(*) FROM activity_accounts a WHERE a.chain_id = activity_following.chain_id)`
		if err := exec(ctx, tx, count); err != nil {
			return err
		}
		// A chain without accounts starts again with the next account.
		return exec(ctx, tx, `DELETE FROM activity_blocks WHERE chain_id NOT IN (SELECT chain_id FROM activity_accounts)`)
	})
	return more, err
}

// lower returns an address in the form in which it is stored.
func lower(a evm.Address) string { return "0x" + hex.EncodeToString(a[:]) }
