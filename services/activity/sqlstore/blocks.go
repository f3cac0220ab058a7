package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// RecentBlocks implements [index.Store].
func (s *Store) RecentBlocks(ctx context.Context, chainID string) ([]node.Header, error) {
	recent, err := readBlocks(ctx, s.db.Reader(), chainID, recentBlocks)
	return recent, wrap("read blocks", err)
}

func readBlocks(ctx context.Context, q store.Queries, chainID string, limit int) (recent []node.Header, err error) {
	rows, err := q.QueryContext(ctx, `SELECT number, hash, parent, time FROM activity_blocks WHERE chain_id = $1 ORDER BY number DESC LIMIT $2`,
		chainID, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var h node.Header
		var number int64
		var hash, parent string
		if err := rows.Scan(&number, &hash, &parent, &h.Time); err != nil {
			return nil, err
		}
		h.Number = uint64(number)
		if h.Hash, err = node.ParseHash(hash); err != nil {
			return nil, err
		}
		if h.Parent, err = node.ParseHash(parent); err != nil {
			return nil, err
		}
		recent = append(recent, h)
	}
	return recent, rows.Err()
}

// LastRow implements [index.Store].
func (s *Store) LastRow(ctx context.Context, chainID string, upTo uint64) (uint64, node.Hash, bool, error) {
	var number int64
	var text string
	err := s.db.Reader().QueryRowContext(ctx, `SELECT block, block_hash FROM activity_rows WHERE chain_id = $1 AND block <= $2 ORDER BY block DESC LIMIT 1`,
		chainID, int64(upTo)).Scan(&number, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, node.Hash{}, false, nil
	}
	var hash node.Hash
	if err == nil {
		hash, err = node.ParseHash(text)
	}
	return uint64(number), hash, err == nil, wrap("find row", err)
}

// Extend implements [index.Store].
func (s *Store) Extend(ctx context.Context, e index.Extension) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		recent, err := readBlocks(ctx, tx, e.ChainID, recentBlocks)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(recent, func(h node.Header) bool { return h.Hash == e.Ancestor.Hash }) {
			return index.ErrStale
		}
		if len(e.Headers) > 0 {
			version, err := followVersion(ctx, tx, e.ChainID)
			if err != nil {
				return err
			}
			if version != e.Following {
				return index.ErrStale
			}
		}
		changed, err := orphan(ctx, tx, e.ChainID, e.Ancestor.Number+1)
		if err != nil {
			return err
		}
		if err := insertBlocks(ctx, tx, e.ChainID, e.Headers); err != nil {
			return err
		}
		rows, err := s.followedRows(ctx, tx, e)
		if err != nil {
			return err
		}
		if err := insertRows(ctx, tx, rows, changed); err != nil {
			return err
		}
		return s.publish(ctx, tx, e.ChainID, e.Tip(), changed)
	})
	return wrap("extend chain", err)
}

// orphan deletes the data of the block first and later ones, and returns the accounts of the deleted rows. Windows end before it, because
// later blocks are followed.
func orphan(ctx context.Context, tx *store.Tx, chainID string, first uint64) (map[string]bool, error) {
	ancestor := int64(first) - 1
	accounts, err := readStrings(ctx, tx, `SELECT DISTINCT account FROM activity_rows WHERE chain_id = $1 AND block > $2`, chainID, ancestor)
	if err != nil {
		return nil, err
	}
	if err := orphanApprovals(ctx, tx, chainID, ancestor); err != nil {
		return nil, err
	}
	for _, statement := range []string{
		`DELETE FROM activity_rows WHERE chain_id = $1 AND block > $2`,
		`DELETE FROM activity_arrivals WHERE chain_id = $1 AND block > $2`,
		`DELETE FROM activity_blocks WHERE chain_id = $1 AND number > $2`,
		`DELETE FROM activity_windows WHERE chain_id = $1 AND low > $2`,
		`UPDATE activity_windows SET high = $2 WHERE chain_id = $1 AND high > $2`,
		`UPDATE activity_accounts SET followed_to = $2 WHERE chain_id = $1 AND followed_to > $2`,
	} {
		if err := exec(ctx, tx, statement, chainID, ancestor); err != nil {
			return nil, err
		}
	}
	changed := map[string]bool{}
	for _, a := range accounts {
		changed[a] = true
	}
	return changed, nil
}

// insertBlocks adds blocks and deletes the oldest ones.
func insertBlocks(ctx context.Context, tx *store.Tx, chainID string, headers []node.Header) error {
	for _, h := range headers {
		err := exec(ctx, tx, `INSERT INTO activity_blocks (chain_id, number, hash, parent, time) VALUES ($1, $2, $3, $4, $5)`,
			chainID, int64(h.Number), h.Hash.String(), h.Parent.String(), h.Time)
		if err != nil {
			return err
		}
	}
	if len(headers) == 0 {
		return nil
	}
	newest := int64(headers[len(headers)-1].Number)
	return exec(ctx, tx, `DELETE FROM activity_blocks WHERE chain_id = $1 AND number <= $2`, chainID, newest-recentBlocks)
}

// followedRows returns the rows of accounts that are followed. One may have been dropped since its blocks were read.
func (s *Store) followedRows(ctx context.Context, tx *store.Tx, e index.Extension) ([]index.Row, error) {
	if len(e.Rows) == 0 {
		return nil, nil
	}
	var accounts []evm.Address
	seen := map[evm.Address]bool{}
	for _, r := range e.Rows {
		if !seen[r.Account.Address] {
			seen[r.Account.Address] = true
			accounts = append(accounts, r.Account.Address)
		}
	}
	followed, err := s.areFollowed(ctx, tx, e.ChainID, accounts)
	if err != nil || len(followed) == len(accounts) {
		return e.Rows, err
	}
	return slices.DeleteFunc(slices.Clone(e.Rows), func(r index.Row) bool { return !followed[r.Account.Address] }), nil
}

func allAccounts(ctx context.Context, tx *store.Tx, chainID string) ([]evm.Address, error) {
	return readAccounts(ctx, tx, `SELECT account FROM activity_accounts WHERE chain_id = $1 ORDER BY account`, chainID)
}

// Jump implements [index.Store].
func (s *Store) Jump(ctx context.Context, chainID string, genesis node.Hash, first uint64, headers []node.Header) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		another, err := saveGenesis(ctx, tx, chainID, genesis)
		if err != nil {
			return err
		}
		if another {
			return s.restart(ctx, tx, chainID, headers)
		}
		recent, err := readBlocks(ctx, tx, chainID, recentBlocks)
		if err != nil {
			return err
		}
		if err := exec(ctx, tx, `DELETE FROM activity_blocks WHERE chain_id = $1`, chainID); err != nil {
			return err
		}
		changed := map[string]bool{}
		if len(recent) > 0 {
			first = min(first, recent[len(recent)-1].Number+1, headers[0].Number)
			if changed, err = s.reread(ctx, tx, chainID, first); err != nil {
				return err
			}
		}
		if err := insertBlocks(ctx, tx, chainID, headers); err != nil {
			return err
		}
		return s.publish(ctx, tx, chainID, headers[len(headers)-1].Number, changed)
	})
	return wrap("jump", err)
}

// reread deletes the data of the block first and later ones, so that they are read again for every account. It returns the accounts of the deleted rows.
func (s *Store) reread(ctx context.Context, tx *store.Tx, chainID string, first uint64) (map[string]bool, error) {
	changed, err := orphan(ctx, tx, chainID, first)
	if err != nil {
		return nil, err
	}
	err = exec(ctx, tx, `UPDATE activity_accounts SET native_from = $2 WHERE chain_id = $1 AND native_from > $2`, chainID, int64(first))
	if err != nil {
		return nil, err
	}
	return changed, stopAll(ctx, tx, chainID, first)
}

// saveGenesis stores the hash of the first block of a chain, and reports whether a different hash was stored before.
func saveGenesis(ctx context.Context, tx *store.Tx, chainID string, genesis node.Hash) (another bool, err error) {
	if genesis == (node.Hash{}) {
		return false, nil
	}
	before, err := readStrings(ctx, tx, `SELECT genesis FROM activity_chains WHERE chain_id = $1`, chainID)
	if err != nil {
		return false, err
	}
	err = exec(ctx, tx, `INSERT INTO activity_chains (chain_id, genesis) VALUES ($1, $2) ON CONFLICT (chain_id) DO UPDATE SET genesis = excluded.genesis`,
		chainID, genesis.String())
	return len(before) > 0 && before[0] != genesis.String(), err
}

// restart deletes all data of a chain except its accounts, so that all its blocks are read for them.
func (s *Store) restart(ctx context.Context, tx *store.Tx, chainID string, headers []node.Header) error {
	for _, table := range []string{"activity_rows", "activity_arrivals", "activity_approvals", "activity_windows", "activity_blocks", "activity_tokens"} {
		if err := exec(ctx, tx, `DELETE FROM `+table+` WHERE chain_id = $1`, chainID); err != nil {
			return err
		}
	}
	if err := exec(ctx, tx, `UPDATE activity_accounts SET native_from = 0, followed_to = CASE WHEN followed_to IS NOT NULL THEN -1 END WHERE chain_id = $1`, chainID); err != nil {
		return err
	}
	if err := stopAll(ctx, tx, chainID, 0); err != nil {
		return err
	}
	if err := insertBlocks(ctx, tx, chainID, headers); err != nil {
		return err
	}
	all, err := allAccounts(ctx, tx, chainID)
	if err != nil {
		return err
	}
	changed := map[string]bool{}
	for _, address := range all {
		changed[lower(address)] = true
	}
	return s.publish(ctx, tx, chainID, headers[len(headers)-1].Number, changed)
}
