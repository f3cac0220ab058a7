package sandbox

import (
	"context"
	"database/sql"
	"errors"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// payout returns what pays a checkout out; false when nothing does yet.
func (b *book) payout(ctx context.Context, checkoutID string) (p payout, found bool, err error) {
	const query = `SELECT checkout_id, chain_id, genesis, nonce, hash, raw, strays FROM onramp_sandbox_payouts WHERE checkout_id = $1`
	var nonce int64
	err = b.db.Reader().QueryRowContext(ctx, query, checkoutID).Scan(&p.CheckoutID, &p.ChainID, &p.Genesis, &nonce, &p.Hash, &p.Raw, &p.Strays)
	if errors.Is(err, sql.ErrNoRows) {
		return payout{}, false, nil
	}
	p.Nonce = uint64(nonce)
	return p, err == nil, wrap("find payout", err)
}

// nextNonce is the one after those that wait on the chain.
func nextNonce(ctx context.Context, tx *store.Tx, chainID, genesis string) (uint64, error) {
	var next int64
	const query = `SELECT COALESCE(MAX(nonce) + 1, 0) FROM onramp_sandbox_payouts WHERE chain_id = $1 AND genesis = $2 AND mined = 0`
	err := tx.QueryRowContext(ctx, query, chainID, genesis).Scan(&next)
	return uint64(next), err
}

func insertPayout(ctx context.Context, tx *store.Tx, p payout) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO onramp_sandbox_payouts (checkout_id, chain_id, genesis, nonce, hash, raw, strays, mined)
		VALUES ($1, $2, $3, $4, $5, $6, 0, 0)`, p.CheckoutID, p.ChainID, p.Genesis, int64(p.Nonce), p.Hash, p.Raw)
	return err
}

// dropPayout forgets a transaction that can never be in a block.
func (b *book) dropPayout(ctx context.Context, p payout) error {
	return b.exec(ctx, `DELETE FROM onramp_sandbox_payouts WHERE checkout_id = $1 AND hash = $2 AND mined = 0`, p.CheckoutID, p.Hash)
}

func (b *book) countStray(ctx context.Context, p payout) error {
	return b.exec(ctx, `UPDATE onramp_sandbox_payouts SET strays = strays + 1 WHERE checkout_id = $1 AND hash = $2`, p.CheckoutID, p.Hash)
}

func (b *book) exec(ctx context.Context, statement string, args ...any) error {
	err := b.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
	return wrap("change payout", err)
}
