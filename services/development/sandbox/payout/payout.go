// Package payout sends the tokens of paid checkouts from the treasury, each at most once.
package payout

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	sdk "github.com/gagliardetto/solana-go"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// payoutTimeout bounds one step of one payout, and turnTimeout the time in which a turn begins steps: together less than the 30 seconds
	// after which PostgreSQL ends a lock.
	payoutTimeout, turnTimeout = 15 * time.Second, 10 * time.Second
	// payoutsAtOnce bounds the payouts of one turn.
	payoutsAtOnce = 50
	// payoutPause is the interval between checks of a sent payout.
	payoutPause = time.Second
	// PrepareFor is how long a chain may be unavailable before an unsigned payout is refunded.
	PrepareFor = 10 * time.Minute
	// StraysAllowed is how often a nonce must be found used without a receipt before the payout may use another nonce.
	StraysAllowed = 3
	// StraysUnexplained is how often it must be found so before the payment is returned although the payout may have been sent: for about ten
	// minutes.
	StraysUnexplained = 600
	// payoutLock and a chain id name the lock of the replica that pays out on the chain, so that nonces are assigned in sequence.
	payoutLock = "onramp-sandbox-payouts "
	// feeMargin is the factor from the current base fee to the maximum fee of a transaction.
	feeMargin = 10
)

// Tip is the priority fee, in wei.
var Tip = big.NewInt(1_000_000_000)

// errUnpayable marks payouts that can never succeed.
var errUnpayable = errors.New("the chain refuses the payout")

// Payer sends tokens from the treasury: one transaction for each checkout, stored before it is sent.
type Payer struct {
	Store   *sqlstore.Store
	Connect func(chainID string) chainclient.Transport
	Key     account.Key
	// SolanaKey is the key of the treasury on Solana, or nil.
	SolanaKey sdk.PrivateKey
	Clock     clock.Clock
	Log       *slog.Logger
}

// Pay makes the next step of the payouts that are due on one chain, unless another replica pays out on that chain. If the chain hangs, the
// others are postponed.
func (p *Payer) Pay(ctx context.Context, chainID string) error {
	_, err := p.Store.Exclusively(ctx, payoutLock+chainID, func() error {
		turn, cancel := context.WithTimeout(ctx, turnTimeout)
		defer cancel()
		due, err := p.Store.DuePayouts(ctx, chainID, p.Clock.Now(), payoutsAtOnce)
		answers := true
		for i := 0; err == nil && i < len(due); i++ {
			switch {
			case turn.Err() == nil:
				answers, err = p.step(ctx, due[i])
			case answers:
				return nil
			default:
				err = p.wait(ctx, due[i])
			}
		}
		return err
	})
	return err
}

// step signs or sends the payout of a checkout. It returns false if the chain is unavailable; the step is then retried
// later.
func (p *Payer) step(ctx context.Context, c checkout.Checkout) (answers bool, err error) {
	asking, cancel := context.WithTimeout(ctx, payoutTimeout)
	defer cancel()
	err = p.advance(asking, c)
	switch {
	case err == nil || ctx.Err() != nil:
		return true, ctx.Err()
	case errors.Is(err, errUnpayable):
		p.Log.WarnContext(ctx, "payout refused and refunded", "order", c.OrderID, "error", err)
		return true, p.refund(ctx, c)
	}
	p.Log.WarnContext(ctx, "payout delayed", "order", c.OrderID, "error", err)
	return false, p.wait(ctx, c)
}

func (p *Payer) advance(ctx context.Context, c checkout.Checkout) error {
	readGenesis, pay := p.genesis, p.send
	if isSolana(c.Terms.ChainID) {
		readGenesis, pay = p.solanaGenesis, p.paySolana
	}
	genesis, err := readGenesis(ctx, c.Terms.ChainID)
	if err != nil {
		return err
	}
	known, found, err := p.Store.Payout(ctx, c.ID)
	if err != nil {
		return err
	}
	if found && known.Genesis != genesis {
		// The chain was reset, and the transaction lost with it.
		if err := p.Store.DeletePayout(ctx, known); err != nil {
			return err
		}
		found = false
	}
	if !found {
		if known, found, err = p.prepare(ctx, c, genesis); err != nil || !found {
			return err
		}
	}
	return pay(ctx, c, known)
}

// prepare signs the transaction and stores it, if the checkout must still be paid out.
func (p *Payer) prepare(ctx context.Context, c checkout.Checkout, genesis string) (sqlstore.Payout, bool, error) {
	sign, taken, err := p.signer(ctx, c)
	if err != nil {
		return sqlstore.Payout{}, false, err
	}
	var kept sqlstore.Payout
	_, err = p.Store.Update(ctx, c.ID, func(tx sqlstore.Tx, c *checkout.Checkout) ([]ramp.Event, error) {
		kept = sqlstore.Payout{}
		if !c.PaysOut() {
			return nil, nil
		}
		next, err := tx.NextNonce(ctx, c.Terms.ChainID, genesis)
		if err != nil {
			return nil, err
		}
		nonce := max(taken, next)
		signed, err := sign(nonce)
		if err != nil {
			return nil, err
		}
		kept = sqlstore.Payout{
			CheckoutID: c.ID, ChainID: c.Terms.ChainID, Genesis: genesis, Nonce: nonce, Hash: signed.hash, Raw: signed.raw, LastHeight: signed.lastHeight,
		}
		return nil, tx.InsertPayout(ctx, kept)
	})
	return kept, err == nil && kept.Hash != "", err
}

// signedPayout is a signed transaction. lastHeight is the last block height at which Solana executes it.
type signedPayout struct {
	hash, raw  string
	lastHeight uint64
}

// signer returns a function that signs the transaction with a nonce, and the lowest possible nonce. Transactions on
// Solana have no nonce; there it only numbers the payouts.
func (p *Payer) signer(ctx context.Context, c checkout.Checkout) (sign func(nonce uint64) (signedPayout, error), taken uint64, err error) {
	if isSolana(c.Terms.ChainID) {
		signed, err := p.signSolana(ctx, c)
		return func(uint64) (signedPayout, error) { return signed, nil }, 0, err
	}
	t, taken, err := p.draft(ctx, c)
	return func(nonce uint64) (signedPayout, error) {
		t.Nonce = nonce
		signed, err := p.Key.SignTransaction(t)
		if err != nil {
			return signedPayout{}, err
		}
		bytes, err := signed.MarshalBinary()
		return signedPayout{hash: signed.Hash().String(), raw: hexutil.Encode(bytes)}, err
	}, taken, err
}

// send sends the transaction until it is in a block. Sending it again is harmless, because its nonce can be used once.
func (p *Payer) send(ctx context.Context, c checkout.Checkout, known sqlstore.Payout) error {
	status, used, err := p.look(ctx, known)
	if err != nil {
		return err
	}
	if status == pending && used {
		return p.stray(ctx, c, known)
	}
	if status == pending {
		if status, err = p.submit(ctx, known); err != nil {
			return err
		}
	}
	switch status {
	case mined:
		return p.finish(ctx, c, func(c *checkout.Checkout) []ramp.Event { return c.Complete(known.Hash, p.Clock.Now()) })
	case reverted:
		return p.finish(ctx, c, func(c *checkout.Checkout) []ramp.Event { return c.Refund(checkout.PayoutFailed, p.Clock.Now()) })
	}
	return p.wait(ctx, c)
}

// stray handles a nonce that is used although no receipt is found. The payout gets another nonce only if a block has
// another transaction with this nonce: a lagging node may have the receipt later, and paying twice is worse than
// waiting. If nodes have pruned what tells, the payment is returned after a time.
func (p *Payer) stray(ctx context.Context, c checkout.Checkout, known sqlstore.Payout) error {
	if known.Strays+1 < StraysAllowed {
		return p.countStray(ctx, c, known)
	}
	user, err := p.transactionOfNonce(ctx, known)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && !strings.EqualFold(user, known.Hash):
		p.Log.WarnContext(ctx, "payout gets another nonce: the treasury used this one for another transaction", "order", c.OrderID, "nonce", known.Nonce)
		return p.Store.DeletePayout(ctx, known)
	case known.Strays < StraysUnexplained:
		p.Log.WarnContext(ctx, "payout without a receipt, whose nonce is used", "order", c.OrderID, "nonce", known.Nonce, "hash", known.Hash, "error", err)
		return p.countStray(ctx, c, known)
	}
	return p.refundUnconfirmed(ctx, c, known)
}

// refundUnconfirmed ends a checkout whose payout may have been sent.
func (p *Payer) refundUnconfirmed(ctx context.Context, c checkout.Checkout, known sqlstore.Payout) error {
	p.Log.ErrorContext(ctx, "payout refunded that may have been sent: no node has its receipt", "order", c.OrderID, "nonce", known.Nonce, "hash", known.Hash)
	return p.finish(ctx, c, func(c *checkout.Checkout) []ramp.Event { return c.Refund(checkout.PayoutUnconfirmed, p.Clock.Now()) })
}

// countStray records that a nonce was found used without a receipt, and postpones the next check.
func (p *Payer) countStray(ctx context.Context, c checkout.Checkout, known sqlstore.Payout) error {
	if err := p.Store.CountStray(ctx, known); err != nil {
		return err
	}
	return p.wait(ctx, c)
}

// wait postpones the next check. If nothing was signed for a long time, it refunds the payment.
func (p *Payer) wait(ctx context.Context, c checkout.Checkout) error {
	_, err := p.Store.Update(ctx, c.ID, func(tx sqlstore.Tx, c *checkout.Checkout) ([]ramp.Event, error) {
		now := p.Clock.Now()
		if !c.PaysOut() {
			return nil, nil
		}
		signed, err := tx.HasPayout(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		if !signed && now.Sub(c.PaidAt) > PrepareFor {
			return c.Refund(checkout.PayoutFailed, now), nil
		}
		c.Due = now.Add(payoutPause)
		return nil, nil
	})
	return err
}

// refund ends a checkout whose payout was never signed.
func (p *Payer) refund(ctx context.Context, c checkout.Checkout) error {
	_, err := p.Store.Update(ctx, c.ID, func(_ sqlstore.Tx, c *checkout.Checkout) ([]ramp.Event, error) {
		if !c.PaysOut() {
			return nil, nil
		}
		return c.Refund(checkout.PayoutFailed, p.Clock.Now()), nil
	})
	return err
}

// finish ends the checkout and its payout in one transaction.
func (p *Payer) finish(ctx context.Context, c checkout.Checkout, end func(c *checkout.Checkout) []ramp.Event) error {
	_, err := p.Store.Update(ctx, c.ID, func(tx sqlstore.Tx, c *checkout.Checkout) ([]ramp.Event, error) {
		if !c.PaysOut() {
			return nil, nil
		}
		if err := tx.SetMined(ctx, c.ID); err != nil {
			return nil, err
		}
		return end(c), nil
	})
	return err
}
