package execution

import (
	"context"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Confirm builds the order and simulates it at its view's block. It returns the calls whatever the outcome. An order
// with a permit is simulated twice: with an approval instead of the permit, to measure what it pays, and as the exact
// transaction, to verify the permit.
func (s *Simulator) Confirm(ctx context.Context, o Order) ([]Call, Outcome, error) {
	calls, err := Build(o)
	if err != nil {
		return nil, Outcome{}, err
	}
	unsigned := o
	unsigned.Permit = nil
	t, err := trialOf(unsigned)
	if err != nil {
		return nil, Outcome{}, err
	}
	outcome, err := s.Try(ctx, o.View.Chain.ID, t)
	if err != nil || o.Permit == nil || !outcome.Confirmed {
		return calls, outcome, err
	}
	why, err := s.trySigned(ctx, o, calls[0])
	if err != nil {
		return calls, Outcome{}, err
	}
	outcome.Confirmed, outcome.Refused, outcome.Why = why == "", why != "", why
	outcome.Gas += padded(PermitGas)
	return calls, outcome, nil
}

// trySigned simulates the call without the program at the sender's address, because contracts verify the signatures of an account with code differently
// (EIP-1271). It returns why the call fails; empty if it does not.
func (s *Simulator) trySigned(ctx context.Context, o Order, call Call) (why string, err error) {
	ctx, cancel := context.WithTimeout(ctx, trialTimeout)
	defer cancel()
	var funding overrides
	if place, _ := s.slots.cached(o.View.Chain.ID, o.From, o.Sender); place != nil {
		funding = place.holding(&o.Plan.In)
	}
	block := o.View.Block.Number
	if o.throughPermit2() {
		block = 0 // the approval of Permit2 may be newer than the view
	}
	results, err := s.connect(o.View.Chain.ID).Batch(ctx, callAt(call.from(o.Sender), block, funding))
	if err != nil {
		return "", err
	}
	if data, failed := results[0].Executed(); failed {
		return "the swap fails with this permit" + reason(data), nil
	}
	return "", results[0].Err()
}

// trialOf returns the simulation of an order.
func trialOf(o Order) (Trial, error) {
	calls, err := Build(o)
	if err != nil {
		return Trial{}, err
	}
	expected := o.Plan.Out.Clone()
	if o.Referral != nil && len(o.Plan.Paths) > 0 {
		expected.Sub(expected, o.Fee())
	}
	t := Trial{
		Block: o.View.Block.Number, Mined: o.View.Block.Time.Add(pools.NextBlock), Sender: o.Sender, Recipient: o.Recipient, Sold: o.From, Bought: o.To,
		Amount: o.Plan.In.Clone(), Expected: expected, Approvals: Approvals(o), Calls: calls, Transfers: o.transfers(),
	}
	if o.throughPermit2() {
		t.Granted = o.View.Chain.Universal.Router
	}
	t.Checked = o.checked(expected)
	return t, nil
}

// checked returns the order as a call that reverts unless its router holds the expected output, less one basis point, when it pays it out, or the
// recipient's balance grows by that; nil for orders of several calls, and for wrapping, which pays what it takes.
//
// Routers for pools of Uniswap V3 and Algebra compare what they hold, not what the recipient gets: a token that taxes transfers to recipients but not to the
// router is confirmed, although less arrives.
func (o Order) checked(expected *uint256.Int) *Call {
	if o.Universal || o.Referral != nil || len(o.Plan.Paths) == 0 {
		return nil
	}
	o.MinOut, o.paysOut = leastOf(expected), true
	calls, err := Build(o)
	if err != nil || len(calls) != 1 {
		return nil
	}
	return &calls[0]
}

// transfers lists the transfers to, between and from the plan's pools, but not those of the native currency, whose wrapper takes no fee.
func (o Order) transfers() []Transfer {
	var all []Transfer
	for _, p := range o.Plan.Paths {
		all = append(all, o.pathTransfers(p)...)
	}
	return all
}

func (o Order) pathTransfers(p route.Path) []Transfer {
	var all []Transfer
	var from evm.Address
	for _, step := range p.Steps {
		pool := o.View.Pool(step.Pool).Address
		all = append(all, Transfer{Token: o.View.Address(step.From), From: from, To: pool, Amount: step.In.Clone()})
		from = pool
	}
	if o.From == evm.Native {
		all = all[1:]
	}
	if o.To == evm.Native {
		return all
	}
	return append(all, Transfer{Token: o.To, From: from, To: o.Recipient, Amount: p.Out.Clone()})
}

// Fee returns the referral's share of the plan's output, in base units. Routers that cannot pay a referral leave it out.
func (o Order) Fee() *uint256.Int {
	sum := new(uint256.Int)
	if o.Referral == nil {
		return sum
	}
	swaps, err := o.swaps()
	if err != nil {
		return sum
	}
	for _, s := range swaps {
		if o.takesFee(s) {
			sum.Add(sum, o.Referral.Fee(s.out()))
		}
	}
	return sum
}
