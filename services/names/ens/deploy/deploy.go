package deploy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"

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

// ErrReverted says that the chain took the transaction, and that it created nothing.
var ErrReverted = errors.New("the transaction reverted")

// Deploy creates the contract on a chain, by its number (EIP-155), with a transaction that the key's account pays for, and returns once the chain has it. When ctx ends before,
// the error says which transaction to look for. It fails with [*ChainError] where the node is of another chain.
func Deploy(ctx context.Context, node evm.Transport, chainID *big.Int, payer ens.Key, r Resolver) (Deployment, error) {
	c, err := prepare(ctx, node, payer.Address(), r.Code())
	if err != nil {
		return Deployment{}, err
	}
	if c.chainID.Cmp(chainID) != 0 {
		return Deployment{}, &ChainError{c.chainID, chainID}
	}
	raw, hash := c.signed(payer)
	sent, err := evm.Ask(ctx, node, evm.Question{Method: "eth_sendRawTransaction", Params: []any{evm.Hex(raw)}})
	if err != nil {
		return Deployment{}, err
	}
	if err := sent[0].Err(); err != nil {
		return Deployment{}, fmt.Errorf("send the transaction: %w", err)
	}
	if err := await(ctx, node, evm.Hex(hash[:])); err != nil {
		return Deployment{}, fmt.Errorf("transaction %s: %w", evm.Hex(hash[:]), err)
	}
	return Deployment{address(payer.Address(), c.nonce), hash}, nil
}

// prepare asks the node what the transaction needs to say.
func prepare(ctx context.Context, node evm.Transport, payer evm.Address, code []byte) (creation, error) {
	c := creation{code: code}
	price := new(big.Int)
	into := []**big.Int{&c.chainID, &c.nonce, &price, &c.tip, &c.gas}
	questions := []evm.Question{
		{Method: "eth_chainId", Params: []any{}},
		{Method: "eth_getTransactionCount", Params: []any{payer.String(), "pending"}},
		{Method: "eth_gasPrice", Params: []any{}},
		{Method: "eth_maxPriorityFeePerGas", Params: []any{}},
		{Method: "eth_estimateGas", Params: []any{map[string]string{"from": payer.String(), "data": evm.Hex(code)}}},
	}
	results, err := evm.Ask(ctx, node, questions...)
	if err != nil {
		return c, err
	}
	for i, result := range results {
		if *into[i], err = result.Quantity(); err != nil {
			return c, fmt.Errorf("%s: %w", questions[i].Method, err)
		}
	}
	// The base fee may double while the transaction waits; what is not used is not paid.
	c.maxFee = new(big.Int).Lsh(price, 1)
	if c.tip.Cmp(c.maxFee) > 0 {
		c.tip = c.maxFee
	}
	// A fifth more gas than estimated: what is not used is not paid either.
	c.gas.Div(c.gas.Mul(c.gas, big.NewInt(6)), big.NewInt(5))
	return c, nil
}

// interval is how often the node is asked whether it has the transaction.
const interval = time.Second

func await(ctx context.Context, node evm.Transport, hash string) error {
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
func receipt(ctx context.Context, node evm.Transport, hash string) (mined bool, err error) {
	results, err := evm.Ask(ctx, node, evm.Question{Method: "eth_getTransactionReceipt", Params: []any{hash}})
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
