package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/hawser-dev/hawser/services/platform/store"
)

// Payout is the signed transaction of a checkout.
type Payout struct {
	CheckoutID, ChainID string
	Genesis             string
	Nonce               uint64
	Hash, Raw           string
	Strays              int
	// LastHeight is the last block height of Solana at which the transaction can be executed; 0 if it is not known.
	LastHeight uint64
}

// Tx is a transaction of [Store.change].
type Tx struct{ tx *store.Tx }

// HasPayout reports whether a checkout has a signed payout.
func (t Tx) HasPayout(ctx context.Context, checkoutID string) (bool, error) {
	var signed int
	err := t.tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM onramp_sandbox_payouts WHERE checkout_id = $1`, checkoutID).Scan(&signed)
	return signed > 0, err
}

// SetMined records that the payout of a checkout is in a block.
func (t Tx) SetMined(ctx context.Context, checkoutID string) error {
	_, err := t.tx.ExecContext(ctx, `UPDATE onramp_sandbox_payouts SET mined = 1 WHERE checkout_id = $1`, checkoutID)
	return err
}

// Payout returns the payout of a checkout; false if none is signed.
func (b *Store) Payout(ctx context.Context, checkoutID string) (p Payout, found bool, err error) {
	const query = `SELECT checkout_id, chain_id, genesis, nonce, hash, raw, strays, last_height FROM onramp_sandbox_payouts WHERE checkout_id = $1`
	var nonce, last int64
	err = b.DB.Reader().QueryRowContext(ctx, query, checkoutID).Scan(&p.CheckoutID, &p.ChainID, &p.Genesis, &nonce, &p.Hash, &p.Raw, &p.Strays, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return Payout{}, false, nil
	}
	p.Nonce, p.LastHeight = uint64(nonce), uint64(last)
	return p, err == nil, wrap("find payout", err)
}

// NextNonce returns the nonce after those of payouts that are not yet in a block.
func (t Tx) NextNonce(ctx context.Context, chainID, genesis string) (uint64, error) {
	var next int64
	const query = `SELECT COALESCE(MAX(nonce) + 1, 0) FROM onramp_sandbox_payouts WHERE chain_id = $1 AND genesis = $2 AND mined = 0`
	err := t.tx.QueryRowContext(ctx, query, chainID, genesis).Scan(&next)
	return uint64(next), err
}

// InsertPayout stores a signed payout, before it is sent.
func (t Tx) InsertPayout(ctx context.Context, p Payout) error {
	_, err := t.tx.ExecContext(ctx, `INSERT INTO onramp_sandbox_payouts (checkout_id, chain_id, genesis, nonce, hash, raw, strays, mined, last_height)
		VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7)`, p.CheckoutID, p.ChainID, p.Genesis, int64(p.Nonce), p.Hash, p.Raw, int64(p.LastHeight))
	return err
}

// DeletePayout deletes a payout whose transaction cannot be included in a block any more.
func (b *Store) DeletePayout(ctx context.Context, p Payout) error {
	return b.exec(ctx, `DELETE FROM onramp_sandbox_payouts WHERE checkout_id = $1 AND hash = $2 AND mined = 0`, p.CheckoutID, p.Hash)
}

// CountStray records that the nonce of a payout was found used by another transaction.
func (b *Store) CountStray(ctx context.Context, p Payout) error {
	return b.exec(ctx, `UPDATE onramp_sandbox_payouts SET strays = strays + 1 WHERE checkout_id = $1 AND hash = $2`, p.CheckoutID, p.Hash)
}

func (b *Store) exec(ctx context.Context, statement string, args ...any) error {
	err := b.DB.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
	return wrap("change payout", err)
}
