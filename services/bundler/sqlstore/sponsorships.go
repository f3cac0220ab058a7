package sqlstore

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// AddSponsorship stores a sponsorship, if the sums of the day allow it.
func (s *Store) AddSponsorship(ctx context.Context, n paymaster.Sponsorship, allowed func(project, account *big.Int) bool) error {
	return wrap("add sponsorship", s.db.InTx(ctx, func(tx *store.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT project, account, max_cost FROM bundler_sponsorships
			WHERE chain_id = $1 AND day = $2 AND (project = $3 OR account = $4) AND hash <> $5`, n.ChainID, n.Day, n.Project, key(n.Account), n.Hash.Hex())
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		project, account := new(big.Int).Set(n.MaxCost), new(big.Int).Set(n.MaxCost)
		for rows.Next() {
			var ofProject, ofAccount, text string
			if err := rows.Scan(&ofProject, &ofAccount, &text); err != nil {
				return err
			}
			cost, ok := new(big.Int).SetString(text, 10)
			if !ok {
				return fmt.Errorf("max_cost %q is not a number", text)
			}
			if ofProject == n.Project {
				project.Add(project, cost)
			}
			if ofAccount == key(n.Account) {
				account.Add(account, cost)
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if !allowed(project, account) {
			return paymaster.ErrRefused
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO bundler_sponsorships (chain_id, hash, project, account, day, max_cost) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (chain_id, hash) DO NOTHING`, n.ChainID, n.Hash.Hex(), n.Project, key(n.Account), n.Day, n.MaxCost.String())
		return err
	}))
}
