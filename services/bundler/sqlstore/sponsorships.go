package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// AddSponsorship stores a sponsorship, if the sums of the day allow it. It replaces one of the same account and nonce that was not sent: only one of
// them can be executed.
func (s *Store) AddSponsorship(ctx context.Context, n paymaster.Sponsorship, allowed func(project, account *big.Int) bool) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		earlier, err := readSponsorships(ctx, tx, `chain_id = $1 AND account = $2 AND nonce = $3 AND sent = 0`, n.ChainID, key(n.Account), n.Nonce.String())
		if err != nil {
			return err
		}
		for _, e := range earlier {
			if err := release(ctx, tx, e); err != nil {
				return err
			}
		}
		added, err := tx.ExecContext(ctx, `INSERT INTO bundler_sponsorships
			(chain_id, hash, project, account, day, max_cost, operation, nonce, expires_at, sent) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)
			ON CONFLICT (chain_id, hash) DO NOTHING`,
			n.ChainID, n.Hash.Hex(), n.Project, key(n.Account), dayOf(n.Signed), n.MaxCost.String(), n.Operation.Hex(), n.Nonce.String(), n.Expires.UnixMilli())
		if err != nil {
			return err
		}
		if rows, err := added.RowsAffected(); err != nil || rows == 0 {
			return err
		}
		project, account, err := reserve(ctx, tx, n, n.MaxCost)
		if err == nil && !allowed(project, account) {
			return paymaster.ErrRefused
		}
		return err
	})
	if errors.Is(err, paymaster.ErrRefused) {
		return paymaster.ErrRefused
	}
	return wrap("add sponsorship", err)
}

// SpendSponsorship records that the sponsored operation was sent, or executed by others.
func (s *Store) SpendSponsorship(ctx context.Context, chainID string, operation common.Hash) error {
	return wrap("spend sponsorship", s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE bundler_sponsorships SET sent = 1 WHERE chain_id = $1 AND operation = $2`, chainID, operation.Hex())
		return err
	}))
}

// ReleaseSponsorship deletes the sponsorship of an operation that was not executed, and subtracts it from the sums.
func (s *Store) ReleaseSponsorship(ctx context.Context, chainID string, operation common.Hash) error {
	return wrap("release sponsorship", s.db.InTx(ctx, func(tx *store.Tx) error { return releaseOperation(ctx, tx, chainID, operation) }))
}

// ExpiredSponsorships returns sponsorships of a chain whose operations were not sent before their signatures expired, the oldest first.
func (s *Store) ExpiredSponsorships(ctx context.Context, chainID string, before time.Time, limit int) (list []paymaster.Sponsorship, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		list, err = readSponsorships(ctx, tx, `chain_id = $1 AND sent = 0 AND expires_at < $2 ORDER BY expires_at LIMIT $3`, chainID, before.UnixMilli(), limit)
		return err
	})
	return list, wrap("list sponsorships", err)
}

func releaseOperation(ctx context.Context, tx *store.Tx, chainID string, operation common.Hash) error {
	list, err := readSponsorships(ctx, tx, `chain_id = $1 AND operation = $2`, chainID, operation.Hex())
	if err != nil {
		return err
	}
	for _, n := range list {
		if err := release(ctx, tx, n); err != nil {
			return err
		}
	}
	return nil
}

// release deletes a sponsorship and subtracts it from the sums of its day.
func release(ctx context.Context, tx *store.Tx, n paymaster.Sponsorship) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM bundler_sponsorships WHERE chain_id = $1 AND hash = $2`, n.ChainID, n.Hash.Hex()); err != nil {
		return err
	}
	_, _, err := reserve(ctx, tx, n, new(big.Int).Neg(n.MaxCost))
	return err
}

// reserve adds to the sums of a sponsorship's day: of its project, and of its account.
func reserve(ctx context.Context, tx *store.Tx, n paymaster.Sponsorship, amount *big.Int) (project, account *big.Int, err error) {
	if project, err = sumAt(n.ChainID, kindSponsored, n.Project, n.Signed, day).add(ctx, tx, amount); err != nil {
		return nil, nil, err
	}
	account, err = sumAt(n.ChainID, kindSponsored, key(n.Account), n.Signed, day).add(ctx, tx, amount)
	return project, account, err
}

func readSponsorships(ctx context.Context, tx *store.Tx, where string, args ...any) (list []paymaster.Sponsorship, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT chain_id, hash, project, account, day, max_cost, operation, nonce FROM bundler_sponsorships WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n paymaster.Sponsorship
		var hash, account, cost, operation, nonce string
		var signed int64
		if err := rows.Scan(&n.ChainID, &hash, &n.Project, &account, &signed, &cost, &operation, &nonce); err != nil {
			return nil, err
		}
		n.Hash, n.Account, n.Operation, n.Signed = common.HexToHash(hash), evm.Address(common.HexToAddress(account)), common.HexToHash(operation), time.Unix(signed*int64(day/time.Second), 0)
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
