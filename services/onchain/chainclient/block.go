package chainclient

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// ErrMoved is returned for blocks, logs or receipts of different forks: the chain changed while it was read. The read can be repeated.
var ErrMoved = errors.New("the chain changed while it was read")

// Header links a block to its parent.
type Header struct {
	Number uint64
	Hash   common.Hash
	Parent common.Hash
	// Time is in seconds since 1970.
	Time int64
}

// HeaderJSON is the header fields of a block in JSON-RPC. types.Header of go-ethereum requires fields that some chains
// do not have, and computes the hash, which some chains compute differently.
type HeaderJSON struct {
	Number     Uint64      `json:"number"`
	Hash       common.Hash `json:"hash"`
	ParentHash common.Hash `json:"parentHash"`
	Timestamp  Uint64      `json:"timestamp"`
}

// Header returns the header.
func (h HeaderJSON) Header() Header {
	return Header{Number: uint64(h.Number), Hash: h.Hash, Parent: h.ParentHash, Time: int64(h.Timestamp)}
}

// LogJSON is a log in JSON-RPC.
type LogJSON struct {
	// Index is the log's position in its block.
	Index    Uint64         `json:"logIndex"`
	Contract common.Address `json:"address"`
	Topics   []common.Hash  `json:"topics"`
	Data     Bytes          `json:"data"`
	// Block and Transaction are nil for a log of a transaction that is not in a block.
	Block       *common.Hash `json:"blockHash"`
	Number      Uint64       `json:"blockNumber"`
	Transaction *common.Hash `json:"transactionHash"`
	// Removed is set for a log of a block that a reorg removed.
	Removed bool `json:"removed"`
}

// leastLog is a size in bytes that the text of each log has.
const leastLog = 48

// UnmarshalJSON decodes a log, and refuses text that is too short for one: in a list of those, each would take many times its bytes.
func (l *LogJSON) UnmarshalJSON(raw []byte) error {
	if len(raw) < leastLog {
		return fmt.Errorf("%w: not a log", ErrAnswer)
	}
	type plain LogJSON
	return json.Unmarshal(raw, (*plain)(l))
}

// LatestBlock returns the call for the header of the newest block.
func LatestBlock() Call { return Call{Method: "eth_getBlockByNumber", Params: []any{"latest", false}} }

// BlockByNumber returns the call for a block, with its transactions if transactions is set.
func BlockByNumber(number uint64, transactions bool) Call {
	return Call{Method: "eth_getBlockByNumber", Params: []any{Uint64(number).String(), transactions}}
}

// BlockByHash returns the call for a block, with its transactions if transactions is set.
func BlockByHash(hash common.Hash, transactions bool) Call {
	return Call{Method: "eth_getBlockByHash", Params: []any{hash.String(), transactions}}
}

// LogFilter is the address and topics members of an eth_getLogs filter.
type LogFilter map[string]any

// OfBlock returns the call for the matching logs of one block.
func (f LogFilter) OfBlock(hash common.Hash) Call {
	return f.with(map[string]any{"blockHash": hash.String()})
}

// Between returns the call for the matching logs of the blocks from to to, both included.
func (f LogFilter) Between(from, to uint64) Call {
	return f.with(map[string]any{"fromBlock": Uint64(from).String(), "toBlock": Uint64(to).String()})
}

func (f LogFilter) with(blocks map[string]any) Call {
	for k, v := range f {
		blocks[k] = v
	}
	return Call{Method: "eth_getLogs", Params: []any{blocks}}
}

// Header decodes the result of a call for a block. It fails with [ErrMoved] if there is no such block.
func (r Result) Header() (Header, error) {
	var h *HeaderJSON
	if err := r.Decode(&h); err != nil {
		return Header{}, err
	}
	if h == nil || h.Hash == (common.Hash{}) {
		return Header{}, fmt.Errorf("%w: no such block", ErrMoved)
	}
	return h.Header(), nil
}

// Logs decodes the result of eth_getLogs. It fails with [ErrMoved] if a log is not in a block of the chain.
func (r Result) Logs() ([]LogJSON, error) {
	var logs []LogJSON
	if err := r.Decode(&logs); err != nil {
		return nil, err
	}
	for _, l := range logs {
		if l.Block == nil || l.Transaction == nil || l.Removed {
			return nil, fmt.Errorf("%w: a log without a block", ErrMoved)
		}
	}
	return logs, nil
}
