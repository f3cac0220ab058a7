package evm

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
)

// callGas is the gas of one eth_call that gives its target as much gas as the program does: 21,000 and the calldata are
// extra.
const callGas = gasPerCall + 21_000 + 4_000

// rpcBatch makes one JSON-RPC call per target, in one body. Every node supports it.
type rpcBatch struct{}

func (rpcBatch) name() string { return "JSON-RPC batch" }
func (rpcBatch) limit() int   { return 99 }

func (rpcBatch) send(ctx context.Context, t chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	calls := []chainclient.Call{{Method: "eth_getBlockByNumber", Params: []any{block, false}}}
	for _, q := range queries {
		for _, t := range q.Targets {
			calls = append(calls, singleCall(q, t, block))
		}
	}
	results, err := t.Batch(ctx, calls...)
	if err != nil {
		return nil, time.Time{}, err
	}
	at, err := blockTime(results[0])
	if err != nil {
		return nil, time.Time{}, err
	}
	var answers []Answer
	for _, q := range queries {
		for range q.Targets {
			a, err := singleAnswer(q, results[1+len(answers)])
			if err != nil {
				return nil, time.Time{}, err
			}
			answers = append(answers, a)
		}
	}
	return answers, at, nil
}

func singleCall(q Query, target Address, block string) chainclient.Call {
	if len(q.Call) == 0 {
		return chainclient.Call{Method: "eth_getBalance", Params: []any{target.String(), block}}
	}
	tx := map[string]string{"to": target.String(), "data": hexutil.Encode(q.Call), "gas": fmt.Sprintf("%#x", callGas)}
	return chainclient.Call{Method: "eth_call", Params: []any{tx, block}}
}

func singleAnswer(q Query, r chainclient.Result) (Answer, error) {
	if len(q.Call) == 0 {
		balance, err := r.Quantity()
		if err != nil {
			return Answer{}, err
		}
		return q.kept(balance.FillBytes(make([]byte, wordSize))), nil
	}
	if _, failed := r.Executed(); failed {
		return Answer{}, nil
	}
	data, err := r.Bytes()
	if err != nil {
		return Answer{}, err
	}
	return q.kept(data), nil
}

func blockTime(r chainclient.Result) (time.Time, error) {
	var block struct {
		Timestamp chainclient.Amount `json:"timestamp"`
	}
	if err := r.Decode(&block); err != nil {
		return time.Time{}, err
	}
	if seconds := block.Timestamp.Int; seconds != nil && seconds.IsInt64() && seconds.Int64() <= maxTime {
		return time.Unix(seconds.Int64(), 0), nil
	}
	return time.Time{}, fmt.Errorf("%w: no block time", chainclient.ErrAnswer)
}
