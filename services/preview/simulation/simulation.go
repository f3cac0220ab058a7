// Package simulation runs calls of an account on the newest block of a chain, without sending them.
package simulation

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
	"github.com/hawser-dev/hawser/services/plain"
	"github.com/hawser-dev/hawser/services/preview/cause"
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

// Result is the result of the calls.
type Result struct {
	// Reverts reports whether a call reverts, and Reason has the contract's reason.
	Reverts bool
	Reason  string
	// Cause is the reason if it is not text of the contract.
	Cause cause.Cause
	// Logs are the logs of all calls. A transfer of the native token is a Transfer event of [NativeToken].
	Logs []chainclient.LogJSON
	// Gas is the gas of all calls.
	Gas uint64
	// Moved is the increase of the account's balance of each watched token, in base units; tokens without a balance are
	// left out.
	Moved map[evm.Address]*big.Int
}

var balanceOf = calldata.Parse("balanceOf(address)")

// NativeToken is the contract in events that represent transfers of the native token.
var NativeToken = evm.Native

// Run runs calls of an account in sequence. If delegate is not nil, the account runs the code at that address
// (EIP-7702). The balances of the watched tokens are read before and after. It fails with [ErrUnsupported] and with
// errors of the transport.
func Run(ctx context.Context, node chainclient.Transport, account evm.Address, delegate *evm.Address, calls []Call, watched []evm.Address) (Result, error) {
	overrides := map[string]any{}
	if delegate != nil {
		overrides[account.String()] = map[string]any{"code": hexutil.Bytes(types.AddressToDelegation(*delegate))}
	}
	var balances []any
	for _, token := range watched {
		balances = append(balances, map[string]any{"from": evm.Address{}, "to": token, "input": hexutil.Bytes(balanceOf.Write(account))})
	}
	list := slices.Clone(balances)
	for _, c := range calls {
		call := map[string]any{"from": account, "value": (*hexutil.Big)(c.Value), "input": hexutil.Bytes(c.Data)}
		if c.To != nil {
			call["to"] = *c.To
		}
		list = append(list, call)
	}
	list = append(list, balances...)
	block := map[string]any{"stateOverrides": overrides, "calls": list}
	raw, err := node.Call(ctx, "eth_simulateV1", map[string]any{
		"blockStateCalls": []any{block}, "traceTransfers": true, "validation": false,
	}, "latest")
	if failed, ok := errors.AsType[*chainclient.NodeError](err); ok {
		if strings.Contains(strings.ToLower(failed.Message), "insufficient") {
			return Result{Reverts: true, Reason: "The account has too little of the native token", Cause: cause.NativeLow}, nil
		}
		return Result{}, errors.Join(ErrUnsupported, err)
	}
	if err != nil {
		return Result{}, err
	}
	return parse(raw, len(calls), watched)
}

// simulated is the result of one call.
type simulated struct {
	Status chainclient.Uint64    `json:"status"`
	Gas    chainclient.Uint64    `json:"gasUsed"`
	Return chainclient.Bytes     `json:"returnData"`
	Logs   []chainclient.LogJSON `json:"logs"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func parse(raw json.RawMessage, n int, watched []evm.Address) (r Result, err error) {
	var blocks []struct {
		Calls []simulated `json:"calls"`
	}
	if err := json.Unmarshal(raw, &blocks); err != nil || len(blocks) != 1 || len(blocks[0].Calls) != n+2*len(watched) {
		return r, errors.Join(ErrUnsupported, chainclient.ErrAnswer, err)
	}
	all := blocks[0].Calls
	before, after := all[:len(watched)], all[len(watched)+n:]
	for _, c := range all[len(watched) : len(watched)+n] {
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
	r.Moved = map[evm.Address]*big.Int{}
	for i, token := range watched {
		was, ok := before[i].balance()
		is, stillOK := after[i].balance()
		if ok && stillOK {
			r.Moved[token] = is.Sub(is, was)
		}
	}
	return r, nil
}

// balance returns the result of balanceOf.
func (s simulated) balance() (*big.Int, bool) {
	const word = 32
	if s.Status != 1 || len(s.Return) != word {
		return nil, false
	}
	return new(big.Int).SetBytes(s.Return), true
}
