package factor

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// listedAtOnce is how many wallets of earlier releases one transaction lists the addresses of.
const listedAtOnce = 500

// OwnersOf returns the ids of the users whose wallets have an address.
func (s *SQLStore) OwnersOf(ctx context.Context, address string, limit int) (ids []string, err error) {
	if strings.ContainsFunc(address, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) {
		// No address has another character, some of which a database refuses.
		return nil, nil
	}
	for more := true; more; {
		if more, err = s.listUnlisted(ctx); err != nil {
			return nil, wrap("list addresses of wallets", err)
		}
	}
	folded := address
	if len(address) > 2 && strings.EqualFold(address[:2], "0x") {
		folded = strings.ToLower(address)
	}
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT user_id FROM wallet_wallets
		WHERE id IN (SELECT wallet_id FROM wallet_addresses WHERE address IN ($1, $2)) ORDER BY created_at DESC, id LIMIT $3`, address, folded, limit)
	if err != nil {
		return nil, wrap("find wallets by address", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, wrap("find wallets by address", err)
		}
		ids = append(ids, id)
	}
	return ids, wrap("find wallets by address", rows.Err())
}

// listUnlisted lists the addresses of some wallets that an earlier release stored, and reports whether there are more. A process of it may still run, so that
// this is done before a search and not by the migration.
func (s *SQLStore) listUnlisted(ctx context.Context) (more bool, err error) {
	var unlisted int
	if err := s.db.Reader().QueryRowContext(ctx, `SELECT count(*) FROM (SELECT id FROM wallet_wallets WHERE is_listed = 0 LIMIT 1) AS unlisted`).Scan(&unlisted); err != nil || unlisted == 0 {
		return false, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		found, err := unlistedWallets(ctx, tx)
		if err != nil {
			return err
		}
		for _, w := range found {
			if err := listAddresses(ctx, tx, w.ID, w.Accounts); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE wallet_wallets SET is_listed = 1 WHERE id = $1`, w.ID); err != nil {
				return err
			}
		}
		more = len(found) == listedAtOnce
		return nil
	})
	return more, err
}

// unlistedWallets returns the ids and the accounts of some wallets whose addresses are not listed.
func unlistedWallets(ctx context.Context, tx *store.Tx) (all []Wallet, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, accounts FROM wallet_wallets WHERE is_listed = 0 ORDER BY id LIMIT $1`, listedAtOnce)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var w Wallet
		var accounts string
		if err := rows.Scan(&w.ID, &accounts); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(accounts), &w.Accounts); err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, rows.Err()
}

// listAddresses stores the addresses of a wallet where they are searched.
func listAddresses(ctx context.Context, tx *store.Tx, walletID string, accounts []Account) error {
	for _, a := range accounts {
		address := a.Address
		if a.Namespace == "eip155" {
			address = strings.ToLower(address)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO wallet_addresses (address, wallet_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, address, walletID); err != nil {
			return err
		}
	}
	return nil
}
