package chains

import (
	"bytes"
	"encoding/json"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// The methods that the door treats in a way of their own.
const (
	methodGetLogs     = "eth_getLogs"
	methodSend        = "eth_sendRawTransaction"
	methodBlockNumber = "eth_blockNumber"
	methodBlock       = "eth_getBlockByNumber"
)

// singleID is the id of a request that a node gets by itself; those of a batch are numbered by their position.
const singleID = 1

// request is one JSON-RPC request that the door passes on.
type request struct {
	jsonrpc.Request
	known method
}

// read looks up what the door knows of a request; the refusal is set when the door does not pass it on.
func (d *door) read(item jsonrpc.Item) (q request, refusal *jsonrpc.Error) {
	q.Request = item.Request
	if item.Refusal != nil {
		return q, item.Refusal
	}
	known, ok := methodOf(d.network, q.Method)
	if !ok {
		return q, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"}
	}
	q.known = known
	if d.network.isEVM() && q.Params != nil && q.Params[0] != '[' {
		return q, invalidParams("params is not an array")
	}
	if q.Method == methodGetLogs {
		filter, refusal := parseLogFilter(q.Params)
		if refusal != nil {
			return q, refusal
		}
		// What the nodes read is what was read here.
		q.Params = filter.params()
		return q, filter.checkSpan(d.pool.height.get())
	}
	return q, nil
}

func invalidParams(message string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// isRead reports whether q changes nothing, so that equal ones may share an answer.
func (q request) isRead() bool { return !q.known.changes }

// isFresh reports whether the answer speaks of the newest block.
func (q request) isFresh() bool {
	if q.known.newest {
		return true
	}
	if q.Method == methodGetLogs {
		f, refusal := parseLogFilter(q.Params)
		return refusal == nil && !f.isClosed()
	}
	if q.known.block == 0 {
		return false
	}
	block := blockOf(q.Params, q.known.block)
	return !block.exact && !block.hashed
}

// namesLatest reports whether the first parameter is the newest block: not the pending one, nor one that is safe or finalized.
func (q request) namesLatest() bool { return string(q.param(1)) == `"latest"` }

// param is the parameter at that place, counted from 1, or nil.
func (q request) param(place int) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(q.Params, &list) != nil || len(list) < place {
		return nil
	}
	return list[place-1]
}

// call is how the pool is asked for q.
func (q request) call() call {
	return call{
		body:   jsonrpc.AppendRequest(nil, singleID, q.Method, q.Params),
		asked:  []request{q},
		fresh:  q.isFresh(),
		tip:    q.Method == methodBlockNumber || q.Method == methodBlock && q.namesLatest(),
		heavy:  q.known.heavy,
		lookup: q.known.byHash || q.known.mined || q.Method == methodBlock,
		logs:   q.Method == methodGetLogs,
		once:   q.known.once,
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

// reply is the response to q with what a node said: its own words under the caller's id.
func (q request) reply(r response) []byte {
	if r.Error != nil {
		return jsonrpc.AppendError(nil, q.ID, *r.Error)
	}
	return jsonrpc.AppendResult(make([]byte, 0, len(r.Result)+len(q.ID)+40), q.ID, r.Result)
}

// encode marshals what always marshals: our own shapes around JSON that was read before.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
