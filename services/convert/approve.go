package convert

import (
	"context"
	"errors"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/evm"
)

// permitLifetime is how long a signed approval can be handed in: time enough to sign it and to send the swap.
const permitLifetime = 20 * time.Minute

// BuiltApproval is an approval to be sent.
type BuiltApproval struct {
	Call    execution.Call
	Spender evm.Address
	// Gas is in units, GasPrice in wei.
	Gas      uint64
	GasPrice *uint256.Int
	// Reset says that this is an approval of nothing, which the token wants before any other.
	Reset bool
}

// Approve builds the next approval that is to be sent: of the amount, or of nothing where the token wants that first.
func (d *desk) Approve(ctx context.Context, a Approval) (_ BuiltApproval, err error) {
	if _, err := d.chain(ctx, a.Token.ChainID); err != nil {
		return BuiltApproval{}, err
	}
	if a.Token.Address == evm.Native {
		return BuiltApproval{}, &NotTokenError{evm.Native, nil}
	}
	if a.Amount == nil {
		if a.Amount, err = d.held(ctx, a); err != nil {
			return BuiltApproval{}, err
		}
	}
	spender, err := d.spender(ctx, a)
	if err != nil {
		return BuiltApproval{}, err
	}
	prices, err := d.GasPrices(ctx, a.Token.ChainID)
	if err != nil {
		return BuiltApproval{}, err
	}
	owner := a.Owner
	if owner == (evm.Address{}) {
		owner = anybody
	}
	approve, err := d.allowances.Approve(ctx, a.Token.ChainID, a.Token.Address, owner, spender, a.Amount)
	if err != nil {
		return BuiltApproval{}, notToken(a.Token.Address, err)
	}
	return BuiltApproval{
		Call: approve.Calls[0], Gas: approve.Gas[0], Reset: approve.Reset(), Spender: spender, GasPrice: prices.Standard,
	}, nil
}

// held is how much of the token the owner has, in base units. Those who name no amount mean all that they could sell, not all that they will ever
// have.
func (d *desk) held(ctx context.Context, a Approval) (*uint256.Int, error) {
	balance, err := d.accounts.Balance(ctx, a.Token.ChainID, a.Token.Address, a.Owner)
	if err != nil {
		return nil, err
	}
	if balance.IsZero() {
		return nil, ErrBalance
	}
	return balance, nil
}

// PermitData is what to sign in place of an approval, and until when it can be handed in.
func (d *desk) PermitData(ctx context.Context, a Approval) (typed string, deadline time.Time, err error) {
	if a.Only != nil && a.Only.Source != onchain {
		return "", time.Time{}, ErrPermit // no vendor is asked what none can do
	}
	spender, err := d.spender(ctx, a)
	if err != nil {
		return "", time.Time{}, err
	}
	if !d.carriesPermits(a) {
		return "", time.Time{}, ErrPermit
	}
	deadline = d.market.clock.Now().Add(permitLifetime)
	typed, err = d.permits.TypedData(ctx, a.Token.ChainID, a.Token.Address, a.Owner, spender, a.Amount, deadline)
	if err != nil && !errors.Is(err, execution.ErrNoPermit) {
		err = notToken(a.Token.Address, err)
	}
	return typed, deadline, err
}

// carriesPermits says whether the approval's router can hand a permit to the token.
func (d *desk) carriesPermits(a Approval) bool {
	chain, _ := d.venues.On(a.Token.ChainID)
	for i, v := range chain.Venues {
		if a.Only == nil && i == 0 || a.Only != nil && a.Only.Venue == v.Name {
			return execution.TakesPermits(v.Kind)
		}
	}
	return false
}

// spender is whom the approval is for: the router of the quote that it names, a vendor's, or the chain's primary one.
func (d *desk) spender(ctx context.Context, a Approval) (evm.Address, error) {
	if _, err := d.chain(ctx, a.Token.ChainID); err != nil {
		return evm.Address{}, err
	}
	chain, _ := d.venues.On(a.Token.ChainID)
	if a.Only == nil {
		return chain.Venues[0].Router, nil
	}
	if a.Only.Source != onchain {
		return d.vendorSpender(ctx, a)
	}
	for _, v := range chain.Venues {
		if !a.Only.Batch && v.Name == a.Only.Venue {
			return v.Router, nil
		}
	}
	return evm.Address{}, ErrUnknownSource
}

// vendorSpender asks the vendor whom its transaction would need the approval for.
func (d *desk) vendorSpender(ctx context.Context, a Approval) (evm.Address, error) {
	question, err := d.vendorAsk(ctx, Swap{
		ChainID: a.Token.ChainID, From: a.Token.Address, To: a.Bought, Amount: a.Amount, User: a.Owner, SlippageBPS: usualSlippageBPS,
	})
	if err != nil {
		return evm.Address{}, err
	}
	q, err := d.panel.AskOne(ctx, question, a.Only.Source)
	if err != nil {
		return evm.Address{}, vendorFault(err)
	}
	if q.Spender == (evm.Address{}) {
		return evm.Address{}, ErrUnknownSource
	}
	return q.Spender, nil
}
