package execution

import (
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Trial is a swap to simulate.
type Trial struct {
	// Block is the block of the simulation; 0 for the newest.
	Block uint64
	// Mined is the block time of the simulation: pools use more gas in the first trade of a second. Zero for the block's own time.
	Mined time.Time
	// Sender makes the calls; Recipient receives.
	Sender, Recipient evm.Address
	// Sold and Bought are tokens, or evm.Native.
	Sold, Bought evm.Address
	// Amount is the input and Expected the output, in base units.
	Amount, Expected *uint256.Int
	// Approvals are made before the calls.
	Approvals []Approval
	// Granted is the spender that Permit2 lets take the amount during the simulation; zero for none.
	Granted evm.Address
	// Calls are the swap itself.
	Calls []Call
	// Checked is the same swap as a call that reverts unless the router pays out Expected, less one basis point; nil where the router has no such check.
	// It stands in for a count of what is paid on chains that cannot count it.
	Checked *Call
	// Transfers are the swap's transfers, if they are known. They distinguish a token with a fee on transfers from a pool that pays less.
	Transfers []Transfer
}

// Transfer moves tokens from one pool to the next.
type Transfer struct {
	Token evm.Address
	// From is a pool; zero for the sender.
	From, To evm.Address
	// Amount is in base units.
	Amount *uint256.Int
}

// Approval is a spender's allowance for the sold token, in base units.
type Approval struct {
	Spender evm.Address
	Amount  *uint256.Int
}

// Outcome is the result of a trial.
type Outcome struct {
	// Confirmed says that the calls succeeded and paid what was expected, within one basis point. On ZKsync the router compares what it holds.
	Confirmed bool
	// Refused says that the calls failed or paid less. Calls that could not be simulated are neither confirmed nor refused.
	Refused bool
	// Why is the public reason for calls that are not confirmed; empty otherwise.
	Why string
	// Cause is why calls could not be simulated, and Detail the contract's own message.
	Cause  Cause
	Detail string
	// Paid is what the recipient received, in base units; nil if it could not be measured.
	Paid *uint256.Int
	// Gas is the gas limit for the calls: 1.3 times what they used. Zero if it could not be measured.
	Gas uint64
	// Reset says that the token refuses to change an allowance that is not zero, which must be set to zero first.
	Reset bool
	// Fee is a token's fee on transfers, if that is why the swap was not confirmed.
	Fee *TransferFee
}

// Cause is why calls could not be simulated. Its values are those of the API.
type Cause int

// Causes: no node simulated the calls; a vendor builds them later; the sender does not hold the amount; the paid amount
// cannot be measured; the chain's nodes simulate only single calls; the calls fail for the sender in its current state.
const (
	Unanswered Cause = iota + 1
	NotBuilt
	BalanceLow
	Uncounted
	SeveralCalls
	FailsNow
)

// TransferFee is a token's fee on transfers.
type TransferFee struct {
	Token evm.Address
	// BPS is the fee in basis points, at least 1.
	BPS uint32
}

// approvalCalls returns the calls of the approvals; with reset, each after one of zero. That of Permit2 is the last.
func (t Trial) approvalCalls(reset bool) []Call {
	var calls []Call
	for _, a := range t.Approvals {
		if reset {
			calls = append(calls, approve(t.Sold, a.Spender, new(uint256.Int)))
		}
		calls = append(calls, approve(t.Sold, a.Spender, a.Amount))
	}
	if t.Granted != (evm.Address{}) {
		calls = append(calls, grant(t.Sold, t.Granted, t.Amount))
	}
	return calls
}

// approve returns the call that sets a spender's allowance.
func approve(token, spender evm.Address, amount *uint256.Int) Call {
	return Call{To: token, Data: encodeCall("approve(address,uint256)", spender, amount), Value: new(uint256.Int)}
}

// run returns the eth_call in which the program makes calls as the sender; funding overrides the sender's balance.
func (t Trial) run(funding overrides, calls ...[]Call) chainclient.Call {
	sender := override{Code: program}
	if t.Sold == evm.Native {
		sender.Balance = t.fundedBalance().Hex()
	}
	tx := transaction{From: t.Sender.String(), To: t.Sender.String(), Data: hexutil.Encode(encodeProgram(t.Sold, t.Bought, t.Recipient, slices.Concat(calls...)))}
	return callAt(tx, t.Block, funding.with(t.Sender, sender))
}

// fundedBalance is the simulated balance of a sender of ether, in wei.
func (t Trial) fundedBalance() *uint256.Int {
	sum, overflow := new(uint256.Int).AddOverflow(t.value(), extraWei)
	if overflow {
		sum.SetAllOne()
	}
	return sum
}

// extraWei is the part of fundedBalance that is not sold.
var extraWei = uint256.NewInt(1e18)

// value returns the wei that all calls send.
func (t Trial) value() *uint256.Int {
	sum := new(uint256.Int)
	for _, c := range t.Calls {
		sum.Add(sum, c.Value)
	}
	return sum
}
