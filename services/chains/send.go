package chains

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// blobTransaction is the EIP-4844 type, whose hash does not cover all that is sent.
const blobTransaction = 0x03

// send passes a signed transaction on. It is the same transaction whichever node gets it and however often, so that it may go to a second
// node; and a node that refuses it because the chain has it already has not refused it.
func (d *door) send(ctx context.Context, q request) ([]byte, error) {
	d.changed()
	defer d.changed()
	o, err := d.pool.ask(ctx, q.call())
	if err != nil {
		return nil, err
	}
	if o.response.Error != nil {
		if hash, ok := transactionHash(q.Params); ok && d.isTaken(ctx, *o.response.Error, hash) {
			o.response = response{Result: encode(hash)}
		}
	}
	return q.reply(o.response), nil
}

var (
	// alreadyKnown: the node says that it holds this very transaction.
	alreadyKnown = []string{"already known", "known transaction", "already imported", "already exists", "already in mempool", "already in the pool"}
	// nonceUsed: a transaction with its nonce is on the chain, which may be this one.
	nonceUsed = []string{"nonce too low", "nonce is too low", "old nonce", "nonce has already been used", "lower than the current nonce"}
)

// isTaken reports whether a refusal means that the transaction with that hash arrived before: a node must show it.
func (d *door) isTaken(ctx context.Context, refusal jsonrpc.Error, hash string) bool {
	if !mentions(refusal, alreadyKnown) && !mentions(refusal, nonceUsed) {
		return false
	}
	o, err := d.pool.ask(ctx, lookUp("eth_getTransactionByHash", hash))
	return err == nil && o.response.Error == nil && !o.response.isNull()
}

// lookUp is a look-up of our own by hash.
func lookUp(name string, params ...any) call {
	q := request{Request: jsonrpc.Request{Method: name, Params: encode(params)}, known: evmMethods[name]}
	return q.call()
}

// transactionHash is the Keccak-256 of a signed transaction (EIP-2718).
func transactionHash(params json.RawMessage) (string, bool) {
	var list []string
	if json.Unmarshal(params, &list) != nil || len(list) != 1 {
		return "", false
	}
	digits, ok := strings.CutPrefix(list[0], "0x")
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) == 0 || raw[0] == blobTransaction {
		return "", false
	}
	return crypto.Keccak256Hash(raw).String(), true
}
