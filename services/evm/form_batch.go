package evm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// callGas is the gas of one eth_call that gives its target the same share as the program does: 21,000 and the call data beside.
const callGas = gasPerCall + 21_000 + 4_000

// rpcBatch asks one JSON-RPC call a target, in one body: every node understands it.
type rpcBatch struct{}

func (rpcBatch) name() string { return "JSON-RPC batch" }
func (rpcBatch) limit() int   { return 99 }

func (rpcBatch) ask(ctx context.Context, send Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	requests := []request{newRequest(0, "eth_getBlockByNumber", block, false)}
	for _, q := range queries {
		for _, t := range q.Targets {
			requests = append(requests, singleRequest(len(requests), q, t, block))
		}
	}
	responses, err := batch(ctx, send, requests)
	if err != nil {
		return nil, time.Time{}, err
	}
	at, err := blockTime(responses[0])
	if err != nil {
		return nil, time.Time{}, err
	}
	var answers []Answer
	for _, q := range queries {
		for range q.Targets {
			a, err := singleAnswer(q, responses[1+len(answers)])
			if err != nil {
				return nil, time.Time{}, err
			}
			answers = append(answers, a)
		}
	}
	return answers, at, nil
}

func singleRequest(id int, q Query, target Address, block string) request {
	if len(q.Call) == 0 {
		return newRequest(id, "eth_getBalance", target.String(), block)
	}
	tx := map[string]string{"to": target.String(), "data": encodeHex(q.Call), "gas": fmt.Sprintf("%#x", callGas)}
	return newRequest(id, "eth_call", tx, block)
}

func singleAnswer(q Query, r response) (Answer, error) {
	raw, err := r.outcome()
	if err != nil {
		var node *nodeError
		if len(q.Call) > 0 && errors.As(err, &node) && node.executed() {
			return Answer{}, nil
		}
		return Answer{}, err
	}
	read := decodeHex
	if len(q.Call) == 0 {
		read = decodeQuantity
	}
	data, err := read(raw)
	if err != nil {
		return Answer{}, err
	}
	return q.kept(data), nil
}

func blockTime(r response) (time.Time, error) {
	raw, err := r.outcome()
	if err != nil {
		return time.Time{}, err
	}
	var block struct {
		Timestamp json.RawMessage `json:"timestamp"`
	}
	if err := json.Unmarshal(raw, &block); err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", errAnswer, err)
	}
	word, err := decodeQuantity(block.Timestamp)
	if err != nil {
		return time.Time{}, err
	}
	seconds, ok := wordUint64(word)
	if !ok || seconds > maxTime {
		return time.Time{}, fmt.Errorf("%w: no block time", errAnswer)
	}
	return time.Unix(int64(seconds), 0), nil
}

// executionTexts are what nodes say when the contract failed, and not they. Code 3 (EIP-1474 as geth uses it) says it too, but
// only for REVERT.
var executionTexts = []string{
	"revert", "out of gas", "outofgas", "invalid opcode", "opcode", "invalid jump", "stack underflow", "stack limit", "vm execution error", "evm error", "contract execution",
}

// executed says that the call ran and failed by the contract's own doing.
func (e *nodeError) executed() bool {
	if e.Code == 3 {
		return true
	}
	message := strings.ToLower(e.Message)
	for _, text := range executionTexts {
		if strings.Contains(message, text) {
			return true
		}
	}
	return false
}
