package engine

import (
	"context"
	"errors"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
)

const (
	// permitLifetime is how long a signed approval is valid: long enough to sign it and to send the swap.
	permitLifetime = 20 * time.Minute
	// DefaultSlippageBPS is the accepted slippage of a swap that names none, in basis points.
	DefaultSlippageBPS = 100
)

// Approval is a request for an allowance.
type Approval struct {
	Token request.Account
	// Bought is the token that the swap buys.
	Bought evm.Address
	Owner  evm.Address
	// Amount is in base units; nil for the owner's balance.
	Amount *uint256.Int
	// Only is the quote that the approval is for; nil for the chain's primary router.
	Only *SourceID
}

// BuiltApproval is an approval transaction.
type BuiltApproval struct {
	Call    execution.Call
	Spender evm.Address
	// Gas is in units, GasPrice in wei.
	Gas      uint64
	GasPrice *uint256.Int
	// Reset says that it sets the allowance to zero, which the token requires before another approval.
	Reset bool
}

// Approve builds the next approval to send: of the amount, or of zero if the token requires that first.
func (e *Engine) Approve(ctx context.Context, a Approval) (_ BuiltApproval, err error) {
	if _, err := e.Chain(ctx, a.Token.ChainID); err != nil {
		return BuiltApproval{}, err
	}
	if a.Token.Address == evm.Native {
		return BuiltApproval{}, &NotTokenError{evm.Native, nil}
	}
	if a.Amount == nil {
		if a.Amount, err = e.balance(ctx, a); err != nil {
			return BuiltApproval{}, err
		}
	}
	spender, err := e.spender(ctx, a)
	if err != nil {
		return BuiltApproval{}, err
	}
	prices, err := e.GasPrices(ctx, a.Token.ChainID)
	if err != nil {
		return BuiltApproval{}, err
	}
	owner := a.Owner
	if owner == (evm.Address{}) {
		owner = placeholder
	}
	approve, err := e.Allowances.Approve(ctx, a.Token.ChainID, a.Token.Address, owner, spender, a.Amount)
	if err != nil {
		return BuiltApproval{}, tokenError(a.Token.Address, err)
	}
	return BuiltApproval{
		Call: approve.Calls[0], Gas: approve.Gas[0], Reset: approve.Reset(), Spender: spender, GasPrice: prices.Standard,
	}, nil
}

// balance returns the owner's balance in base units: a request without an amount approves what could be sold now, not without limit.
func (e *Engine) balance(ctx context.Context, a Approval) (*uint256.Int, error) {
	balance, err := e.Accounts.Balance(ctx, a.Token.ChainID, a.Token.Address, a.Owner)
	if err != nil {
		return nil, err
	}
	if balance.IsZero() {
		return nil, ErrBalance
	}
	return balance, nil
}

// PermitData returns the typed data (EIP-712, as JSON) to sign instead of sending an approval, and the time until which
// the signature is valid. For a quote whose spender is Permit2 it is a permit of Permit2 that lets the router take the
// amount, or empty if Permit2 already lets the router take it. It fails with [ErrPermit] or [execution.ErrNoPermit] if
// router, token or account do not support permits.
func (e *Engine) PermitData(ctx context.Context, a Approval) (typed string, deadline time.Time, err error) {
	if a.Only != nil && a.Only.Source != Onchain {
		return "", time.Time{}, ErrPermit // vendors do not support permits
	}
	spender, err := e.spender(ctx, a)
	if err != nil {
		return "", time.Time{}, err
	}
	deadline = e.Clock.Now().Add(permitLifetime)
	if router, ok := e.permit2Spender(a.Token.ChainID, a.Token.Address, a.Only); ok {
		typed, err = e.permit2Data(ctx, a, router, deadline)
		return typed, deadline, err
	}
	if !e.takesPermits(a) {
		return "", time.Time{}, ErrPermit
	}
	typed, err = e.Permits.TypedData(ctx, a.Token.ChainID, a.Token.Address, a.Owner, spender, a.Amount, deadline)
	if err != nil && !errors.Is(err, execution.ErrNoPermit) {
		err = tokenError(a.Token.Address, err)
	}
	return typed, deadline, err
}

// permit2Data returns the permit of Permit2 for a router. Permit2 verifies the signature of an account with code by
// that code (EIP-1271), so such an account is refused before it approves anything.
func (e *Engine) permit2Data(ctx context.Context, a Approval, router evm.Address, deadline time.Time) (string, error) {
	grant, err := e.Allowances.Permit2(ctx, a.Token.ChainID, a.Token.Address, a.Owner, router)
	switch {
	case err != nil:
		return "", tokenError(a.Token.Address, err)
	case grant.Covers(a.Amount, deadline):
		return "", nil
	case grant.Contract:
		return "", ErrPermit
	}
	typed, err := execution.Permit2TypedData(a.Token.ChainID, a.Token.Address, router, a.Amount, grant.Nonce, deadline)
	if errors.Is(err, execution.ErrAmountOver) {
		err = ErrPermit
	}
	return typed, err
}

// permit2Spender returns the chain's UniversalRouter if the quote's id names it and a token is sold, which it takes through Permit2.
func (e *Engine) permit2Spender(chainID string, sold evm.Address, only *SourceID) (evm.Address, bool) {
	chain, _ := e.Venues.On(chainID)
	u := chain.Universal
	if u == nil || sold == evm.Native || only == nil || *only != (SourceID{Source: Onchain, Venue: u.Name}) {
		return evm.Address{}, false
	}
	return u.Router, true
}

// takesPermits reports whether the approval's router can pass a permit to the token.
func (e *Engine) takesPermits(a Approval) bool {
	chain, _ := e.Venues.On(a.Token.ChainID)
	for i, v := range chain.Venues {
		if a.Only == nil && i == 0 || a.Only != nil && a.Only.Venue == v.Name {
			return execution.TakesPermits(v.Kind)
		}
	}
	return false
}

// spender returns the router of the quote that the approval names, Permit2 if that is the UniversalRouter, the vendor's spender, or the chain's primary
// router.
func (e *Engine) spender(ctx context.Context, a Approval) (evm.Address, error) {
	if _, err := e.Chain(ctx, a.Token.ChainID); err != nil {
		return evm.Address{}, err
	}
	chain, _ := e.Venues.On(a.Token.ChainID)
	if a.Only == nil {
		return chain.Venues[0].Router, nil
	}
	if a.Only.Source != Onchain {
		return e.vendorSpender(ctx, a)
	}
	if _, ok := e.permit2Spender(a.Token.ChainID, a.Token.Address, a.Only); ok {
		return execution.Permit2, nil
	}
	for _, v := range chain.Venues {
		if !a.Only.Batch && v.Name == a.Only.Venue {
			return v.Router, nil
		}
	}
	return evm.Address{}, ErrUnknownSource
}

// vendorSpender requests a quote from the vendor and returns its spender.
func (e *Engine) vendorSpender(ctx context.Context, a Approval) (evm.Address, error) {
	r := vendorRequest(Swap{
		ChainID: a.Token.ChainID, From: a.Token.Address, To: a.Bought, Amount: a.Amount, User: a.Owner, SlippageBPS: DefaultSlippageBPS,
	})
	q, err := e.Vendors.Quote(ctx, r, a.Only.Source)
	if err != nil {
		return evm.Address{}, vendorError(err)
	}
	if q.Spender == (evm.Address{}) {
		return evm.Address{}, ErrUnknownSource
	}
	return q.Spender, nil
}
