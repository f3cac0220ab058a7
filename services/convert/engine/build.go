package engine

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
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Build returns the offer for a swap with its calls, found at the newest block. If unchecked is false, it fails with
// [ErrBalance] or [ErrAllowance] if the account could not make the calls now.
func (e *Engine) Build(ctx context.Context, s Swap, unchecked bool) (Offer, error) {
	if _, err := e.Chain(ctx, s.ChainID); err != nil {
		return Offer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	gas, err := e.gasTerms(ctx, s)
	if err != nil {
		return Offer{}, err
	}
	router, throughPermit2 := e.permit2Spender(s.ChainID, s.From, s.Only)
	if throughPermit2 && !unchecked {
		// The simulation of a permit needs the allowance of Permit2.
		if err := e.checkPermit2(ctx, s, router); err != nil {
			return Offer{}, err
		}
	}
	var o Offer
	if s.Only != nil && s.Only.Source != Onchain {
		o, err = e.buildVendors(ctx, s, gas)
	} else {
		o, _, err = e.onchain(ctx, s, gas)
	}
	if err != nil {
		return Offer{}, err
	}
	if !throughPermit2 && !unchecked {
		if err := e.check(ctx, s, o); err != nil {
			return Offer{}, err
		}
	}
	if !s.batched(o) {
		return o, nil
	}
	approvals, err := e.missingApprovals(ctx, s, o)
	o.Calls = append(approvals, o.Calls...)
	return o, err
}

// buildVendors requests the transaction from the vendor that the quote's id names, and simulates it.
func (e *Engine) buildVendors(ctx context.Context, s Swap, gas GasTerms) (Offer, error) {
	r := vendorRequest(s)
	q, err := e.Vendors.Quote(ctx, r, s.Only.Source)
	if err != nil {
		return Offer{}, vendorError(err)
	}
	if r.SlippageBPS, err = s.slippageWithin(q.Out); err != nil {
		return Offer{}, err
	}
	tx, err := e.Vendors.Build(ctx, r, q)
	if err != nil {
		return Offer{}, vendorError(err)
	}
	o := vendorOffer(s, gas, q, 0)
	o.Out = uint256.MustFromBig(tx.Out)
	// The vendor's call data contain its own minimum.
	o.Min = uint256.MustFromBig(tx.MinOut)
	if !s.keeps(o.Min) {
		return Offer{}, ErrPriceMoved
	}
	o.Calls = []execution.Call{{To: tx.To, Data: tx.Data, Value: uint256.MustFromBig(tx.Value)}}
	o.Spender = tx.Spender
	if tx.Spender != (evm.Address{}) {
		o.approvals = []execution.Approval{{Spender: tx.Spender, Amount: s.Amount}}
	}
	outcome, err := e.Simulator.Try(ctx, s.ChainID, execution.Trial{
		Sender: s.User, Recipient: s.User, Sold: s.From, Bought: s.To, Amount: s.Amount, Expected: o.Min,
		Approvals: o.approvals, Calls: o.Calls,
	})
	switch {
	case err != nil:
		return Offer{}, readError("outcome of a vendor's transaction", err)
	case outcome.Refused, tx.Unbounded && !outcome.Confirmed:
		return Offer{}, &RevertsError{Why: outcome.Why}
	}
	o.Confirmed, o.Because, o.Cause, o.Detail = outcome.Confirmed, outcome.Why, outcome.Cause, outcome.Detail
	if outcome.Paid != nil && outcome.Paid.Lt(o.Out) {
		o.Out = outcome.Paid
	}
	// The measured gas takes precedence over the vendor's figure.
	o.Gas = cmp.Or(outcome.Gas, tx.Gas)
	err = e.addNetworkFee(ctx, s.ChainID, gas, &o)
	return o, err
}

// slippageWithin returns the slippage in basis points that leaves at least Floor of out, at most SlippageBPS.
func (s Swap) slippageWithin(out *big.Int) (uint32, error) {
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

// vendorError translates a vendor's error into one of this package.
func vendorError(err error) error {
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
		return fmt.Errorf("%w: %w", ErrVendor, err)
	}
}

// check fails if the account's balance, or an allowance, is less than the swap needs.
func (e *Engine) check(ctx context.Context, s Swap, o Offer) error {
	if err := e.checkBalance(ctx, s); err != nil {
		return err
	}
	if s.batched(o) || s.Permit != nil {
		return nil
	}
	return e.checkAllowances(ctx, s, o.approvals)
}

// checkPermit2 fails if the account's balance, the token's allowance for Permit2, or, without a permit, what Permit2 lets the router take is less than the
// swap needs.
func (e *Engine) checkPermit2(ctx context.Context, s Swap, router evm.Address) error {
	if err := e.checkBalance(ctx, s); err != nil {
		return err
	}
	if err := e.checkAllowances(ctx, s, []execution.Approval{{Spender: execution.Permit2, Amount: s.Amount}}); err != nil {
		return err
	}
	if s.Permit != nil {
		return nil
	}
	grant, err := e.Allowances.Permit2(ctx, s.ChainID, s.From, s.User, router)
	if err != nil {
		return tokenError(s.From, err)
	}
	if !grant.Covers(s.Amount, e.Clock.Now().Add(e.Lifetime)) {
		return ErrAllowance
	}
	return nil
}

func (e *Engine) checkBalance(ctx context.Context, s Swap) error {
	balance, err := e.Accounts.Balance(ctx, s.ChainID, s.From, s.User)
	if err != nil {
		return err
	}
	if balance.Lt(s.Amount) {
		return ErrBalance
	}
	return nil
}

func (e *Engine) checkAllowances(ctx context.Context, s Swap, needed []execution.Approval) error {
	for _, a := range needed {
		allowance, err := e.Allowances.Of(ctx, s.ChainID, s.From, s.User, a.Spender)
		if err != nil {
			return tokenError(s.From, err)
		}
		if allowance.Lt(a.Amount) {
			return ErrAllowance
		}
	}
	return nil
}

// batched reports whether the approvals are in the same batch as the swap.
func (s Swap) batched(o Offer) bool { return s.Batch || o.ID.Batch }

// missingApprovals returns the approvals with which a batch must begin.
func (e *Engine) missingApprovals(ctx context.Context, s Swap, o Offer) ([]execution.Call, error) {
	var calls []execution.Call
	for _, a := range o.approvals {
		allowance, err := e.Allowances.Of(ctx, s.ChainID, s.From, s.User, a.Spender)
		if err != nil {
			return nil, tokenError(s.From, err)
		}
		if !allowance.Lt(a.Amount) {
			continue
		}
		approve, err := e.Allowances.Approve(ctx, s.ChainID, s.From, s.User, a.Spender, a.Amount)
		if err != nil {
			return nil, tokenError(s.From, err)
		}
		calls = append(calls, approve.Calls...)
	}
	return calls, nil
}
