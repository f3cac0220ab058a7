package chains

import (
	"bytes"
	"context"
	"encoding/json"
	"math/big"
)

// batchLimit is how many requests one batch may hold.
const batchLimit = 100

// codeInvalidRequest is JSON-RPC 2.0's "Invalid Request".
const codeInvalidRequest = -32600

// rpcRequest is what the door reads of a JSON-RPC 2.0 request; the rest travels on untouched.
type rpcRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type rpcResponse struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// door answers JSON-RPC for one network: what the network table already says is answered here, the rest by its nodes.
type door struct {
	network Network
	pool    *pool
}

// answer returns a JSON-RPC response, or a batch of them, for body. The error is that of pool.forward.
func (d *door) answer(ctx context.Context, body []byte) ([]byte, error) {
	body = bytes.TrimSpace(body)
	if !json.Valid(body) {
		return invalidRequest(nil, "the body is not JSON"), nil
	}
	switch body[0] {
	case '{':
		return d.answerOne(ctx, body)
	case '[':
		return d.answerBatch(ctx, body)
	default:
		return invalidRequest(nil, "the body is neither a request nor a batch"), nil
	}
}

func (d *door) answerOne(ctx context.Context, body []byte) ([]byte, error) {
	var request rpcRequest
	if err := json.Unmarshal(body, &request); err != nil || request.Method == "" {
		return invalidRequest(request.ID, "method is missing"), nil
	}
	if result, ok := d.local(request); ok {
		return encode(rpcResponse{ID: request.ID, Result: result}), nil
	}
	return d.pool.forward(ctx, body)
}

// answerBatch answers what it can here and sends the rest on as one batch. JSON-RPC lets the answers stand in any order.
func (d *door) answerBatch(ctx context.Context, body []byte) ([]byte, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(body, &items); err != nil || len(items) == 0 {
		return invalidRequest(nil, "the batch is empty"), nil
	}
	if len(items) > batchLimit {
		return invalidRequest(nil, "the batch holds more than 100 requests"), nil
	}
	var answers, left []json.RawMessage
	for _, item := range items {
		var request rpcRequest
		if err := json.Unmarshal(item, &request); err != nil || request.Method == "" {
			answers = append(answers, invalidRequest(request.ID, "method is missing"))
			continue
		}
		if result, ok := d.local(request); ok {
			answers = append(answers, encode(rpcResponse{ID: request.ID, Result: result}))
			continue
		}
		left = append(left, item)
	}
	if len(answers) == 0 {
		return d.pool.forward(ctx, body)
	}
	if len(left) > 0 {
		forwarded, err := d.pool.forward(ctx, encode(left))
		if err != nil {
			return nil, err
		}
		answers = append(answers, spread(forwarded, left)...)
	}
	return encode(answers), nil
}

// local answers what every node of the chain would say alike.
func (d *door) local(request rpcRequest) (any, bool) {
	if len(request.ID) == 0 || len(d.network.ChainID) < len("eip155:") || d.network.ChainID[:7] != "eip155:" {
		return nil, false
	}
	switch request.Method {
	case "eth_chainId":
		number, ok := new(big.Int).SetString(d.network.Reference(), 10)
		if !ok {
			return nil, false
		}
		return "0x" + number.Text(16), true
	case "net_version":
		return d.network.Reference(), true
	case "net_listening":
		return true, true
	default:
		return nil, false
	}
}

// spread returns a node's answer to a batch as its parts; a node that answers a whole batch with one error has said it of each part.
func spread(answer []byte, asked []json.RawMessage) []json.RawMessage {
	var parts []json.RawMessage
	if err := json.Unmarshal(answer, &parts); err == nil {
		return parts
	}
	var whole rpcResponse
	if err := json.Unmarshal(answer, &whole); err != nil || whole.Error == nil {
		whole.Error = &rpcError{Code: -32603, Message: "the node gave no answer to the batch"}
	}
	for _, item := range asked {
		var request rpcRequest
		_ = json.Unmarshal(item, &request)
		parts = append(parts, encode(rpcResponse{ID: request.ID, Error: whole.Error}))
	}
	return parts
}

func invalidRequest(id json.RawMessage, message string) []byte {
	return encode(rpcResponse{ID: id, Error: &rpcError{Code: codeInvalidRequest, Message: "Invalid Request: " + message}})
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
