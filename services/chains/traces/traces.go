// Package traces reads the native tokens that calls inside transactions moved from the traces of a block.
package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chains/rpc"
)

// maxTransfers bounds the transfers of a block. A call with a value costs 9,000 gas.
const maxTransfers = 50_000

// maxDepth bounds how deeply calls are nested. EVM chains allow 1,024.
const maxDepth = 1_024

// ErrUntraced is returned if a node does not trace a block: it refuses, or its answer is not the trace of the block.
var ErrUntraced = errors.New("block is not traced")

// ErrMoved is returned for the trace of another block with the same number: the chain changed, or the node is on another fork.
var ErrMoved = errors.New("the trace belongs to another block")

// Methods by which nodes trace a block. Nodes of Erigon, Nethermind, Reth and Besu have the first one, most nodes the second one.
const (
	TraceBlock = "trace_block"
	DebugTrace = "debug_traceBlockByHash"
)

// Block is the block to trace.
type Block struct {
	Number uint64
	Hash   common.Hash
}

// Transfer is a call inside a transaction that moved native tokens.
type Transfer struct {
	Transaction common.Hash
	From, To    common.Address
	// Value is in wei, and above zero.
	Value *big.Int
}

// Request returns the request for the trace of a block.
func Request(method string, b Block) rpc.Request {
	if method == TraceBlock {
		return rpc.NewTraceRequest(method, hexutil.EncodeUint64(b.Number))
	}
	return rpc.NewTraceRequest(method, b.Hash, map[string]string{"tracer": "callTracer"})
}

// Read returns the transfers of calls that succeeded in the answer to [Request], in the order of the calls, without what the transactions themselves send. The
// error wraps [ErrUntraced] or [ErrMoved].
func Read(method string, b Block, result json.RawMessage) ([]Transfer, error) {
	if string(bytes.TrimSpace(result)) == "null" {
		return nil, fmt.Errorf("%w: no such block", ErrUntraced)
	}
	if method == TraceBlock {
		return readFlat(b, result)
	}
	return readNested(result)
}

// flatTrace is an element of the answer to trace_block.
type flatTrace struct {
	Action struct {
		CallType      string          `json:"callType"`
		From          common.Address  `json:"from"`
		To            *common.Address `json:"to"`
		Value         *hexutil.Big    `json:"value"`
		Address       common.Address  `json:"address"`
		RefundAddress *common.Address `json:"refundAddress"`
		Balance       *hexutil.Big    `json:"balance"`
	} `json:"action"`
	Result *struct {
		Address *common.Address `json:"address"`
	} `json:"result"`
	BlockHash   common.Hash  `json:"blockHash"`
	Error       string       `json:"error"`
	Address     []int        `json:"traceAddress"`
	Transaction *common.Hash `json:"transactionHash"`
	Type        string       `json:"type"`
}

// leastTrace is a size in bytes that the text of each trace has.
const leastTrace = 64

// UnmarshalJSON decodes a trace, and refuses text that is too short for one: in a list of those, each would take many times its bytes.
func (t *flatTrace) UnmarshalJSON(raw []byte) error {
	if len(raw) < leastTrace {
		return errors.New("not a trace")
	}
	type plain flatTrace
	return json.Unmarshal(raw, (*plain)(t))
}

func readFlat(b Block, result json.RawMessage) (list []Transfer, err error) {
	var all []flatTrace
	if err := json.Unmarshal(result, &all); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUntraced, err)
	}
	var failed []int
	var transaction common.Hash
	for _, t := range all {
		if t.BlockHash != b.Hash {
			return nil, fmt.Errorf("%w: %s", ErrMoved, t.BlockHash)
		}
		if t.Transaction == nil {
			continue // The reward of a block.
		}
		if *t.Transaction != transaction {
			transaction, failed = *t.Transaction, nil
		}
		// Calls inside a failed one were reverted with it, and need not have an error of their own.
		if failed != nil && isInside(t.Address, failed) {
			continue
		}
		if failed = nil; t.Error != "" {
			failed = append([]int{}, t.Address...)
			continue
		}
		if len(t.Address) == 0 {
			continue
		}
		if from, to, value := t.move(); to != nil {
			if list, err = appendTransfer(list, Transfer{transaction, from, *to, value.ToInt()}); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// isInside reports whether a trace address is that of a call, or of one inside it.
func isInside(address, call []int) bool {
	if len(address) < len(call) {
		return false
	}
	for i, n := range call {
		if address[i] != n {
			return false
		}
	}
	return true
}

// move returns the sender, the recipient and the value of a trace; a nil recipient if it moved nothing.
func (t flatTrace) move() (from common.Address, to *common.Address, value *hexutil.Big) {
	a := t.Action
	switch {
	case t.Type == "call" && a.CallType == "call" && a.Value != nil:
		return a.From, a.To, a.Value
	case t.Type == "create" && t.Result != nil && a.Value != nil:
		return a.From, t.Result.Address, a.Value
	case t.Type == "suicide" && a.Balance != nil:
		return a.Address, a.RefundAddress, a.Balance
	}
	return common.Address{}, nil, nil
}

// frame is a call in the answer of geth's callTracer.
type frame struct {
	Type  string          `json:"type"`
	From  common.Address  `json:"from"`
	To    *common.Address `json:"to"`
	Value *hexutil.Big    `json:"value"`
	Error string          `json:"error"`
	Calls []frame         `json:"calls"`
}

// moves reports whether a call of this type moves its value from From to To.
func (f frame) moves() bool {
	switch strings.ToUpper(f.Type) {
	case "CALL", "CREATE", "CREATE2", "SELFDESTRUCT":
		return f.To != nil && f.Value != nil
	}
	return false
}

func readNested(result json.RawMessage) (list []Transfer, err error) {
	var all []struct {
		Transaction *common.Hash `json:"txHash"`
		Result      *frame       `json:"result"`
	}
	if err := json.Unmarshal(result, &all); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUntraced, err)
	}
	for _, t := range all {
		if t.Transaction == nil || t.Result == nil {
			return nil, fmt.Errorf("%w: a transaction without its hash or its trace", ErrUntraced)
		}
		if t.Result.Error != "" {
			continue
		}
		if list, err = appendInner(list, *t.Transaction, t.Result.Calls, 1); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func appendInner(list []Transfer, transaction common.Hash, calls []frame, depth int) (_ []Transfer, err error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%w: calls are nested more than %d times", ErrUntraced, maxDepth)
	}
	for _, f := range calls {
		if f.Error != "" {
			continue
		}
		if f.moves() {
			if list, err = appendTransfer(list, Transfer{transaction, f.From, *f.To, f.Value.ToInt()}); err != nil {
				return nil, err
			}
		}
		if list, err = appendInner(list, transaction, f.Calls, depth+1); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func appendTransfer(list []Transfer, t Transfer) ([]Transfer, error) {
	if t.Value.Sign() <= 0 {
		return list, nil
	}
	if len(list) >= maxTransfers {
		return nil, fmt.Errorf("%w: it has more than %d transfers", ErrUntraced, maxTransfers)
	}
	return append(list, t), nil
}
