package sandbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/transaction"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
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
	connect func(chainID string) evm.Transport
	key     transaction.Key
	clock   clock.Clock
	log     *slog.Logger
}

// payout is a signed transaction.
type payout struct {
	CheckoutID, ChainID string
	Genesis             string
	Nonce               uint64
	Hash, Raw           string
	Strays              int
}

// pay takes the next step of each checkout, all of one chain, unless another replica is about that chain.
func (p *payer) pay(ctx context.Context, chainID string, checkouts []checkout) error {
	_, err := p.book.db.Exclusively(ctx, payoutLock+chainID, func() error {
		for _, c := range checkouts {
			if err := p.step(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// step prepares what is not prepared, and looks after what is. A chain that fails is asked again later.
func (p *payer) step(ctx context.Context, c checkout) error {
	asking, cancel := context.WithTimeout(ctx, payoutTimeout)
	defer cancel()
	err := p.advance(asking, c)
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errUnpayable):
		p.log.Warn("a payout of the sandbox is refused", "order", c.OrderID, "error", err)
		return p.refund(ctx, c)
	}
	p.log.Warn("a payout of the sandbox has to wait", "order", c.OrderID, "error", err)
	return p.wait(ctx, c)
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
	_, err = p.book.change(ctx, c.ID, func(tx *store.Tx, c *checkout) ([]ramp.Event, error) {
		kept = payout{}
		if !c.pays() {
			return nil, nil
		}
		next, err := nextNonce(ctx, tx, c.Terms.ChainID, genesis)
		if err != nil {
			return nil, err
		}
		t.Nonce = max(taken, next)
		signed := t.Sign(p.key)
		kept = payout{CheckoutID: c.ID, ChainID: c.Terms.ChainID, Genesis: genesis, Nonce: t.Nonce, Hash: evm.Hex(signed.Hash[:]), Raw: evm.Hex(signed.Raw)}
		return nil, insertPayout(ctx, tx, kept)
	})
	return kept, err == nil && kept.Hash != "", err
}

// draft is the transaction but for its nonce, and how many the treasury has sent. It fails with [errUnpayable] when the chain would refuse it.
func (p *payer) draft(ctx context.Context, c checkout) (t transaction.Transaction, taken uint64, err error) {
	id, err := caip.ParseChain(c.Terms.ChainID)
	if err != nil {
		return t, 0, err
	}
	number, ok := new(big.Int).SetString(id.Reference, 10)
	if !ok || !number.IsUint64() {
		return t, 0, fmt.Errorf("%w: the chain has no number", errUnpayable)
	}
	t = transaction.Transaction{ChainID: number.Uint64(), Tip: tip}
	if t.To, t.Value, t.Data, err = c.transfer(); err != nil {
		return t, 0, err
	}
	from := p.key.Address().String()
	call := map[string]string{"from": from, "to": t.To.String(), "value": hexQuantity(t.Value), "data": evm.Hex(t.Data)}
	results, err := evm.Ask(ctx, p.connect(c.Terms.ChainID),
		evm.Question{Method: "eth_getTransactionCount", Params: []any{from, "latest"}},
		evm.Question{Method: "eth_getBalance", Params: []any{from, "latest"}},
		evm.Question{Method: "eth_feeHistory", Params: []any{"0x1", "latest", []int{}}},
		evm.Question{Method: "eth_estimateGas", Params: []any{call, "latest"}},
	)
	if err != nil {
		return t, 0, err
	}
	count, countErr := results[0].Quantity()
	balance, balanceErr := results[1].Quantity()
	baseFee, feeErr := readBaseFee(results[2])
	if err := errors.Join(countErr, balanceErr, feeErr); err != nil {
		return t, 0, err
	}
	t.FeeCap = new(big.Int).Add(new(big.Int).Mul(baseFee, big.NewInt(feeMargin)), tip)
	if balance.Cmp(t.Value) <= 0 {
		return t, 0, fmt.Errorf("%w: the treasury holds too little to send", errUnpayable)
	}
	if _, reverted := results[3].Executed(); reverted {
		return t, 0, fmt.Errorf("%w: the transfer reverts", errUnpayable)
	}
	gas, err := results[3].Quantity()
	if err != nil {
		return t, 0, err
	}
	// What a transfer costs may change a little until it is in a block.
	t.Gas = gas.Uint64() + gas.Uint64()/4
	if most := new(big.Int).Mul(t.FeeCap, new(big.Int).SetUint64(t.Gas)); balance.Cmp(most.Add(most, t.Value)) < 0 {
		return t, 0, fmt.Errorf("%w: the treasury cannot pay for the gas", errUnpayable)
	}
	return t, count.Uint64(), nil
}

// transfer is what the chain is told: a transfer of its own currency, or a call of ERC-20's transfer.
func (c *checkout) transfer() (to evm.Address, value *big.Int, data []byte, err error) {
	recipient, err := evm.ParseAddress(c.Wallet)
	if err != nil {
		return to, nil, nil, fmt.Errorf("%w: %w", errUnpayable, err)
	}
	units := base(c.Terms.Purchase, c.Terms.Decimals)
	if c.Terms.Contract == "" {
		return recipient, units, nil, nil
	}
	if to, err = evm.ParseAddress(c.Terms.Contract); err != nil {
		return to, nil, nil, fmt.Errorf("%w: %w", errUnpayable, err)
	}
	data = append(evm.Selector("transfer(address,uint256)"), recipient.Word()...)
	return to, new(big.Int), append(data, units.FillBytes(make([]byte, 32))...), nil
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

// submit sends and looks at once: development chains take what they are sent. A refusal is no end, for the node may have it already.
func (p *payer) submit(ctx context.Context, known payout) (outcome, error) {
	results, err := evm.Ask(ctx, p.connect(known.ChainID), evm.Question{Method: "eth_sendRawTransaction", Params: []any{known.Raw}})
	if err != nil {
		return pending, err
	}
	if refusal := results[0].Err(); refusal != nil {
		p.log.Debug("a payout of the sandbox is not taken", "hash", known.Hash, "error", refusal)
	}
	status, _, err := p.look(ctx, known)
	return status, err
}

// outcome is what a chain knows of a transaction.
type outcome int

const (
	pending outcome = iota
	mined
	reverted
)

// look asks for the receipt, and whether the nonce is used.
func (p *payer) look(ctx context.Context, known payout) (o outcome, used bool, err error) {
	results, err := evm.Ask(ctx, p.connect(known.ChainID),
		evm.Question{Method: "eth_getTransactionCount", Params: []any{p.key.Address().String(), "latest"}},
		evm.Question{Method: "eth_getTransactionReceipt", Params: []any{known.Hash}},
	)
	if err != nil {
		return pending, false, err
	}
	count, countErr := results[0].Quantity()
	raw, receiptErr := results[1].JSON()
	if err := errors.Join(countErr, receiptErr); err != nil {
		return pending, false, err
	}
	var receipt *struct {
		Status string `json:"status"`
	}
	if err := json.Unmarshal(raw, &receipt); err != nil {
		return pending, false, fmt.Errorf("receipt: %w", err)
	}
	switch {
	case receipt == nil:
		return pending, count.Cmp(new(big.Int).SetUint64(known.Nonce)) > 0, nil
	case receipt.Status == "0x1":
		return mined, true, nil
	}
	return reverted, true, nil
}

// stray is for a nonce that something else used: then the transaction can never be in a block. Nodes that lag may say so for a moment.
func (p *payer) stray(ctx context.Context, c checkout, known payout) error {
	if known.Strays+1 < straysAllowed {
		if err := p.book.countStray(ctx, known); err != nil {
			return err
		}
		return p.wait(ctx, c)
	}
	p.log.Warn("a payout of the sandbox gets another nonce: something else was sent from the treasury", "order", c.OrderID, "nonce", known.Nonce)
	return p.book.dropPayout(ctx, known)
}

// wait puts the next look off; a chain that has failed for long before anything was signed gives the money back.
func (p *payer) wait(ctx context.Context, c checkout) error {
	_, err := p.book.change(ctx, c.ID, func(tx *store.Tx, c *checkout) ([]ramp.Event, error) {
		now := p.clock.Now()
		if !c.pays() {
			return nil, nil
		}
		var signed int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM onramp_sandbox_payouts WHERE checkout_id = $1`, c.ID).Scan(&signed); err != nil {
			return nil, err
		}
		if signed == 0 && now.Sub(c.PaidAt) > prepareFor {
			return c.giveBack(unpayable, now), nil
		}
		c.Due = now.Add(payoutPause)
		return nil, nil
	})
	return err
}

// refund gives back what was paid for tokens that were never signed for.
func (p *payer) refund(ctx context.Context, c checkout) error {
	_, err := p.book.change(ctx, c.ID, func(_ *store.Tx, c *checkout) ([]ramp.Event, error) {
		if !c.pays() {
			return nil, nil
		}
		return c.giveBack(unpayable, p.clock.Now()), nil
	})
	return err
}

// finish ends the checkout and its payout together.
func (p *payer) finish(ctx context.Context, c checkout, end func(c *checkout) []ramp.Event) error {
	_, err := p.book.change(ctx, c.ID, func(tx *store.Tx, c *checkout) ([]ramp.Event, error) {
		if !c.pays() {
			return nil, nil
		}
		if _, err := tx.ExecContext(ctx, `UPDATE onramp_sandbox_payouts SET mined = 1 WHERE checkout_id = $1`, c.ID); err != nil {
			return nil, err
		}
		return end(c), nil
	})
	return err
}

// genesis is the hash of a chain's first block.
func (p *payer) genesis(ctx context.Context, chainID string) (string, error) {
	results, err := evm.Ask(ctx, p.connect(chainID), evm.Question{Method: "eth_getBlockByNumber", Params: []any{"0x0", false}})
	if err != nil {
		return "", err
	}
	raw, err := results[0].JSON()
	if err != nil {
		return "", err
	}
	var block struct {
		Hash string `json:"hash"`
	}
	if err := json.Unmarshal(raw, &block); err != nil || len(block.Hash) != 66 {
		return "", errors.New("the chain has no first block")
	}
	return block.Hash, nil
}

// readBaseFee reads the base fee of the next block, in wei: the last of the history.
func readBaseFee(r evm.Result) (*big.Int, error) {
	raw, err := r.JSON()
	if err != nil {
		return nil, err
	}
	var history struct {
		BaseFeePerGas []string `json:"baseFeePerGas"`
	}
	if err := json.Unmarshal(raw, &history); err != nil || len(history.BaseFeePerGas) == 0 {
		return nil, errors.New("the chain has no base fee")
	}
	last := history.BaseFeePerGas[len(history.BaseFeePerGas)-1]
	fee, ok := new(big.Int).SetString(strings.TrimPrefix(last, "0x"), 16)
	if !ok {
		return nil, errors.New("the chain has no base fee")
	}
	return fee, nil
}

func hexQuantity(n *big.Int) string { return "0x" + n.Text(16) }

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
