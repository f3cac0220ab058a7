package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// AddSponsorship stores a sponsorship, if the sums of the day allow it. It takes the place of those of the same account and nonce that were not sent: only
// one of them can be executed, so the highest cost of them counts until the last of their signatures expires.
func (s *Store) AddSponsorship(ctx context.Context, n paymaster.Sponsorship, allowed func(b paymaster.Budget) bool) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		earlier, err := readSponsorships(ctx, tx, `chain_id = $1 AND account = $2 AND nonce = $3 AND sent = 0`, n.ChainID, key(n.Account), n.Nonce.String())
		if err != nil {
			return err
		}
		for _, e := range earlier {
			if e.MaxCost.Cmp(n.MaxCost) > 0 {
				n.MaxCost = e.MaxCost
			}
			if err := release(ctx, tx, e); err != nil {
				return err
			}
		}
		added, err := tx.ExecContext(ctx, `INSERT INTO bundler_sponsorships (chain_id, hash, project, account, day, max_cost, nonce, expires_at, sent, caller)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9) ON CONFLICT (chain_id, hash) DO NOTHING`,
			n.ChainID, n.Hash.Hex(), n.Project, key(n.Account), dayOf(n.Signed), n.MaxCost.String(), n.Nonce.String(), n.Expires.UnixMilli(), n.Caller)
		if err != nil {
			return err
		}
		if rows, err := added.RowsAffected(); err != nil || rows == 0 {
			return err // the same signature was sent already
		}
		var b paymaster.Budget
		if b.Project, err = sumAt(n.ChainID, kindSponsored, n.Project, n.Signed, day).add(ctx, tx, n.MaxCost); err != nil {
			return err
		}
		// What others request for an account does not count against it, so its sum has what was sent.
		if b.Account, err = sumAt(n.ChainID, kindSponsored, key(n.Account), n.Signed, day).add(ctx, tx, new(big.Int)); err != nil {
			return err
		}
		b.Account.Add(b.Account, n.MaxCost)
		row := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM bundler_sponsorships WHERE chain_id = $1 AND caller = $2 AND sent = 0`, n.ChainID, n.Caller)
		if err := row.Scan(&b.Open); err != nil {
			return err
		}
		if !allowed(b) {
			return paymaster.ErrRefused
		}
		return nil
	})
	if errors.Is(err, paymaster.ErrRefused) {
		return paymaster.ErrRefused
	}
	return wrap("add sponsorship", err)
}

// SpendSponsorship records that the sponsored operation of an account with a nonce was sent, or executed by others.
func (s *Store) SpendSponsorship(ctx context.Context, chainID string, account evm.Address, nonce *big.Int) error {
	return wrap("spend sponsorship", s.eachUnsent(ctx, chainID, account, nonce, func(tx *store.Tx, n paymaster.Sponsorship) error {
		if _, err := tx.ExecContext(ctx, `UPDATE bundler_sponsorships SET sent = 1 WHERE chain_id = $1 AND hash = $2`, chainID, n.Hash.Hex()); err != nil {
			return err
		}
		_, err := sumAt(chainID, kindSponsored, key(account), n.Signed, day).add(ctx, tx, n.MaxCost)
		return err
	}))
}

// ReleaseSponsorship deletes what was signed for an account and a nonce and was not executed, and subtracts it from the sum of its project.
func (s *Store) ReleaseSponsorship(ctx context.Context, chainID string, account evm.Address, nonce *big.Int) error {
	return wrap("release sponsorship", s.eachUnsent(ctx, chainID, account, nonce, func(tx *store.Tx, n paymaster.Sponsorship) error {
		return release(ctx, tx, n)
	}))
}

// eachUnsent calls do with each sponsorship of an account and a nonce that was not sent.
func (s *Store) eachUnsent(ctx context.Context, chainID string, account evm.Address, nonce *big.Int, do func(*store.Tx, paymaster.Sponsorship) error) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		list, err := readSponsorships(ctx, tx, `chain_id = $1 AND account = $2 AND nonce = $3 AND sent = 0`, chainID, key(account), nonce.String())
		if err != nil {
			return err
		}
		for _, n := range list {
			if err := do(tx, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// ExpiredSponsorships returns sponsorships of a chain whose operations were not sent before their signatures expired, the oldest first.
func (s *Store) ExpiredSponsorships(ctx context.Context, chainID string, before time.Time, limit int) (list []paymaster.Sponsorship, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		list, err = readSponsorships(ctx, tx, `chain_id = $1 AND sent = 0 AND expires_at < $2 ORDER BY expires_at LIMIT $3`, chainID, before.UnixMilli(), limit)
		return err
	})
	return list, wrap("list sponsorships", err)
}

// reopenSponsorship returns the sponsorship of a dropped operation to those that were not sent.
func reopenSponsorship(ctx context.Context, tx *store.Tx, r executor.Record) error {
	account, nonce := key(r.Operation.Sender), r.Operation.Nonce.Dec()
	list, err := readSponsorships(ctx, tx, `chain_id = $1 AND account = $2 AND nonce = $3 AND sent = 1`, r.ChainID, account, nonce)
	if err != nil {
		return err
	}
	for _, n := range list {
		if _, err := tx.ExecContext(ctx, `UPDATE bundler_sponsorships SET sent = 0 WHERE chain_id = $1 AND hash = $2`, r.ChainID, n.Hash.Hex()); err != nil {
			return err
		}
		if _, err := sumAt(r.ChainID, kindSponsored, account, n.Signed, day).add(ctx, tx, new(big.Int).Neg(n.MaxCost)); err != nil {
			return err
		}
	}
	return nil
}

// release deletes a sponsorship that was not sent, and subtracts it from the sum of its project's day.
func release(ctx context.Context, tx *store.Tx, n paymaster.Sponsorship) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM bundler_sponsorships WHERE chain_id = $1 AND hash = $2`, n.ChainID, n.Hash.Hex()); err != nil {
		return err
	}
	_, err := sumAt(n.ChainID, kindSponsored, n.Project, n.Signed, day).add(ctx, tx, new(big.Int).Neg(n.MaxCost))
	return err
}

func readSponsorships(ctx context.Context, tx *store.Tx, where string, args ...any) (list []paymaster.Sponsorship, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT chain_id, hash, project, account, day, max_cost, nonce, expires_at FROM bundler_sponsorships WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n paymaster.Sponsorship
		var hash, account, cost, nonce string
		var signed, expires int64
		if err := rows.Scan(&n.ChainID, &hash, &n.Project, &account, &signed, &cost, &nonce, &expires); err != nil {
			return nil, err
		}
		n.Hash, n.Account = common.HexToHash(hash), common.HexToAddress(account)
		n.Signed, n.Expires = time.Unix(signed*int64(day/time.Second), 0), time.UnixMilli(expires)
		var isCost, isNonce bool
		n.MaxCost, isCost = new(big.Int).SetString(cost, 10)
		n.Nonce, isNonce = new(big.Int).SetString(nonce, 10)
		if !isCost || !isNonce {
			return nil, fmt.Errorf("the sponsorship %s has a malformed number", hash)
		}
		list = append(list, n)
	}
	return list, rows.Err()
}

// dayOf returns the days since 1970.
func dayOf(t time.Time) int64 { return t.Unix() / int64(day/time.Second) }
