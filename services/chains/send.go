package chains

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"strings"

	"golang.org/x/crypto/sha3"
)

// blobTransaction is the EIP-4844 type, whose hash does not cover all that is sent.
const blobTransaction = 0x03

// send passes a signed transaction on. It is the same transaction whichever node gets it and however often, so that it may go to a second
// node; and a node that refuses it because the chain has it already has not refused it.
func (d *door) send(ctx context.Context, q request) ([]byte, error) {
	d.changed()
	defer d.changed()
	o, err := d.pool.ask(ctx, q.call())
	if err != nil || o.response.Error == nil {
		return o.answer, err
	}
	hash, ok := transactionHash(q.Params)
	if !ok || !d.isTaken(ctx, *o.response.Error, hash) {
		return o.answer, nil
	}
	return encode(rpcResponse{ID: q.ID, Result: hash}), nil
}

var (
	// alreadyKnown: the node holds this very transaction.
	alreadyKnown = []string{"already known", "known transaction", "already imported", "already exists", "already in mempool", "already in the pool"}
	// nonceUsed: a transaction with its nonce is on the chain, which may be this one.
	nonceUsed = []string{"nonce too low", "nonce is too low", "old nonce", "nonce has already been used", "lower than the current nonce"}
)

// isTaken reports whether a refusal means that the transaction with that hash arrived before.
func (d *door) isTaken(ctx context.Context, refusal rpcError, hash string) bool {
	if mentions(refusal, alreadyKnown) {
		return true
	}
	if !mentions(refusal, nonceUsed) {
		return false
	}
	body := encode(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "eth_getTransactionByHash", "params": []string{hash}})
	o, err := d.pool.ask(ctx, call{body: body, id: json.RawMessage("1"), lookup: true})
	return err == nil && o.response.Error == nil && !o.response.isNull()
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
	h := sha3.NewLegacyKeccak256()
	h.Write(raw)
	return "0x" + hex.EncodeToString(h.Sum(nil)), true
}
