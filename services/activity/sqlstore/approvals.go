package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"slices"
	"strings"

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

// slotKey is a slot of an account.
type slotKey struct{ chainID, account, slot string }

// place is where an event is in its chain: the numbers of its block, of its transaction in that, and of its log in that.
type place [3]int64

// latestOf returns where the latest events of rows are, by their slots.
func latestOf(rows []index.Row) map[slotKey]place {
	latest := map[slotKey]place{}
	for _, r := range rows {
		for _, a := range r.Approvals {
			key, at := eventOf(r, a)
			if last, known := latest[key]; !known || slices.Compare(last[:], at[:]) < 0 {
				latest[key] = at
			}
		}
	}
	return latest
}

func eventOf(r index.Row, a index.Approval) (slotKey, place) {
	return slotKey{r.Account.ChainID, lower(r.Account.Address), slot(a)}, place{int64(r.Block), int64(r.Index), int64(a.Position)}
}

// insertApprovals adds the approvals of rows. What is at a place changes by reorgs only, which delete it before.
func insertApprovals(ctx context.Context, tx *store.Tx, rows []index.Row) error {
	latest := latestOf(rows)
	for key, at := range latest {
		// The event before it is the latest no more.
		err := exec(ctx, tx, `UPDATE activity_approvals SET latest = FALSE WHERE latest = TRUE AND chain_id = $1 AND account = $2 AND (block, tx_index, position) =
			(SELECT block, tx_index, position FROM activity_approvals WHERE chain_id = $1 AND account = $2 AND slot = $3
				AND (block, tx_index, position) < ($4, $5, $6) ORDER BY block DESC, tx_index DESC, position DESC LIMIT 1)`,
			key.chainID, key.account, key.slot, at[0], at[1], at[2])
		if err != nil {
			return err
		}
	}
	for _, r := range rows {
		for _, a := range r.Approvals {
			key, at := eventOf(r, a)
			err := exec(ctx, tx, `INSERT INTO activity_approvals
				(chain_id, account, slot, block, tx_index, position, contract, spender, kind, token_id, units, own, hash, mined_at, latest)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 AND NOT EXISTS (SELECT 1 FROM activity_approvals
					WHERE chain_id = $1 AND account = $2 AND slot = $3 AND (block, tx_index, position) > ($4, $5, $6)))
				ON CONFLICT (chain_id, account, block, tx_index, position) DO NOTHING`,
				key.chainID, key.account, key.slot, at[0], at[1], at[2], lower(a.Contract), lower(a.Spender), string(a.Kind), a.TokenID, a.Units.String(),
				r.From == r.Account.Address, r.Hash.String(), r.Time, latest[key] == at)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// orphanApprovals deletes the events after a block, so that events before them are the latest again.
func orphanApprovals(ctx context.Context, tx *store.Tx, chainID string, ancestor int64) error {
	slots, err := readStrings(ctx, tx, `SELECT DISTINCT account || ' ' || slot FROM activity_approvals WHERE chain_id = $1 AND block > $2 AND latest`, chainID, ancestor)
	if err != nil {
		return err
	}
	if err := exec(ctx, tx, `DELETE FROM activity_approvals WHERE chain_id = $1 AND block > $2`, chainID, ancestor); err != nil {
		return err
	}
	for _, text := range slots {
		account, slot, _ := strings.Cut(text, " ")
		err := exec(ctx, tx, `UPDATE activity_approvals SET latest = TRUE WHERE chain_id = $1 AND account = $2 AND (block, tx_index, position) =
			(SELECT block, tx_index, position FROM activity_approvals WHERE chain_id = $1 AND account = $2 AND slot = $3
				ORDER BY block DESC, tx_index DESC, position DESC LIMIT 1)`, chainID, account, slot)
		if err != nil {
			return err
		}
	}
	return nil
}

// approved selects the events that are the latest of their slot, from the newest on, of contracts that are listed, of which the account itself approved a
// spender, or whose tokens it brought itself. The place is for the listed contracts.
const approved = `SELECT contract, spender, kind, token_id, units, hash, mined_at, block, tx_index, position FROM activity_approvals
	WHERE chain_id = $1 AND account = $2 AND latest = TRUE AND units <> '0'
	AND (own OR contract IN %s OR contract IN (SELECT contract FROM activity_approvals WHERE chain_id = $1 AND account = $2 AND own)
		OR contract IN (SELECT contract FROM activity_arrivals WHERE chain_id = $1 AND account = $2 AND own))
	ORDER BY block DESC, tx_index DESC, position DESC LIMIT $4`

// Approved implements [index.Store].
func (s *Store) Approved(ctx context.Context, a index.Account, listed []evm.Address, most int) (list []index.Approved, more bool, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, fmt.Sprintf(approved, s.db.Members(3)), a.ChainID, lower(a.Address), listOf(listed), most+1)
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
