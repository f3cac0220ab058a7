package execution

import (
	"slices"
	"time"

	"github.com/holiman/uint256"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
)

// Trial is a swap that is to be tried before anyone sees it, whoever built it.
type Trial struct {
	// Block is where it is tried; 0 is the newest.
	Block uint64
	// Mined is when the calls are taken to be mined: pools write more in a second in which nobody has traded yet. Zero is the block's own time.
	Mined time.Time
	// Sender makes the calls; Recipient is paid.
	Sender, Recipient evm.Address
	// Sold and Bought are tokens, or evm.Native.
	Sold, Bought evm.Address
	// Amount is how much is sold, and Expected how much is to be paid for it, in base units.
	Amount, Expected *uint256.Int
	// Approvals are what the sender will have allowed before.
	Approvals []Approval
	// Calls are the swap itself.
	Calls []Call
	// Transfers are those that the swap is made of, where that is known: so that a token that takes a fee can be told from a pool that pays less.
	Transfers []Transfer
}

// Transfer moves tokens from one pool to the next.
type Transfer struct {
	Token evm.Address
	// From is a pool; zero is the sender.
	From, To evm.Address
	// Amount is in base units.
	Amount *uint256.Int
}

// Approval lets a spender take an amount of the sold token, in base units.
type Approval struct {
	Spender evm.Address
	Amount  *uint256.Int
}

// Outcome is what came of a trial.
type Outcome struct {
	// Confirmed says that the calls succeeded and paid what was expected, to a hundredth of a percent.
	Confirmed bool
	// Refused says that the chain would not have them: they were tried, and failed or paid less. Calls that could not be tried are neither
	// confirmed nor refused.
	Refused bool
	// Why says why they were not confirmed, for people; empty when they were.
	Why string
	// Paid is what the recipient got, in base units; nil when that could not be measured.
	Paid *uint256.Int
	// Gas is what a limit of gas for the calls should be: what they used and nearly a third more, with what a rollup charges in gas. Zero
	// when it could not be measured.
	Gas uint64
	// ApprovalGas is the same for the approvals.
	ApprovalGas uint64
	// Reset says that the token refuses to change an allowance that is not zero: it must be set to zero first.
	Reset bool
	// Fee is what a token takes of transfers, where that is why the swap was not confirmed.
	Fee *TransferFee
}

// TransferFee is what a token keeps of what is transferred.
type TransferFee struct {
	Token evm.Address
	// BPS is the part of it, in hundredths of a percent, at least 1.
	BPS uint32
}

// approvalCalls are the approvals as calls; with a reset, each twice.
func (t Trial) approvalCalls(reset bool) []Call {
	var calls []Call
	for _, a := range t.Approvals {
		if reset {
			calls = append(calls, approve(t.Sold, a.Spender, new(uint256.Int)))
		}
		calls = append(calls, approve(t.Sold, a.Spender, a.Amount))
	}
	return calls
}

// approve lets spender take so much of the token.
func approve(token, spender evm.Address, amount *uint256.Int) Call {
	return Call{To: token, Data: encodeCall("approve(address,uint256)", spender, amount), Value: new(uint256.Int)}
}

// run asks the program to make calls as the sender, who may be given what is sold.
func (t Trial) run(gift overrides, calls ...[]Call) chainclient.Call {
	sender := override{Code: program}
	if t.Sold == evm.Native {
		sender.Balance = t.fundedBalance().Hex()
	}
	tx := transaction{From: t.Sender.String(), To: t.Sender.String(), Data: hexutil.Encode(encodeProgram(t.Sold, t.Bought, t.Recipient, slices.Concat(calls...)))}
	return callAt(tx, t.Block, gift.with(t.Sender, sender))
}

// fundedBalance is what a sender of ether is given, in wei.
func (t Trial) fundedBalance() *uint256.Int {
	sum, overflow := new(uint256.Int).AddOverflow(t.value(), extraWei)
	if overflow {
		sum.SetAllOne()
	}
	return sum
}

// extraWei is what a sender of ether has beside what it sells.
var extraWei = uint256.NewInt(1e18)

// value is what the calls send along in all, in wei.
func (t Trial) value() *uint256.Int {
	sum := new(uint256.Int)
	for _, c := range t.Calls {
		sum.Add(sum, c.Value)
	}
	return sum
}
