package execution

import (
	"context"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// probedTransfers bounds how many transfers are simulated to find a fee.
const probedTransfers = 8

// explain simulates the transfers of a failed swap one by one, and adds the fee of a token that deducts one to the outcome.
func (a *attempt) explain(ctx context.Context, funding overrides, o Outcome) (Outcome, error) {
	transfers := a.Transfers[:min(len(a.Transfers), probedTransfers)]
	if len(transfers) == 0 {
		return o, nil
	}
	var questions []chainclient.Call
	for _, t := range transfers {
		questions = append(questions, a.transfer(funding, t), a.transfer(funding, t, t.call()))
	}
	results, err := a.send.Batch(ctx, questions...)
	if err != nil {
		return Outcome{}, err
	}
	for i, t := range transfers {
		if fee := feeOf(t, results[2*i], results[2*i+1]); fee != nil {
			o.Fee, o.Why = fee, "the token "+fee.Token.String()+" takes a fee of transfers"
			return o, nil
		}
	}
	return o, nil
}

// transfer returns the eth_call that makes calls as the transfer's sender and reads its recipient's balance.
func (a *attempt) transfer(funding overrides, t Transfer, calls ...Call) chainclient.Call {
	from := t.From
	if from == (evm.Address{}) {
		from = a.Sender
	}
	tx := transaction{From: from.String(), To: from.String(), Data: hexutil.Encode(encodeProgram(t.Token, t.Token, t.To, calls))}
	return callAt(tx, a.Block, funding.with(from, override{Code: program}))
}

func (t Transfer) call() Call {
	return Call{To: t.Token, Data: encodeCall("transfer(address,uint256)", t.To, t.Amount), Value: new(uint256.Int)}
}

// feeOf returns the fee by the change of the recipient's balance; nil if the transfer failed or arrived in full.
func feeOf(t Transfer, beforehand, afterwards chainclient.Result) *TransferFee {
	before, err := readProgram(0, beforehand)
	if err != nil {
		return nil
	}
	after, err := readProgram(1, afterwards)
	if err != nil || !after.calls[0].ok || after.bought.Lt(before.bought) {
		return nil
	}
	arrived := new(uint256.Int).Sub(after.bought, before.bought)
	if !arrived.Lt(leastOf(t.Amount)) {
		return nil
	}
	missing := new(uint256.Int).Sub(t.Amount, arrived)
	// To the nearest basis point: tokens round their fee, most often down.
	tenths, _ := new(uint256.Int).MulDivOverflow(missing, uint256.NewInt(10*basis), t.Amount)
	return &TransferFee{Token: t.Token, BPS: uint32(max((tenths.Uint64()+5)/10, 1))}
}
