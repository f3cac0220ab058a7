package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	// touchedLimit bounds the listed contracts, and the token ids of each.
	touchedLimit = 1_000
	// touchedRowsLimit bounds the rows that are read to list them.
	touchedRowsLimit = 20_000
)

// insertRows adds rows with their approvals and the contracts in them, and adds their accounts to changed. A row of the same block stays as it is: it may
// have been read whole, so that more is known of it.
func insertRows(ctx context.Context, tx *store.Tx, rows []index.Row, changed map[string]bool) error {
	for _, r := range rows {
		account := lower(r.Account.Address)
		detail, err := encodeDetail(r.Detail)
		if err != nil {
			return err
		}
		err = exec(ctx, tx, `INSERT INTO activity_rows (chain_id, account, hash, mined_at, block, tx_index, block_hash, detail)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (chain_id, account, hash) DO UPDATE SET
			mined_at = excluded.mined_at, block = excluded.block, tx_index = excluded.tx_index, block_hash = excluded.block_hash, detail = excluded.detail
			WHERE activity_rows.block_hash <> excluded.block_hash`,
			r.Account.ChainID, account, r.Hash.String(), r.Time, int64(r.Block), int64(r.Index), r.BlockHash.String(), detail)
		if err != nil {
			return err
		}
		if err := insertTouched(ctx, tx, r); err != nil {
			return err
		}
		changed[account] = true
	}
	return insertApprovals(ctx, tx, rows)
}

// arrival is a token that a row brought to its account.
type arrival struct{ contract, standard, tokenID string }

// arrivalsAtOnce is how many arrivals one statement adds.
const arrivalsAtOnce = 50

func insertTouched(ctx context.Context, tx *store.Tx, r index.Row) error {
	var arrivals []arrival
	// The first standard of a token counts, as a contract may log transfers of several.
	seen := map[[2]string]bool{}
	for _, t := range r.Transfers {
		if r.Operation == index.Approve || t.Standard == index.Native || t.Direction == index.Out {
			continue
		}
		a := arrival{lower(t.Contract), string(t.Standard), t.TokenID}
		if key := [2]string{a.contract, a.tokenID}; !seen[key] {
			seen[key] = true
			arrivals = append(arrivals, a)
		}
	}
	for some := range slices.Chunk(arrivals, arrivalsAtOnce) {
		args := []any{r.Account.ChainID, lower(r.Account.Address), r.Hash.String(), int64(r.Block), r.From == r.Account.Address}
		var values []string
		for _, a := range some {
			n := len(args)
			values = append(values, fmt.Sprintf("($1, $2, $%d, $%d, $%d, $3, $4, $5)", n+1, n+2, n+3))
			args = append(args, a.contract, a.standard, a.tokenID)
		}
		err := exec(ctx, tx, `INSERT INTO activity_arrivals (chain_id, account, contract, standard, token_id, hash, block, own) VALUES `+strings.Join(values, ", ")+
			` ON CONFLICT (chain_id, account, contract, token_id, hash) DO UPDATE SET block = excluded.block`, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Page implements [index.Store].
func (s *Store) Page(ctx context.Context, address evm.Address, chainID string, after *index.Place, limit int) ([]index.Row, error) {
	query, args := pageQuery(address, chainID, after, limit)
	page, err := s.readRows(ctx, address, query, args)
	return page, wrap("read history", err)
}

// pageQuery selects a page: by the index activity_rows_chain on one chain, and by activity_rows_history on all.
func pageQuery(address evm.Address, chainID string, after *index.Place, limit int) (query string, args []any) {
	add := func(values ...any) (places string) {
		for i, v := range values {
			if args = append(args, v); i > 0 {
				places += ", "
			}
			places += fmt.Sprintf("$%d", len(args))
		}
		return places
	}
	query = `SELECT chain_id, hash, mined_at, block, tx_index, block_hash, detail FROM activity_rows WHERE account = ` + add(lower(address))
	if chainID != "" {
		query += ` AND chain_id = ` + add(chainID)
	}
	switch {
	case after == nil:
	case chainID == after.ChainID:
		query += ` AND (mined_at, block, tx_index) < (` + add(after.Time, int64(after.Block), int64(after.Index)) + `)`
	default:
		query += ` AND (mined_at, chain_id, block, tx_index) < (` + add(after.Time, after.ChainID, int64(after.Block), int64(after.Index)) + `)`
	}
	order := `mined_at DESC, chain_id DESC, block DESC, tx_index DESC`
	if chainID != "" {
		order = `mined_at DESC, block DESC, tx_index DESC`
	}
	return query + ` ORDER BY ` + order + ` LIMIT ` + add(limit), args
}

func (s *Store) readRows(ctx context.Context, address evm.Address, query string, args []any) (page []index.Row, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		row := index.Row{Account: index.Account{Address: address}}
		var hash, blockHash, detail string
		var block, position int64
		if err := rows.Scan(&row.ChainID, &hash, &row.Time, &block, &position, &blockHash, &detail); err != nil {
			return nil, err
		}
		row.Account.ChainID, row.Block, row.Index = row.ChainID, uint64(block), uint64(position)
		if row.Hash, err = node.ParseHash(hash); err != nil {
			return nil, err
		}
		if row.BlockHash, err = node.ParseHash(blockHash); err != nil {
			return nil, err
		}
		if row.Detail, err = decodeDetail(detail); err != nil {
			return nil, err
		}
		page = append(page, row)
	}
	return page, rows.Err()
}

// Touched implements [index.Store].
func (s *Store) Touched(ctx context.Context, a index.Account) (list []index.Touched, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT contract, standard, token_id FROM activity_arrivals WHERE chain_id = $1 AND account = $2
		GROUP BY contract, standard, token_id ORDER BY MAX(block) DESC, contract, token_id LIMIT $3`, a.ChainID, lower(a.Address), touchedRowsLimit)
	if err != nil {
		return nil, wrap("list contracts", err)
	}
	defer rows.Close()
	indexes := map[string]int{}
	for rows.Next() {
		var contract, standard, tokenID string
		if err := rows.Scan(&contract, &standard, &tokenID); err != nil {
			return nil, wrap("list contracts", err)
		}
		i, known := indexes[contract+standard]
		if !known && len(list) == touchedLimit {
			continue
		}
		if !known {
			i = len(list)
			indexes[contract+standard] = i
			address, err := evm.ParseAddress(contract)
			if err != nil {
				return nil, wrap("list contracts", err)
			}
			list = append(list, index.Touched{Contract: address, Standard: index.Standard(standard)})
		}
		if tokenID != "" && len(list[i].TokenIDs) < touchedLimit {
			list[i].TokenIDs = append(list[i].TokenIDs, tokenID)
		}
	}
	return list, wrap("list contracts", rows.Err())
}

// Tokens implements [index.Store].
func (s *Store) Tokens(ctx context.Context, chainID string, contracts []evm.Address) (map[evm.Address]index.Token, error) {
	known := map[evm.Address]index.Token{}
	if len(contracts) == 0 {
		return known, nil
	}
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT contract, name, symbol, decimals FROM activity_tokens WHERE chain_id = $1 AND contract IN `+
		s.db.Members(2), chainID, listOf(contracts))
	if err != nil {
		return nil, wrap("find tokens", err)
	}
	defer rows.Close()
	for rows.Next() {
		var t index.Token
		var contract string
		if err := rows.Scan(&contract, &t.Name, &t.Symbol, &t.Decimals); err != nil {
			return nil, wrap("find tokens", err)
		}
		if t.Contract, err = evm.ParseAddress(contract); err != nil {
			return nil, wrap("find tokens", err)
		}
		known[t.Contract] = t
	}
	return known, wrap("find tokens", rows.Err())
}

// SaveTokens implements [index.Store].
func (s *Store) SaveTokens(ctx context.Context, chainID string, tokens []index.Token) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		for _, t := range tokens {
			err := exec(ctx, tx, `INSERT INTO activity_tokens (chain_id, contract, name, symbol, decimals) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (chain_id, contract) DO NOTHING`, chainID, lower(t.Contract), t.Name, t.Symbol, int64(t.Decimals))
			if err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("save tokens", err)
}
