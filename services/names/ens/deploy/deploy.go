package deploy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Deployment is a deployed contract.
type Deployment struct {
	Contract    evm.Address
	Transaction [32]byte
}

// ChainError is the error if the node is on another chain than the contract is for. No transaction was
// sent.
type ChainError struct{ Node, Wanted *big.Int }

// Error names both chains.
func (e *ChainError) Error() string {
	return fmt.Sprintf("the node is on chain %s, not on %s", e.Node, e.Wanted)
}

// ErrReverted is returned if the transaction was mined but reverted.
var ErrReverted = errors.New("the transaction reverted")

// Deploy deploys the contract on a chain, given by its number (EIP-155), with a transaction that the key's account pays
// for, and waits until the transaction is mined. If ctx ends before, the error contains the hash of the transaction. It
// fails with [*ChainError] if the node is on another chain.
func Deploy(ctx context.Context, node chainclient.Transport, chainID *big.Int, payer ens.Key, r Resolver) (Deployment, error) {
	nonce, hash, err := send(ctx, node, chainID, payer, nil, r.Code())
	if err != nil {
		return Deployment{}, err
	}
	return Deployment{crypto.CreateAddress(payer.Address(), nonce), hash}, nil
}

// send sends a transaction to a contract, or creates one if to is nil, and waits until it is mined.
func send(ctx context.Context, node chainclient.Transport, chainID *big.Int, payer ens.Key, to *evm.Address, data []byte) (nonce uint64, hash [32]byte, err error) {
	t, err := prepare(ctx, node, payer.Address(), to, data)
	if err != nil {
		return 0, hash, err
	}
	if t.ChainID.Cmp(chainID) != 0 {
		return 0, hash, &ChainError{t.ChainID, chainID}
	}
	signed, err := payer.SignTransaction(t)
	if err != nil {
		return 0, hash, err
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		return 0, hash, err
	}
	sent, err := node.Batch(ctx, chainclient.Call{Method: "eth_sendRawTransaction", Params: []any{hexutil.Encode(raw)}})
	if err != nil {
		return 0, signed.Hash(), err
	}
	if err := sent[0].Err(); err != nil {
		return 0, signed.Hash(), fmt.Errorf("send the transaction: %w", err)
	}
	if err := await(ctx, node, signed.Hash().String()); err != nil {
		return 0, signed.Hash(), fmt.Errorf("transaction %s: %w", signed.Hash(), err)
	}
	return t.Nonce, signed.Hash(), nil
}

// prepare reads the values for the transaction from the node.
func prepare(ctx context.Context, node chainclient.Transport, payer evm.Address, to *evm.Address, data []byte) (*types.DynamicFeeTx, error) {
	call := map[string]string{"from": payer.String(), "data": hexutil.Encode(data)}
	if to != nil {
		call["to"] = to.String()
	}
	var chainID, nonce, price, tip, gas *big.Int
	into := []**big.Int{&chainID, &nonce, &price, &tip, &gas}
	calls := []chainclient.Call{
		{Method: "eth_chainId"},
		{Method: "eth_getTransactionCount", Params: []any{payer.String(), "pending"}},
		{Method: "eth_gasPrice"},
		{Method: "eth_maxPriorityFeePerGas"},
		{Method: "eth_estimateGas", Params: []any{call}},
	}
	results, err := node.Batch(ctx, calls...)
	if err != nil {
		return nil, err
	}
	for i, result := range results {
		if *into[i], err = result.Quantity(); err != nil {
			return nil, fmt.Errorf("%s: %w", calls[i].Method, err)
		}
	}
	// The base fee may double while the transaction is pending; the unused part is not charged.
	highest := new(big.Int).Lsh(price, 1)
	if tip.Cmp(highest) > 0 {
		tip = highest
	}
	// A fifth more gas than estimated; unused gas is not charged either.
	return &types.DynamicFeeTx{ChainID: chainID, Nonce: nonce.Uint64(), GasTipCap: tip, GasFeeCap: highest, Gas: gas.Uint64() * 6 / 5, To: to, Data: data}, nil
}

// interval is how often the node is polled for the receipt.
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

// receipt reports whether the transaction is mined. It fails with [ErrReverted].
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
