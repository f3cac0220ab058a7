package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm/account"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/ramp"
)

const (
	// payoutTimeout bounds one step of one payout.
	payoutTimeout = 15 * time.Second
	// payoutPause is between two looks at a payout that is under way.
	payoutPause = time.Second
	// prepareFor is how long a chain may fail before the money goes back, as long as nothing was signed.
	prepareFor = 10 * time.Minute
	// straysAllowed is how often a nonce may be found used by something else until the payout gets another.
	straysAllowed = 3
	// payoutLock and a chain's id are held by the replica that pays out there: nonces are given one after the other.
	payoutLock = "onramp-sandbox-payouts "
	// feeMargin is how many times the base fee of now a transaction offers; what is not needed is not paid.
	feeMargin = 10
)

// tip is the priority fee, in wei.
var tip = big.NewInt(1_000_000_000)

const unpayable = "The tokens could not be sent. The payment was returned."

// errUnpayable is why a payout will never succeed.
var errUnpayable = errors.New("the chain refuses the payout")

// payer sends tokens from the treasury: for each checkout one transaction, kept before it is sent.
type payer struct {
	book    *book
	connect func(chainID string) chainclient.Transport
	key     account.Key
	clock   clock.Clock
	log     *slog.Logger
}

// pay takes the next step of each checkout, all of one chain, unless another replica is about that chain.
func (p *payer) pay(ctx context.Context, chainID string, checkouts []checkout) error {
	_, err := p.book.exclusively(ctx, payoutLock+chainID, func() error {
		for _, c := range checkouts {
			answers, err := p.step(ctx, c)
			if err != nil || !answers {
				return err
			}
		}
		return nil
	})
	return err
}

// step prepares what is not prepared, and looks after what is. A chain that does not answer is asked again later.
func (p *payer) step(ctx context.Context, c checkout) (answers bool, err error) {
	asking, cancel := context.WithTimeout(ctx, payoutTimeout)
	defer cancel()
	err = p.advance(asking, c)
	switch {
	case err == nil || ctx.Err() != nil:
		return true, ctx.Err()
	case errors.Is(err, errUnpayable):
		p.log.Warn("a payout of the sandbox is refused", "order", c.OrderID, "error", err)
		return true, p.refund(ctx, c)
	}
	p.log.Warn("a payout of the sandbox has to wait", "order", c.OrderID, "error", err)
	return false, p.wait(ctx, c)
}

func (p *payer) advance(ctx context.Context, c checkout) error {
	genesis, err := p.genesis(ctx, c.Terms.ChainID)
	if err != nil {
		return err
	}
	known, found, err := p.book.payout(ctx, c.ID)
	if err != nil {
		return err
	}
	if found && known.Genesis != genesis {
		// The chain began anew: what was sent before is on no chain any more.
		if err := p.book.dropPayout(ctx, known); err != nil {
			return err
		}
		found = false
	}
	if !found {
		if known, found, err = p.prepare(ctx, c, genesis); err != nil || !found {
			return err
		}
	}
	return p.send(ctx, c, known)
}

// prepare signs the transaction and keeps it, as long as the checkout still waits for it.
func (p *payer) prepare(ctx context.Context, c checkout, genesis string) (payout, bool, error) {
	t, taken, err := p.draft(ctx, c)
	if err != nil {
		return payout{}, false, err
	}
	var kept payout
	_, err = p.book.change(ctx, c.ID, func(tx txn, c *checkout) ([]ramp.Event, error) {
		kept = payout{}
		if !c.pays() {
			return nil, nil
		}
		next, err := tx.nextNonce(ctx, c.Terms.ChainID, genesis)
		if err != nil {
			return nil, err
		}
		t.Nonce = max(taken, next)
		signed, err := p.key.SignTransaction(t)
		if err != nil {
			return nil, err
		}
		raw, err := signed.MarshalBinary()
		if err != nil {
			return nil, err
		}
		kept = payout{CheckoutID: c.ID, ChainID: c.Terms.ChainID, Genesis: genesis, Nonce: t.Nonce, Hash: signed.Hash().String(), Raw: hexutil.Encode(raw)}
		return nil, tx.insertPayout(ctx, kept)
	})
	return kept, err == nil && kept.Hash != "", err
}

// send puts the transaction to the nodes until it is in a block. Sending it again does no harm: its nonce counts once.
func (p *payer) send(ctx context.Context, c checkout, known payout) error {
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
		return p.finish(ctx, c, func(c *checkout) []ramp.Event { return c.deliver(known.Hash, p.clock.Now()) })
	case reverted:
		return p.finish(ctx, c, func(c *checkout) []ramp.Event { return c.giveBack(unpayable, p.clock.Now()) })
	}
	return p.wait(ctx, c)
}

// stray is for a nonce that is used although no receipt is found. Only when a block shows another transaction with it can the payout never be
// in one, and gets another nonce; a node that lags may know the receipt later, and to pay twice is worse than to wait.
func (p *payer) stray(ctx context.Context, c checkout, known payout) error {
	if known.Strays+1 < straysAllowed {
		if err := p.book.countStray(ctx, known); err != nil {
			return err
		}
		return p.wait(ctx, c)
	}
	user, err := p.userOfNonce(ctx, known)
	if err != nil {
		return fmt.Errorf("find what used nonce %d: %w", known.Nonce, err)
	}
	if strings.EqualFold(user, known.Hash) {
		return p.wait(ctx, c)
	}
	p.log.Warn("a payout of the sandbox gets another nonce: something else was sent from the treasury", "order", c.OrderID, "nonce", known.Nonce)
	return p.book.dropPayout(ctx, known)
}

// wait puts the next look off; a chain that has failed for long before anything was signed gives the money back.
func (p *payer) wait(ctx context.Context, c checkout) error {
	_, err := p.book.change(ctx, c.ID, func(tx txn, c *checkout) ([]ramp.Event, error) {
		now := p.clock.Now()
		if !c.pays() {
			return nil, nil
		}
		signed, err := tx.hasPayout(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		if !signed && now.Sub(c.PaidAt) > prepareFor {
			return c.giveBack(unpayable, now), nil
		}
		c.Due = now.Add(payoutPause)
		return nil, nil
	})
	return err
}

// refund gives back what was paid for tokens that were never signed for.
func (p *payer) refund(ctx context.Context, c checkout) error {
	_, err := p.book.change(ctx, c.ID, func(_ txn, c *checkout) ([]ramp.Event, error) {
		if !c.pays() {
			return nil, nil
		}
		return c.giveBack(unpayable, p.clock.Now()), nil
	})
	return err
}

// finish ends the checkout and its payout together.
func (p *payer) finish(ctx context.Context, c checkout, end func(c *checkout) []ramp.Event) error {
	_, err := p.book.change(ctx, c.ID, func(tx txn, c *checkout) ([]ramp.Event, error) {
		if !c.pays() {
			return nil, nil
		}
		if err := tx.setMined(ctx, c.ID); err != nil {
			return nil, err
		}
		return end(c), nil
	})
	return err
}
