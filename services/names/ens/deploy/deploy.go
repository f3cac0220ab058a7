package deploy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/ens"
)

// Deployment is a contract that was put on a chain.
type Deployment struct {
	Contract    evm.Address
	Transaction [32]byte
}

// ChainError says that the node is of another chain than the contract is meant for; nothing was sent to it.
type ChainError struct{ Node, Wanted *big.Int }

// Error names both.
func (e *ChainError) Error() string {
	return fmt.Sprintf("the node is of chain %s, not of %s", e.Node, e.Wanted)
}

// ErrReverted says that the chain took the transaction, and that it did nothing.
var ErrReverted = errors.New("the transaction reverted")

// Deploy creates the contract on a chain, by its number (EIP-155), with a transaction that the key's account pays for, and returns once the
// chain has it. When ctx ends before, the error says which transaction to look for. It fails with [*ChainError] where the node is of another
// chain.
func Deploy(ctx context.Context, node chainclient.Transport, chainID *big.Int, payer ens.Key, r Resolver) (Deployment, error) {
	nonce, hash, err := send(ctx, node, chainID, payer, nil, r.Code())
	if err != nil {
		return Deployment{}, err
	}
	return Deployment{address(payer.Address(), nonce), hash}, nil
}

// send sends a transaction to a contract, or creates one where to is nil, and returns once the chain has it.
func send(ctx context.Context, node chainclient.Transport, chainID *big.Int, payer ens.Key, to *evm.Address, data []byte) (nonce *big.Int, hash [32]byte, err error) {
	t, err := prepare(ctx, node, payer.Address(), to, data)
	if err != nil {
		return nil, hash, err
	}
	if t.chainID.Cmp(chainID) != 0 {
		return nil, hash, &ChainError{t.chainID, chainID}
	}
	raw, hash := t.signed(payer)
	sent, err := node.Batch(ctx, chainclient.Call{Method: "eth_sendRawTransaction", Params: []any{hexutil.Encode(raw)}})
	if err != nil {
		return nil, hash, err
	}
	if err := sent[0].Err(); err != nil {
		return nil, hash, fmt.Errorf("send the transaction: %w", err)
	}
	if err := await(ctx, node, hexutil.Encode(hash[:])); err != nil {
		return nil, hash, fmt.Errorf("transaction %s: %w", hexutil.Encode(hash[:]), err)
	}
	return t.nonce, hash, nil
}

// prepare asks the node what the transaction needs to say.
func prepare(ctx context.Context, node chainclient.Transport, payer evm.Address, to *evm.Address, data []byte) (transaction, error) {
	t := transaction{to: to, data: data}
	call := map[string]string{"from": payer.String(), "data": hexutil.Encode(data)}
	if to != nil {
		call["to"] = to.String()
	}
	price := new(big.Int)
	into := []**big.Int{&t.chainID, &t.nonce, &price, &t.tip, &t.gas}
	questions := []chainclient.Call{
		{Method: "eth_chainId", Params: []any{}},
		{Method: "eth_getTransactionCount", Params: []any{payer.String(), "pending"}},
		{Method: "eth_gasPrice", Params: []any{}},
		{Method: "eth_maxPriorityFeePerGas", Params: []any{}},
		{Method: "eth_estimateGas", Params: []any{call}},
	}
	results, err := node.Batch(ctx, questions...)
	if err != nil {
		return t, err
	}
	for i, result := range results {
		if *into[i], err = result.Quantity(); err != nil {
			return t, fmt.Errorf("%s: %w", questions[i].Method, err)
		}
	}
	// The base fee may double while the transaction waits; what is not used is not paid.
	t.maxFee = new(big.Int).Lsh(price, 1)
	if t.tip.Cmp(t.maxFee) > 0 {
		t.tip = t.maxFee
	}
	// A fifth more gas than estimated: what is not used is not paid either.
	t.gas.Div(t.gas.Mul(t.gas, big.NewInt(6)), big.NewInt(5))
	return t, nil
}

// interval is how often the node is asked whether it has the transaction.
const interval = time.Second

func await(ctx context.Context, node chainclient.Transport, hash string) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		mined, err := receipt(ctx, node, hash)
		if mined || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// receipt reports whether the chain has the transaction. It fails with [ErrReverted].
func receipt(ctx context.Context, node chainclient.Transport, hash string) (mined bool, err error) {
	results, err := node.Batch(ctx, chainclient.Call{Method: "eth_getTransactionReceipt", Params: []any{hash}})
	if err != nil {
		return false, err
	}
	raw, err := results[0].JSON()
	if err != nil {
		return false, err
	}
	var found *struct {
		Status string `json:"status"`
	}
	if err := json.Unmarshal(raw, &found); err != nil {
		return false, fmt.Errorf("receipt: %w", err)
	}
	if found != nil && found.Status != "0x1" {
		return true, ErrReverted
	}
	return found != nil, nil
}
