package activity

import (
	"context"
	"slices"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Trail lists the newest blocks of a chain that are known.
func (s *SQLStore) Trail(ctx context.Context, chainID string) ([]node.Header, error) {
	trail, err := readTrail(ctx, s.db.Reader(), chainID, trailLength)
	return trail, wrap("read trail", err)
}

func readTrail(ctx context.Context, q store.Queries, chainID string, limit int) (trail []node.Header, err error) {
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
		trail = append(trail, h)
	}
	return trail, rows.Err()
}

// Extend adds blocks to a chain's trail, and their rows.
func (s *SQLStore) Extend(ctx context.Context, e Extension) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		trail, err := readTrail(ctx, tx, e.ChainID, trailLength)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(trail, func(h node.Header) bool { return h.Hash == e.Ancestor.Hash }) {
			return ErrStale
		}
		changed, err := orphan(ctx, tx, e.ChainID, e.Ancestor.Number)
		if err != nil {
			return err
		}
		if err := insertTrail(ctx, tx, e.ChainID, e.Headers); err != nil {
			return err
		}
		if err := s.leaveToWindows(ctx, tx, e); err != nil {
			return err
		}
		if err := insertRows(ctx, tx, e.Rows, changed); err != nil {
			return err
		}
		return s.tell(ctx, tx, e.ChainID, e.tip(), changed)
	})
	return wrap("extend chain", err)
}

func (e Extension) tip() uint64 { return e.Ancestor.Number + uint64(len(e.Headers)) }

// orphan removes what is kept of blocks after the ancestor, and returns whose rows those were. Windows end at the ancestor: what comes
// after it is followed.
func orphan(ctx context.Context, tx *store.Tx, chainID string, ancestor uint64) (map[string]bool, error) {
	accounts, err := readStrings(ctx, tx, `SELECT DISTINCT account FROM activity_rows WHERE chain_id = $1 AND block > $2`, chainID, int64(ancestor))
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{
		`DELETE FROM activity_rows WHERE chain_id = $1 AND block > $2`,
		`DELETE FROM activity_arrivals WHERE chain_id = $1 AND block > $2`,
		`DELETE FROM activity_blocks WHERE chain_id = $1 AND number > $2`,
		`DELETE FROM activity_windows WHERE chain_id = $1 AND low > $2`,
		`UPDATE activity_windows SET high = $2 WHERE chain_id = $1 AND high > $2`,
	} {
		if err := exec(ctx, tx, statement, chainID, int64(ancestor)); err != nil {
			return nil, err
		}
	}
	changed := map[string]bool{}
	for _, a := range accounts {
		changed[a] = true
	}
	return changed, nil
}

// insertTrail adds blocks and drops the oldest ones.
func insertTrail(ctx context.Context, tx *store.Tx, chainID string, headers []node.Header) error {
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
	return exec(ctx, tx, `DELETE FROM activity_blocks WHERE chain_id = $1 AND number <= $2`, chainID, newest-trailLength)
}

// leaveToWindows has the new blocks read later for those accounts that they were not read for: seen a moment ago, or asked for again
// after a long rest.
func (s *SQLStore) leaveToWindows(ctx context.Context, tx *store.Tx, e Extension) error {
	if len(e.Headers) == 0 {
		return nil
	}
	all, err := everyAccount(ctx, tx, e.ChainID)
	if err != nil {
		return err
	}
	read := make(map[evm.Address]bool, len(e.Accounts))
	for _, address := range e.Accounts {
		read[address] = true
	}
	for _, address := range all {
		if read[address] {
			continue
		}
		if err := s.leave(ctx, tx, Account{e.ChainID, address}, e.Ancestor.Number+1, e.tip()); err != nil {
			return err
		}
	}
	return nil
}

func everyAccount(ctx context.Context, tx *store.Tx, chainID string) ([]evm.Address, error) {
	return readAccounts(ctx, tx, `SELECT account FROM activity_accounts WHERE chain_id = $1 ORDER BY account`, chainID)
}

// Jump begins the trail of a chain anew.
func (s *SQLStore) Jump(ctx context.Context, chainID string, genesis node.Hash, headers []node.Header) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		another, err := noteGenesis(ctx, tx, chainID, genesis)
		if err != nil {
			return err
		}
		if another {
			return s.beginAnew(ctx, tx, chainID, headers)
		}
		var oldest uint64
		trail, err := readTrail(ctx, tx, chainID, trailLength)
		if err != nil {
			return err
		}
		if len(trail) > 0 {
			oldest = trail[len(trail)-1].Number
		}
		if err := exec(ctx, tx, `DELETE FROM activity_blocks WHERE chain_id = $1`, chainID); err != nil {
			return err
		}
		changed := map[string]bool{}
		if len(trail) > 0 {
			if changed, err = orphan(ctx, tx, chainID, oldest); err != nil {
				return err
			}
			if err := s.leaveGap(ctx, tx, chainID, oldest+1, headers[len(headers)-1].Number); err != nil {
				return err
			}
		}
		if err := insertTrail(ctx, tx, chainID, headers); err != nil {
			return err
		}
		return s.tell(ctx, tx, chainID, headers[len(headers)-1].Number, changed)
	})
	return wrap("begin trail", err)
}

// noteGenesis keeps the first block of a chain, and reports whether it was another one before.
func noteGenesis(ctx context.Context, tx *store.Tx, chainID string, genesis node.Hash) (another bool, err error) {
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

// beginAnew drops all that is kept of a chain but whose accounts were seen, and has its blocks read for them.
func (s *SQLStore) beginAnew(ctx context.Context, tx *store.Tx, chainID string, headers []node.Header) error {
	for _, table := range []string{"activity_rows", "activity_arrivals", "activity_windows", "activity_blocks", "activity_tokens"} {
		if err := exec(ctx, tx, `DELETE FROM `+table+` WHERE chain_id = $1`, chainID); err != nil {
			return err
		}
	}
	if err := exec(ctx, tx, `UPDATE activity_accounts SET native_from = 0 WHERE chain_id = $1`, chainID); err != nil {
		return err
	}
	newest := headers[len(headers)-1].Number
	if err := s.leaveGap(ctx, tx, chainID, 0, newest); err != nil {
		return err
	}
	if err := insertTrail(ctx, tx, chainID, headers); err != nil {
		return err
	}
	all, err := everyAccount(ctx, tx, chainID)
	if err != nil {
		return err
	}
	changed := map[string]bool{}
	for _, address := range all {
		changed[lower(address)] = true
	}
	return s.tell(ctx, tx, chainID, newest, changed)
}

// leaveGap has blocks that were not followed read later, for every account.
func (s *SQLStore) leaveGap(ctx context.Context, tx *store.Tx, chainID string, low, high uint64) error {
	all, err := everyAccount(ctx, tx, chainID)
	if err != nil || low > high {
		return err
	}
	for _, address := range all {
		if err := s.leave(ctx, tx, Account{chainID, address}, low, high); err != nil {
			return err
		}
	}
	return nil
}
