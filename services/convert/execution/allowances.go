package execution

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// readTimeout bounds one read of allowances, permits or gas prices.
const readTimeout = 3 * time.Second

// writeGas is the extra gas of a storage write from zero over a change of a non-zero word (EIP-2200).
const writeGas = 17_100

// Allowances reads allowances and builds approvals. It is safe for concurrent use.
type Allowances struct {
	connect func(chainID string) chainclient.Transport
}

// NewAllowances returns a reader that reaches the nodes of a CAIP-2 chain through connect.
func NewAllowances(connect func(chainID string) chainclient.Transport) *Allowances {
	return &Allowances{connect}
}

// Approve holds the transactions of an approval.
type Approve struct {
	// Calls are sent in order, each after the one before is mined: one, or two for a token that refuses to change an allowance that is not zero.
	Calls []Call
	// Gas is the gas limit of each call, in units; 0 if it could not be estimated.
	Gas []uint64
}

// Reset reports whether the first call sets the allowance to zero.
func (a Approve) Reset() bool { return len(a.Calls) > 1 }

// Of returns how much of a token a spender may take from its owner, in base units; 2^256-1 for the native currency,
// which needs no allowance. It fails if the contract is not an ERC-20.
func (a *Allowances) Of(ctx context.Context, chainID string, token, owner, spender evm.Address) (*uint256.Int, error) {
	if token == evm.Native {
		return new(uint256.Int).Not(new(uint256.Int)), nil
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	results, err := a.connect(chainID).Batch(ctx, callAt(allowanceCall(token, owner, spender), 0, nil))
	if err != nil {
		return nil, err
	}
	return word(results[0])
}

// Approve builds the approval of an amount in base units. It simulates the approval for the owner to find out whether
// the token requires a reset first.
func (a *Allowances) Approve(ctx context.Context, chainID string, token, owner, spender evm.Address, amount *uint256.Int) (Approve, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	send := a.connect(chainID)
	whole, nothing := approve(token, spender, amount), approve(token, spender, new(uint256.Int))
	results, err := send.Batch(ctx,
		callAt(allowanceCall(token, owner, spender), 0, nil), callAt(whole.from(owner), 0, nil), estimate(whole, owner), estimate(nothing, owner))
	if err != nil {
		return Approve{}, err
	}
	allowance, err := word(results[0])
	if err != nil {
		return Approve{}, err
	}
	resetGas := estimated(results[3])
	if taken(results[1]) || allowance.IsZero() || resetGas == 0 {
		return Approve{Calls: []Call{whole}, Gas: []uint64{estimated(results[2])}}, nil
	}
	return Approve{Calls: []Call{nothing, whole}, Gas: []uint64{resetGas, resetGas + padded(writeGas)}}, nil
}

func allowanceCall(token, owner, spender evm.Address) transaction {
	return transaction{To: token.String(), Data: hexutil.Encode(encodeCall("allowance(address,address)", owner, spender))}
}

// taken reports whether an approval succeeded: it neither reverted nor returned false.
func taken(r chainclient.Result) bool {
	data, err := r.Bytes()
	return err == nil && madeCall{ok: true, answer: data}.approved()
}

func estimate(c Call, sender evm.Address) chainclient.Call {
	return chainclient.Call{Method: "eth_estimateGas", Params: []any{c.from(sender)}}
}

// estimated returns the padded gas limit of an estimate; 0 if the call fails.
func estimated(r chainclient.Result) uint64 {
	gas, err := r.Quantity()
	if err != nil || !gas.IsUint64() || gas.BitLen() > 40 {
		return 0
	}
	return padded(gas.Uint64())
}

// word decodes an answer of one word.
func word(r chainclient.Result) (*uint256.Int, error) {
	data, err := r.Bytes()
	if err != nil {
		return nil, err
	}
	if len(data) < wordSize {
		return nil, errNoWord
	}
	return new(uint256.Int).SetBytes32(data[:wordSize]), nil
}
