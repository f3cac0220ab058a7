package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/evm"
)

// Build makes the transaction of a swap at the newest block. Unless unchecked, it refuses what the account could not carry out as it stands.
func (d *desk) Build(ctx context.Context, s Swap, unchecked bool) (Offer, error) {
	if _, err := d.chain(ctx, s.ChainID); err != nil {
		return Offer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	gas, err := d.terms(ctx, s)
	if err != nil {
		return Offer{}, err
	}
	var o Offer
	if s.Only != nil && s.Only.Source != onchain {
		o, err = d.buildVendors(ctx, s, gas)
	} else {
		o, _, err = d.onchain(ctx, s, gas)
	}
	if err != nil {
		return Offer{}, err
	}
	if !unchecked {
		if err := d.check(ctx, s, o); err != nil {
			return Offer{}, err
		}
	}
	if !s.batched(o) {
		return o, nil
	}
	approvals, err := d.missing(ctx, s, o)
	o.Calls = append(approvals, o.Calls...)
	return o, err
}

// buildVendors has the vendor that the quote names build the transaction, and tries it.
func (d *desk) buildVendors(ctx context.Context, s Swap, gas GasTerms) (Offer, error) {
	question, err := d.vendorAsk(ctx, s)
	if err != nil {
		return Offer{}, err
	}
	q, err := d.panel.AskOne(ctx, question, s.Only.Source)
	if err != nil {
		return Offer{}, vendorFault(err)
	}
	if question.SlippageBPS, err = s.room(q.Out); err != nil {
		return Offer{}, err
	}
	tx, err := d.panel.Build(ctx, question, q)
	if err != nil {
		return Offer{}, vendorFault(err)
	}
	o := vendorOffer(s, gas, q, 0)
	o.Out = uint256.MustFromBig(tx.Out)
	// The vendor's own call data hold its minimum.
	o.Min = uint256.MustFromBig(tx.MinOut)
	if !s.keeps(o.Min) {
		return Offer{}, ErrPriceMoved
	}
	o.Calls = []execution.Call{{To: tx.To, Data: tx.Data, Value: uint256.MustFromBig(tx.Value)}}
	o.Spender = tx.Spender
	if tx.Spender != (evm.Address{}) {
		o.approvals = []execution.Approval{{Spender: tx.Spender, Amount: s.Amount}}
	}
	outcome, err := d.trials.Try(ctx, s.ChainID, execution.Trial{
		Sender: s.User, Recipient: s.User, Sold: s.From, Bought: s.To, Amount: s.Amount, Expected: o.Min,
		Approvals: o.approvals, Calls: o.Calls,
	})
	switch {
	case err != nil:
		return Offer{}, fmt.Errorf("%w: the transaction of a vendor was not tried: %w", ErrUnavailable, err)
	case outcome.Refused, tx.Unbounded && !outcome.Confirmed:
		return Offer{}, &RevertsError{Why: outcome.Why}
	}
	o.Confirmed, o.Because = outcome.Confirmed, outcome.Why
	if outcome.Paid != nil && outcome.Paid.Lt(o.Out) {
		o.Out = outcome.Paid
	}
	// What was measured is no vendor's to say.
	o.Gas = cmp.Or(outcome.Gas, tx.Gas)
	err = d.charge(ctx, s.ChainID, gas, &o)
	return o, err
}

// room is the slippage that leaves what was promised of so much, in hundredths of a percent, and no more than was asked for.
func (s Swap) room(out *big.Int) (uint32, error) {
	if s.Floor == nil {
		return s.SlippageBPS, nil
	}
	spare := new(big.Int).Sub(out, s.Floor.ToBig())
	if spare.Sign() < 0 {
		return 0, ErrPriceMoved
	}
	bps := spare.Mul(spare, big.NewInt(wholeBPS))
	bps.Quo(bps, out)
	return min(s.SlippageBPS, uint32(bps.Uint64())), nil
}

// vendorFault is a vendor's failure as one of this service's.
func vendorFault(err error) error {
	switch {
	case errors.Is(err, vendors.ErrRejected):
		return fmt.Errorf("%w: %w", ErrUnknownSource, err)
	case errors.Is(err, vendors.ErrNoLiquidity):
		return fmt.Errorf("%w: %w", route.ErrNoLiquidity, err)
	case errors.Is(err, vendors.ErrMoved):
		return fmt.Errorf("%w: %w", ErrPriceMoved, err)
	case errors.Is(err, vendors.ErrUnsafe):
		return &RevertsError{Why: vendors.ErrUnsafe.Error()}
	default:
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
}

// check refuses a swap that the account cannot pay, or has not allowed.
func (d *desk) check(ctx context.Context, s Swap, o Offer) error {
	balance, err := d.accounts.Balance(ctx, s.ChainID, s.From, s.User)
	if err != nil {
		return err
	}
	if balance.Lt(s.Amount) {
		return ErrBalance
	}
	if s.batched(o) || s.Permit != nil {
		return nil
	}
	for _, a := range o.approvals {
		allowance, err := d.allowances.Of(ctx, s.ChainID, s.From, s.User, a.Spender)
		if err != nil {
			return notToken(s.From, err)
		}
		if allowance.Lt(a.Amount) {
			return ErrAllowance
		}
	}
	return nil
}

// batched says whether the approvals are made in the same batch as the swap.
func (s Swap) batched(o Offer) bool { return s.Batch || o.ID.Batch }

// missing are the approvals that a batch must begin with.
func (d *desk) missing(ctx context.Context, s Swap, o Offer) ([]execution.Call, error) {
	var calls []execution.Call
	for _, a := range o.approvals {
		allowance, err := d.allowances.Of(ctx, s.ChainID, s.From, s.User, a.Spender)
		if err != nil {
			return nil, notToken(s.From, err)
		}
		if !allowance.Lt(a.Amount) {
			continue
		}
		approve, err := d.allowances.Approve(ctx, s.ChainID, s.From, s.User, a.Spender, a.Amount)
		if err != nil {
			return nil, notToken(s.From, err)
		}
		calls = append(calls, approve.Calls...)
	}
	return calls, nil
}
