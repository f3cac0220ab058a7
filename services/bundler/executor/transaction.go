package executor

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
)

// signer returns the [Signer] of transactions that execute a record.
func (e *Executor) signer(r Record, chainID *big.Int, key account.Key, fee Fee) Signer {
	o := r.Operation
	return func(nonce uint64) (Transaction, error) {
		var signed *types.Transaction
		var err error
		data, gas := o.HandleOps(key.Address()), gasLimit(o)
		switch {
		case r.IsRemoval():
			signed, err = signRemoval(o, chainID, key, fee, nonce)
		case o.Authorization == nil:
			signed, err = key.SignTransaction(&types.DynamicFeeTx{
				ChainID: chainID, Nonce: nonce, GasTipCap: fee.Tip, GasFeeCap: fee.Max, Gas: gas, To: &r.EntryPoint, Data: data,
			})
		default:
			signed, err = key.SignSetCode(&types.SetCodeTx{
				ChainID: uint256.MustFromBig(chainID), Nonce: nonce, GasTipCap: uint256.MustFromBig(fee.Tip), GasFeeCap: uint256.MustFromBig(fee.Max),
				Gas: gas, To: r.EntryPoint, Data: data, AuthList: []types.SetCodeAuthorization{o.Authorization.SetCode()},
			})
		}
		if err != nil {
			return Transaction{}, err
		}
		return e.transaction(r, key, signed, fee)
	}
}

// empty returns a transaction without effect that uses a nonce.
func (e *Executor) empty(r Record, chainID *big.Int, key account.Key, fee Fee, nonce uint64) (Transaction, error) {
	to := key.Address()
	signed, err := key.SignTransaction(&types.DynamicFeeTx{
		ChainID: chainID, Nonce: nonce, GasTipCap: fee.Tip, GasFeeCap: fee.Max, Gas: 21_000, To: &to, Value: new(big.Int),
	})
	if err != nil {
		return Transaction{}, err
	}
	return e.transaction(r, key, signed, fee)
}

func (e *Executor) transaction(r Record, key account.Key, signed *types.Transaction, fee Fee) (Transaction, error) {
	raw, err := signed.MarshalBinary()
	now := e.clock.Now()
	return Transaction{
		ChainID: r.ChainID, Hash: signed.Hash(), Operation: r.Hash, Executor: key.Address(), Nonce: signed.Nonce(), Raw: raw, Fee: fee, Signed: now, Sent: now,
	}, err
}

// broadcast sends a transaction. It is not an error if a node has the transaction already, or a block one with its nonce: receipts show which.
func (e *Executor) broadcast(ctx context.Context, t Transaction) error {
	_, err := e.connect(t.ChainID).Call(ctx, "eth_sendRawTransaction", hexutil.Bytes(t.Raw))
	if err == nil {
		return nil
	}
	if text := strings.ToLower(err.Error()); strings.Contains(text, "already") || strings.Contains(text, "nonce too low") {
		return nil
	}
	return err
}

// refusals are parts of the messages of nodes for transactions that no later try makes acceptable.
var refusals = []string{"oversized", "underpriced", "exceeds block gas limit", "intrinsic gas", "gas limit too high", "gas price below", "gas tip cap", "floor data gas"}

// refusedForGood reports whether a node refused a transaction that it will not accept later, and why.
func refusedForGood(err error) (reason string, refused bool) {
	node, ok := errors.AsType[*chainclient.NodeError](err)
	if !ok {
		return "", false
	}
	text := strings.ToLower(node.Message)
	return node.Message, slices.ContainsFunc(refusals, func(part string) bool { return strings.Contains(text, part) })
}

// isEmpty reports whether the transaction only uses its nonce.
func (t Transaction) isEmpty() bool {
	var signed types.Transaction
	return signed.UnmarshalBinary(t.Raw) == nil && len(signed.Data()) == 0 && len(signed.SetCodeAuthorizations()) == 0
}

// sent returns when a transaction of the operation was last sent: soon before it was included.
func (o Open) sent() (last time.Time) {
	for _, t := range o.Transactions {
		if t.Sent.After(last) {
			last = t.Sent
		}
	}
	return last
}

// raises returns how often the fee for the nonce of the last transaction was raised.
func (o Open) raises() int {
	last, n := o.Transactions[len(o.Transactions)-1], -1
	for _, t := range o.Transactions {
		if t.Executor == last.Executor && t.Nonce == last.Nonce {
			n++
		}
	}
	return n
}
