package proxy

import (
	"context"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// submit sends a signed transaction, and returns its hash, or the refusal of a node. It has no further effect to send it to several nodes, or
// again. The error of a node that already has the transaction is not returned.
func (p *Proxy) submit(ctx context.Context, q rpc.Request) (pool.Outcome, error) {
	p.countWrite()
	defer p.countWrite()
	o, err := p.pool.Do(ctx, pool.NewCall(q))
	if err != nil {
		return pool.Outcome{}, err
	}
	if o.Response.Error != nil {
		if hash, ok := transactionHash(q.Params); ok && p.isAccepted(ctx, *o.Response.Error, hash) {
			o.Response = rpc.Response{Result: rpc.Encode(hash)}
		}
	}
	return o, nil
}

var (
	// alreadyKnown lists messages of a node that has this transaction.
	alreadyKnown = []string{"already known", "known transaction", "already imported", "already exists", "already in mempool", "already in the pool"}
	// nonceUsed lists messages for a nonce that a transaction on the chain, perhaps this one, has used.
	nonceUsed = []string{"nonce too low", "nonce is too low", "old nonce", "nonce has already been used", "lower than the current nonce"}
)

// isAccepted reports whether an error means that the transaction with that hash was accepted before: a node must have it.
func (p *Proxy) isAccepted(ctx context.Context, refusal jsonrpc.Error, hash string) bool {
	if !rpc.Mentions(refusal, alreadyKnown) && !rpc.Mentions(refusal, nonceUsed) {
		return false
	}
	o, err := p.pool.Do(ctx, pool.NewCall(rpc.NewRequest("eth_getTransactionByHash", hash)))
	return err == nil && o.Response.Error == nil && !o.Response.IsNull()
}

// transactionHash returns the Keccak-256 hash of a signed transaction (EIP-2718). A blob transaction has none here: its hash does not cover all
// that is sent (EIP-4844).
func transactionHash(params json.RawMessage) (string, bool) {
	var list []string
	if json.Unmarshal(params, &list) != nil || len(list) != 1 {
		return "", false
	}
	raw, err := hexutil.Decode(list[0])
	if err != nil || len(raw) == 0 || raw[0] == types.BlobTxType {
		return "", false
	}
	return crypto.Keccak256Hash(raw).String(), true
}
