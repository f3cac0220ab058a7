// Package rpc parses JSON-RPC requests to chains and the responses of their nodes. It has the allowed methods with
// their costs and the limits of log filters, and determines which block a request refers to and whether a result
// belongs to its request. It does no I/O.
package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

// maxMethodName is how much of a method's name an error repeats, in runes.
const maxMethodName = 64

// Methods that are handled specially.
const (
	MethodGetLogs     = "eth_getLogs"
	MethodSend        = "eth_sendRawTransaction"
	MethodSendSync    = "eth_sendRawTransactionSync"
	MethodBlockNumber = "eth_blockNumber"
	MethodBlock       = "eth_getBlockByNumber"
)

// SingleID is the id of a request that is sent to a node on its own. Requests of a batch are numbered by their position.
const SingleID = 1

// Method describes what a JSON-RPC method costs and what its result depends on.
type Method struct {
	// Block is the index of the block parameter, counted from 1; 0 if the method has none.
	Block int
	// Newest is set if the result is about the newest block without a parameter that says so.
	Newest bool
	// ByHash is set if the parameters name a block by its hash.
	ByHash bool
	// Mined is set if the parameters name a transaction, which may or may not be in a block.
	Mined bool
	// Heavy is set if a node takes longer than for reading one value, and the result may be large.
	Heavy bool
	// Large is set if the result of a call that is not heavy may be too large for a node's response.
	Large bool
	// Writes is set if the call changes the chain or the node. Such calls are never shared between callers.
	Writes bool
	// Executes is set if a node runs a contract of the caller's choice, whose errors are the result of the call.
	Executes bool
	// Once is set if a second node must not get the call while the first may have accepted it.
	Once bool
	// Echo is the member of the result that repeats the first parameter, or empty.
	Echo string
	// Kept is set if final results are worth a place in a database: those that indexes and histories consist of.
	Kept bool
}

// lookUp returns a method of the chain with that CAIP-2 id, and false if it is not allowed. Development chains also allow the methods that
// control them.
func lookUp(chainID string, dev bool, name string) (Method, bool) {
	namespace, _, _ := strings.Cut(chainID, ":")
	if m, ok := methods[namespace][name]; ok {
		return m, true
	}
	if dev {
		for _, prefix := range devNamespaces[namespace] {
			if strings.HasPrefix(name, prefix) {
				return Method{Heavy: true, Writes: true}, true
			}
		}
	}
	return Method{}, false
}

// Request is a JSON-RPC request of an allowed method.
type Request struct {
	jsonrpc.Request
	Spec Method
}

// NewRequest returns a request of this process to an EVM node. The parameters must be values that always marshal.
func NewRequest(method string, params ...any) Request {
	return Request{Request: jsonrpc.Request{Method: method, Params: Encode(params)}, Spec: evmMethods[method]}
}

// NewTraceRequest returns a request of this process that traces a block. Callers cannot make it: what a node does for it has no bound.
func NewTraceRequest(method string, params ...any) Request {
	return Request{Request: jsonrpc.Request{Method: method, Params: Encode(params)}, Spec: Method{ByHash: true, Heavy: true}}
}

// Read checks an item against the allowed methods and the limits of log filters of the chain with that CAIP-2 id and height. The refusal is the
// JSON-RPC error for the caller, or nil.
func Read(item jsonrpc.Item, chainID string, dev bool, height uint64) (q Request, refusal *jsonrpc.Error) {
	q.Request = item.Request
	if item.Refusal != nil {
		return q, item.Refusal
	}
	spec, ok := lookUp(chainID, dev, q.Method)
	if !ok {
		return q, unknownMethod(q.Method)
	}
	q.Spec = spec
	if strings.HasPrefix(chainID, "eip155:") && q.Params != nil && q.Params[0] != '[' {
		return q, InvalidParams("params is not an array")
	}
	if isEVM(chainID) && (spec.ByHash || spec.Mined) {
		// A node that reads another form answers with this one, and would seem to answer another request.
		var hash string
		if json.Unmarshal(q.param(1), &hash) != nil || !isHash(hash) {
			return q, InvalidParams("the hash is not 0x and 64 hex digits")
		}
	}
	if q.Method == MethodGetLogs {
		filter, refusal := ParseLogFilter(q.Params)
		if refusal != nil {
			return q, refusal
		}
		// The filter is encoded again, so that nodes parse the same filter as this process.
		q.Params = filter.params()
		return q, filter.CheckSpan(height)
	}
	return q, nil
}

// isEVM reports whether the methods of a chain are Ethereum's.
func isEVM(chainID string) bool {
	return strings.HasPrefix(chainID, "eip155:") || strings.HasPrefix(chainID, "tron:")
}

// unknownMethod returns the error for a method that is not allowed, in the words by which clients recognise that they must do without it: ethers then
// polls for logs instead of filters.
func unknownMethod(name string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("the method %s does not exist/is not available", plaintext.Text(name, maxMethodName))}
}

// InvalidParams returns the JSON-RPC error -32602 with that message.
func InvalidParams(message string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// IsRead reports whether q changes nothing, so that equal requests may share a response.
func (q Request) IsRead() bool { return !q.Spec.Writes }

// NeedsNewest reports whether the result depends on the newest block.
func (q Request) NeedsNewest() bool {
	if q.Spec.Newest {
		return true
	}
	if q.Method == MethodGetLogs {
		f, refusal := ParseLogFilter(q.Params)
		return refusal == nil && !f.isClosed()
	}
	if q.Spec.Block == 0 {
		return false
	}
	block := blockParam(q.Params, q.Spec.Block)
	return !block.exact && !block.hashed
}

// ReturnsHead reports whether the result is the newest block or its number. The tags pending, safe and finalized do not count.
func (q Request) ReturnsHead() bool {
	return q.Method == MethodBlockNumber || q.Method == MethodBlock && string(q.param(1)) == `"latest"`
}

// MinSlot returns the slot that a node of Solana must have reached for q: minContextSlot of its configuration, or 0.
func (q Request) MinSlot() uint64 {
	if !bytes.Contains(q.Params, []byte("minContextSlot")) {
		return 0
	}
	var list []json.RawMessage
	if json.Unmarshal(q.Params, &list) != nil {
		return 0
	}
	least := uint64(0)
	for _, param := range list {
		var config struct {
			MinContextSlot uint64 `json:"minContextSlot"`
		}
		if json.Unmarshal(param, &config) == nil {
			least = max(least, config.MinContextSlot)
		}
	}
	return least
}

// param returns the parameter at index, counted from 1, or nil.
func (q Request) param(index int) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(q.Params, &list) != nil || len(list) < index {
		return nil
	}
	return list[index-1]
}

// Key returns the method and the parameters without white space. It is the same for requests that differ in their ids only.
func (q Request) Key() string {
	var b bytes.Buffer
	b.WriteString(q.Method)
	if len(q.Params) > 0 {
		_ = json.Compact(&b, q.Params)
	}
	return b.String()
}

// Reply returns the response r of a node under the caller's id.
func (q Request) Reply(r Response) []byte {
	if r.Error != nil {
		return jsonrpc.AppendError(nil, q.ID, *r.Error)
	}
	return jsonrpc.AppendResult(make([]byte, 0, len(r.Result)+len(q.ID)+40), q.ID, r.Result)
}

// Encode marshals a value that always marshals: a type of this service around JSON that was parsed before. It panics
// for other values.
func Encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
