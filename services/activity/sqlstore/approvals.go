package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// slot returns the text that all events about one approval have, and only those. A later approval of an NFT replaces that of another spender.
func slot(a index.Approval) string {
	if a.Kind == index.NFTApproval {
		return lower(a.Contract) + "/nft/" + a.TokenID
	}
	return lower(a.Contract) + "/" + string(a.Kind) + "/" + lower(a.Spender)
}

// insertApprovals adds the approvals of a row. What is at a place changes by reorgs only, which delete it before.
func insertApprovals(ctx context.Context, tx *store.Tx, r index.Row) error {
	for _, a := range r.Approvals {
		err := exec(ctx, tx, `INSERT INTO activity_approvals
			(chain_id, account, contract, spender, kind, token_id, slot, units, own, hash, mined_at, block, tx_index, position)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (chain_id, account, block, tx_index, position) DO NOTHING`,
			r.Account.ChainID, lower(r.Account.Address), lower(a.Contract), lower(a.Spender), string(a.Kind), a.TokenID, slot(a), a.Units.String(),
			r.From == r.Account.Address, r.Hash.String(), r.Time, int64(r.Block), int64(r.Index), int64(a.Position))
		if err != nil {
			return err
		}
	}
	return nil
}

// approved selects the events that are the latest of their slot, from the newest on, of contracts that are listed or of which the account itself approved a
// spender. The place is for the listed contracts. The subqueries are not joined, so that as few events are read as are listed.
const approved = `SELECT contract, spender, kind, token_id, units, hash, mined_at, block, tx_index, position FROM activity_approvals a
	WHERE chain_id = $1 AND account = $2 AND units <> '0'
	AND (own OR contract IN %s OR contract IN (SELECT contract FROM activity_approvals WHERE chain_id = $1 AND account = $2 AND own))
	AND (block, tx_index, position) = (SELECT l.block, l.tx_index, l.position FROM activity_approvals l
		WHERE l.chain_id = a.chain_id AND l.account = a.account AND l.slot = a.slot ORDER BY l.block DESC, l.tx_index DESC, l.position DESC LIMIT 1)
	ORDER BY block DESC, tx_index DESC, position DESC LIMIT $4`

// Approved implements [index.Store].
func (s *Store) Approved(ctx context.Context, a index.Account, listed []evm.Address, most int) (list []index.Approved, more bool, err error) {
	members, argument, err := s.membersOf(listed)
	if err != nil {
		return nil, false, err
	}
	rows, err := s.db.Reader().QueryContext(ctx, fmt.Sprintf(approved, fmt.Sprintf(members, 3)), a.ChainID, lower(a.Address), argument, most+1)
	if err != nil {
		return nil, false, wrap("list approvals", err)
	}
	defer rows.Close()
	for rows.Next() {
		entry, err := scanApproved(rows)
		if err != nil {
			return nil, false, wrap("list approvals", err)
		}
		entry.ChainID = a.ChainID
		list = append(list, entry)
	}
	more = len(list) > most
	return list[:min(len(list), most)], more, wrap("list approvals", rows.Err())
}

// scanApproved reads one row of [approved].
func scanApproved(rows *sql.Rows) (a index.Approved, err error) {
	var contract, spender, kind, units, hash string
	var block, transaction, position int64
	if err := rows.Scan(&contract, &spender, &kind, &a.TokenID, &units, &hash, &a.Time, &block, &transaction, &position); err != nil {
		return a, err
	}
	a.Kind, a.Block, a.Index, a.Position = index.ApprovalKind(kind), uint64(block), uint64(transaction), uint64(position)
	if a.Contract, err = evm.ParseAddress(contract); err != nil {
		return a, err
	}
	if a.Spender, err = evm.ParseAddress(spender); err != nil {
		return a, err
	}
	if a.Hash, err = node.ParseHash(hash); err != nil {
		return a, err
	}
	var ok bool
	if a.Units, ok = new(big.Int).SetString(units, 10); !ok {
		return a, fmt.Errorf("%q is not an amount", units)
	}
	return a, nil
}
