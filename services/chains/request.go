package chains

import (
	"bytes"
	"encoding/json"
)

// What the door says by itself, in the codes of JSON-RPC 2.0 and EIP-1474.
const (
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeLimitExceeded  = -32005
)

// The methods that the door treats in a way of their own.
const (
	methodGetLogs     = "eth_getLogs"
	methodSend        = "eth_sendRawTransaction"
	methodBlockNumber = "eth_blockNumber"
	methodBlock       = "eth_getBlockByNumber"
)

// request is one JSON-RPC 2.0 request, as far as the door reads it; raw travels on untouched.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`

	raw   []byte
	known method
}

type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

type rpcResponse struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// read reads one request; the refusal is set when the door does not pass it on.
func (d *door) read(raw []byte) (q request, refusal []byte) {
	if err := json.Unmarshal(raw, &q); err != nil || q.Method == "" {
		return q, invalidRequest(q.ID, "method is missing")
	}
	q.raw = raw
	known, ok := methodOf(d.network, q.Method)
	if !ok {
		return q, refuse(q.ID, codeMethodNotFound, "Method not found")
	}
	q.known = known
	if q.Method == methodGetLogs {
		if reason := tooManyLogs(q.Params, d.pool.height.get()); reason != "" {
			return q, refuse(q.ID, codeInvalidParams, reason)
		}
	}
	return q, nil
}

// isFresh reports whether the answer speaks of the newest block.
func (q request) isFresh() bool {
	if q.known.newest {
		return true
	}
	if q.Method == methodGetLogs {
		span, ok := readLogSpan(q.Params)
		return ok && !span.hashed && !span.closed
	}
	if q.known.block == 0 {
		return false
	}
	block := blockOf(q.Params, q.known.block)
	return !block.exact && !block.hashed
}

// namesLatest reports whether the first parameter is the newest block: not the pending one, nor one that is safe or finalized.
func (q request) namesLatest() bool {
	var params []json.RawMessage
	return json.Unmarshal(q.Params, &params) == nil && len(params) > 0 && string(params[0]) == `"latest"`
}

// call is how the pool is asked for q.
func (q request) call() call {
	fresh := q.isFresh()
	return call{
		body:   q.raw,
		id:     q.ID,
		fresh:  fresh,
		tip:    q.Method == methodBlockNumber || q.Method == methodBlock && q.namesLatest(),
		heavy:  q.known.heavy,
		lookup: q.known.byHash || q.known.mined || q.Method == methodBlock,
		logs:   q.Method == methodGetLogs,
		once:   q.Method == "sendTransaction",
	}
}

// key is what q asks for, whoever asks: method and parameters without white space.
func (q request) key() string {
	var b bytes.Buffer
	b.WriteString(q.Method)
	if len(q.Params) > 0 {
		_ = json.Compact(&b, q.Params)
	}
	return b.String()
}

func refuse(id json.RawMessage, code int, message string) []byte {
	return encode(rpcResponse{ID: id, Error: &rpcError{Code: code, Message: message}})
}

func invalidRequest(id json.RawMessage, message string) []byte {
	return refuse(id, codeInvalidRequest, "Invalid Request: "+message)
}

// reply is a response to the request with that id, with what another response says.
func reply(id json.RawMessage, r response) []byte {
	if r.Error != nil {
		return encode(rpcResponse{ID: id, Error: r.Error})
	}
	return encode(rpcResponse{ID: id, Result: r.Result})
}

// encode marshals what always marshals: our own shapes around JSON that was read before.
func encode(v any) []byte {
	if r, ok := v.(rpcResponse); ok {
		r.JSONRPC = "2.0"
		if r.ID == nil {
			r.ID = json.RawMessage("null")
		}
		v = r
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
