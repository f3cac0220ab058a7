package execution

import (
	"context"
	"fmt"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Costs of the protocol, in gas (EIP-2028, EIP-2929, EIP-2200, yellow paper appendix G).
const (
	transactionGas = 21_000
	zeroByteGas    = 4
	otherByteGas   = 16
	// callGas is what a contract pays to call another for the first time; a transaction's own target costs nothing.
	callGas = 2_600
	// valueGas is what a contract pays to send ether with a call, less the stipend; a transaction's own value costs nothing.
	valueGas = 9_000 - 2_300
	// approvedGas is what an approval in the same transaction saves the transfer after it: token and allowance are warm (EIP-2929), and the allowance is
	// dirty (EIP-2200).
	approvedGas = 2_600 + 2_100 + 2_800
)

// padded returns 1.3 times the gas: a pool uses more in the first trade of a second, when it writes its price oracle.
func padded(gas uint64) uint64 { return (gas*13 + 9) / 10 }

// intrinsicGas returns the gas of a transaction before execution.
func intrinsicGas(data []byte) uint64 {
	gas := uint64(transactionGas)
	for _, b := range data {
		if b == 0 {
			gas += zeroByteGas
		} else {
			gas += otherByteGas
		}
	}
	return gas
}

// swapGas returns the gas limit of the swap's calls, each sent as its own transaction.
func (a *attempt) swapGas(made []madeCall) uint64 {
	var gas uint64
	for i, m := range made {
		c := a.Calls[i]
		used := m.gas + intrinsicGas(c.Data) - callGas
		if !c.Value.IsZero() {
			used -= valueGas
		}
		gas += used
	}
	written := uint64(len(a.Approvals))
	if a.Granted != (evm.Address{}) {
		written++
	}
	return padded(gas + approvedGas*written)
}

// plain simulates the swap as an ordinary transaction, on chains that cannot run the program. It needs a sender that holds the amount and has approved it.
// It cannot measure what the recipient is paid: it confirms only what the router itself checks.
func (a *attempt) plain(ctx context.Context) (Outcome, error) {
	if len(a.Calls) != 1 {
		return Outcome{Cause: SeveralCalls, Why: "several calls cannot be tried on this chain"}, nil
	}
	tx := a.Calls[0].from(a.Sender)
	questions := []chainclient.Call{callAt(tx, a.Block, nil), {Method: "eth_estimateGas", Params: []any{tx}}}
	// A node of another chain that does not run the program is taken for one that cannot be relied on.
	if a.Checked != nil && !runsPrograms(a.chainID) {
		questions = append(questions, callAt(a.Checked.from(a.Sender), a.Block, nil))
	}
	results, err := a.send.Batch(ctx, questions...)
	if err != nil {
		return Outcome{}, err
	}
	if data, failed := results[0].Executed(); failed {
		return Outcome{Cause: FailsNow, Detail: strings.TrimPrefix(reason(data), ": "), Why: "the swap fails for this account as it stands" + reason(data)}, nil
	}
	if err := results[0].Err(); err != nil {
		return Outcome{}, err
	}
	o := a.checked(results[2:])
	if gas, err := results[1].Quantity(); err == nil && gas.IsUint64() {
		o.Gas = padded(gas.Uint64())
	}
	return o, nil
}

// checked returns the outcome of a swap that succeeds, by the result of the call whose router checks what it pays, if there is one.
func (a *attempt) checked(results []chainclient.Result) Outcome {
	if len(results) == 0 {
		return Outcome{Cause: Uncounted, Why: "what it pays cannot be counted on this chain"}
	}
	if data, failed := results[0].Executed(); failed {
		return Outcome{Refused: true, Why: fmt.Sprintf("the router does not pay %s", a.Expected) + reason(data)}
	}
	if results[0].Err() != nil {
		return Outcome{Cause: Uncounted, Why: "what it pays cannot be counted on this chain"}
	}
	return Outcome{Confirmed: true}
}
