package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

const (
	// syncWait is how long a receipt is waited for unless the caller says otherwise. maxSyncWait bounds the waiting for all receipts of one body.
	syncWait    = 10 * time.Second
	maxSyncWait = 20 * time.Second
	// firstReceiptPoll and lastReceiptPoll bound the interval at which nodes are asked for the receipt.
	firstReceiptPoll = 100 * time.Millisecond
	lastReceiptPoll  = time.Second
	// codeNotMined is the code of EIP-7966 for a transaction that was sent and is in no block in time. The data of the error is its hash.
	codeNotMined = 4
)

// sendSync sends a signed transaction and returns its receipt (EIP-7966). Nodes are sent eth_sendRawTransaction: most have no method that waits, and
// a node that waits would be taken for one that hangs. A transaction that is sent after the time until is not waited for.
func (p *Proxy) sendSync(ctx context.Context, q rpc.Request, until time.Time) (rpc.Response, error) {
	raw, wait, refusal := syncParams(q.Params)
	if refusal != nil {
		return rpc.Response{Error: refusal}, nil
	}
	sent, err := p.submit(ctx, rpc.NewRequest(rpc.MethodSend, raw))
	if err != nil || sent.Response.Error != nil {
		return sent.Response, err
	}
	var hash common.Hash
	if json.Unmarshal(sent.Response.Result, &hash) != nil {
		return sent.Response, nil
	}
	wait = max(0, min(wait, time.Until(until).Round(time.Millisecond)))
	receipt, err := p.awaitReceipt(ctx, hash, wait)
	if err != nil {
		return rpc.Response{}, err
	}
	if receipt == nil {
		message := fmt.Sprintf("The transaction was added to the mempool but wasn't processed in %s", wait)
		return rpc.Response{Error: &jsonrpc.Error{Code: codeNotMined, Message: message, Data: rpc.Encode(hash)}}, nil
	}
	return rpc.Response{Result: receipt}, nil
}

// waitsEnd returns the time until which receipts are waited for in the answer to one body: at most two thirds of the caller's time, because the rest of a
// batch must still be sent.
func waitsEnd(ctx context.Context) time.Time {
	wait := maxSyncWait
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)*2/3)
	}
	return time.Now().Add(wait)
}

// syncParams returns the signed transaction, and how long its receipt is waited for: the second parameter, in milliseconds.
func syncParams(params json.RawMessage) (raw string, wait time.Duration, refusal *jsonrpc.Error) {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) != nil || len(list) < 1 || len(list) > 2 || json.Unmarshal(list[0], &raw) != nil {
		return "", 0, rpc.InvalidParams("params are a signed transaction, and perhaps a timeout in milliseconds")
	}
	if len(list) == 1 || string(list[1]) == "null" {
		return raw, syncWait, nil
	}
	var ms uint32
	if json.Unmarshal(list[1], &ms) != nil || ms == 0 {
		return "", 0, rpc.InvalidParams("the timeout is not a positive number of milliseconds")
	}
	return raw, time.Duration(ms) * time.Millisecond, nil
}

// awaitReceipt returns the receipt of a transaction; nil if it is in no block after that time. It returns the error of ctx.
func (p *Proxy) awaitReceipt(ctx context.Context, hash common.Hash, wait time.Duration) (json.RawMessage, error) {
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for pause := firstReceiptPoll; waiting.Err() == nil; pause = min(2*pause, lastReceiptPoll) {
		// A node that fails is asked again, as one that has no receipt.
		o, err := p.pool.Do(waiting, pool.NewCall(rpc.NewRequest("eth_getTransactionReceipt", hash)))
		if err == nil && o.Response.Error == nil && !o.Response.IsNull() {
			return o.Response.Result, nil
		}
		select {
		case <-waiting.Done():
		case <-time.After(pause):
		}
	}
	return nil, ctx.Err()
}
