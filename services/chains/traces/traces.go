// Package traces reads the native tokens that calls inside transactions moved from the traces of a block.
//
// A trace may be as large as a node's answer, and a transaction may make calls as deep and as many as its gas allows. Answers are read in one pass, without a value
// in memory for each call. A transaction with more transfers or deeper calls than are read is skipped as a whole, so that what is left out is known, and
// the others of the block are read.
package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chains/rpc"
)

const (
	// maxTransfers bounds the transfers of a block, and maxOfTransaction those of a transaction, so that one cannot take the place of the others. A call with
	// a value costs 9,000 gas.
	maxTransfers, maxOfTransaction = 50_000, 5_000
	// maxDepth bounds how deeply calls are nested. EVM chains allow 1,024.
	maxDepth = 1_024
)

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

// Trace is what calls inside the transactions of a block moved.
type Trace struct {
	// Transfers are those of calls that succeeded, in the order of the calls, without what the transactions themselves send.
	Transfers []Transfer
	// Skipped are the transactions whose calls are too many or too deep. Transfers has none of theirs.
	Skipped []common.Hash
}

// Read returns the trace in the answer to [Request]. The error wraps [ErrUntraced] or [ErrMoved].
func Read(method string, b Block, result json.RawMessage) (Trace, error) {
	switch {
	case !json.Valid(result):
		return Trace{}, fmt.Errorf("%w: not JSON", ErrUntraced)
	case string(bytes.TrimSpace(result)) == "null":
		return Trace{}, fmt.Errorf("%w: no such block", ErrUntraced)
	}
	r := reader{walker: walker{b: result}}
	read := r.nested
	if method == TraceBlock {
		read = func() error { return r.flat(b) }
	}
	if err := read(); err != nil {
		return Trace{}, err
	}
	return r.trace, nil
}

// reader reads the trace of a block.
type reader struct {
	walker
	trace Trace
	// first is the index of the first transfer of the transaction, and over is set once it is skipped.
	first int
	over  bool
}

// begin begins a transaction.
func (r *reader) begin() { r.first, r.over = len(r.trace.Transfers), false }

// end ends a transaction.
func (r *reader) end(transaction common.Hash) {
	if r.over {
		r.trace.Transfers = r.trace.Transfers[:r.first]
		r.trace.Skipped = append(r.trace.Skipped, transaction)
		return
	}
	for i := range r.trace.Transfers[r.first:] {
		r.trace.Transfers[r.first+i].Transaction = transaction
	}
}

// add inserts a transfer of the transaction at an index, if it moves anything.
func (r *reader) add(at int, from, to common.Address, value *hexutil.Big) {
	n := len(r.trace.Transfers)
	switch {
	case r.over || value.ToInt().Sign() <= 0:
	case n >= maxTransfers || n-r.first >= maxOfTransaction:
		r.over = true
	default:
		r.trace.Transfers = slices.Insert(r.trace.Transfers, at, Transfer{From: from, To: to, Value: value.ToInt()})
	}
}
