// Package simulation runs calls of an account on the newest block of a chain, without sending them.
package simulation

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/plain"
)

// reasonLimit bounds the reason of a revert, in characters.
const reasonLimit = 200

// ErrUnsupported is returned if the nodes of the chain cannot simulate.
var ErrUnsupported = errors.New("the nodes of the chain cannot simulate transactions")

// Call is one call. To is nil for the creation of a contract; Value is in wei.
type Call struct {
	To    *evm.Address
	Value *big.Int
	Data  []byte
}

// Result is what the calls do.
type Result struct {
	// Reverts reports whether a call reverts, and Reason why, as text of the contract.
	Reverts bool
	Reason  string
	// Logs are those of all calls. A transfer of the native token is a Transfer event of [NativeToken].
	Logs []chainclient.LogJSON
	// Gas is that of all calls.
	Gas uint64
}

// NativeToken is the contract of the events that stand for transfers of the native token.
var NativeToken = evm.Native

// Run runs calls one after the other from an account. With delegate, the account runs the code at that address (EIP-7702). It fails with
// [ErrUnsupported] and with errors of the transport.
func Run(ctx context.Context, node chainclient.Transport, account evm.Address, delegate *evm.Address, calls []Call) (Result, error) {
	overrides := map[string]any{}
	if delegate != nil {
		overrides[account.String()] = map[string]any{"code": hexutil.Bytes(types.AddressToDelegation(*delegate))}
	}
	list := make([]any, len(calls))
	for i, c := range calls {
		call := map[string]any{"from": account, "value": (*hexutil.Big)(c.Value), "input": hexutil.Bytes(c.Data)}
		if c.To != nil {
			call["to"] = *c.To
		}
		list[i] = call
	}
	block := map[string]any{"stateOverrides": overrides, "calls": list}
	raw, err := node.Call(ctx, "eth_simulateV1", map[string]any{
		"blockStateCalls": []any{block}, "traceTransfers": true, "validation": false,
	}, "latest")
	if failed, ok := errors.AsType[*chainclient.NodeError](err); ok {
		if strings.Contains(strings.ToLower(failed.Message), "insufficient") {
			return Result{Reverts: true, Reason: "The account has too little of the native token"}, nil
		}
		return Result{}, errors.Join(ErrUnsupported, err)
	}
	if err != nil {
		return Result{}, err
	}
	return parse(raw, len(calls))
}

func parse(raw json.RawMessage, n int) (r Result, err error) {
	var blocks []struct {
		Calls []struct {
			Status chainclient.Uint64    `json:"status"`
			Gas    chainclient.Uint64    `json:"gasUsed"`
			Return chainclient.Bytes     `json:"returnData"`
			Logs   []chainclient.LogJSON `json:"logs"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		} `json:"calls"`
	}
	if err := json.Unmarshal(raw, &blocks); err != nil || len(blocks) != 1 || len(blocks[0].Calls) != n {
		return r, errors.Join(ErrUnsupported, chainclient.ErrAnswer, err)
	}
	for _, c := range blocks[0].Calls {
		r.Gas += uint64(c.Gas)
		if c.Status == 1 {
			r.Logs = append(r.Logs, c.Logs...)
			continue
		}
		reason, err := abi.UnpackRevert(c.Return)
		if err != nil && c.Error != nil {
			reason = c.Error.Message
		}
		return Result{Reverts: true, Reason: plain.Text(reason, reasonLimit), Gas: r.Gas}, nil
	}
	return r, nil
}
