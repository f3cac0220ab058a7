// Package jsonrpc reads JSON-RPC 2.0 requests strictly and writes requests and responses.
//
// [Parse] refuses unknown members, members that differ from the standard's in case, members that occur twice (at any
// depth, ignoring case), and text that is not UTF-8. A request that is written again with [AppendRequest] therefore
// means the same to every reader, whichever of two equal members that reader would use.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// BatchLimit is how many requests one batch may hold.
const BatchLimit = 100

// The error codes of JSON-RPC 2.0 (-32700 to -32600) and EIP-1474 (-32005).
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeLimitExceeded  = -32005
)

// dataTooLarge is the data of [TooLarge].
const dataTooLarge = `"too large"`

// TooLarge returns the error for a request whose answer is too large whenever it is made, as opposed to one that may succeed later.
func TooLarge(message string) *Error {
	return &Error{Code: CodeLimitExceeded, Message: message, Data: json.RawMessage(dataTooLarge)}
}

// IsTooLarge reports whether an error with this code and data is that of [TooLarge].
func IsTooLarge(code int, data json.RawMessage) bool {
	return code == CodeLimitExceeded && string(data) == dataTooLarge
}

// Request is one JSON-RPC 2.0 request.
type Request struct {
	// ID is the caller's id as the caller wrote it: a string, a number or null. It is nil for a notification, which is
	// never answered.
	ID json.RawMessage
	// Method is never empty.
	Method string
	// Params is a JSON array or object, or nil where there are none.
	Params json.RawMessage
}

// IsNotification reports whether the request expects no response.
func (r Request) IsNotification() bool { return r.ID == nil }

// Error is the error member of a response.
type Error struct {
	// Code is one of JSON-RPC 2.0, EIP-1474, or of the node.
	Code int `json:"code"`
	// Message is one sentence.
	Message string `json:"message"`
	// Data is what the node adds, such as the data of a revert.
	Data json.RawMessage `json:"data,omitempty"`
}

// Item is one part of a message: a request, or the reason why it is not one.
type Item struct {
	Request
	// Refusal is set if the part is not a request; ID is then the id to answer with, "null" if it could not be read.
	Refusal *Error
}

// Message is the body of one call.
type Message struct {
	// Batch says that the answer is an array.
	Batch bool
	// Items is one request, or those of the batch in the caller's order.
	Items []Item
}

// Parse parses a body. If the body as a whole is not a message, the result has one item with the reason, and Batch is
// false.
func Parse(body []byte) Message {
	body = bytes.Trim(body, " \t\r\n")
	if !utf8.Valid(body) || !json.Valid(body) {
		return Message{Items: []Item{{
			Request: Request{ID: json.RawMessage("null")},
			Refusal: &Error{Code: CodeParseError, Message: "Parse error: the body is not JSON"},
		}}}
	}
	switch body[0] {
	case '{':
		return Message{Items: []Item{parseRequest(body)}}
	case '[':
	default:
		return refused("the body is neither a request nor a batch")
	}
	parts := elements(body, BatchLimit+1)
	switch {
	case len(parts) == 0:
		return refused("the batch is empty")
	case len(parts) > BatchLimit:
		return refused("the batch holds more than 100 requests")
	}
	m := Message{Batch: true, Items: make([]Item, len(parts))}
	for i, part := range parts {
		m.Items[i] = parseRequest(part)
	}
	return m
}

func refused(why string) Message {
	return Message{Items: []Item{invalid(nil, why)}}
}

func invalid(id json.RawMessage, why string) Item {
	if id == nil {
		id = json.RawMessage("null")
	}
	return Item{Request: Request{ID: id}, Refusal: &Error{Code: CodeInvalidRequest, Message: "Invalid Request: " + why}}
}

// parseRequest reads one request from valid JSON.
func parseRequest(raw []byte) Item {
	if raw[0] != '{' {
		return invalid(nil, "a request is an object")
	}
	found, ok := Members(raw)
	if !ok {
		return invalid(nil, "a member stands twice, or lies too deep")
	}
	id, hasID := found["id"]
	if hasID && !isID(id) {
		return invalid(nil, "id is neither a string, a number nor null")
	}
	var version string
	q := Request{ID: id}
	for name, value := range found {
		switch name {
		case "id":
		case "jsonrpc":
			if json.Unmarshal(value, &version) != nil || version != "2.0" {
				return invalid(id, `jsonrpc is not "2.0"`)
			}
		case "method":
			if value[0] != '"' || json.Unmarshal(value, &q.Method) != nil {
				return invalid(id, "method is not a string")
			}
		case "params":
			if string(value) == "null" {
				continue
			}
			if value[0] != '[' && value[0] != '{' {
				return invalid(id, "params is neither an array nor an object")
			}
			q.Params = value
		default:
			return invalid(id, "a request has the members jsonrpc, id, method and params only")
		}
	}
	if q.Method == "" {
		return invalid(id, "method is missing")
	}
	return Item{Request: q}
}

// isID reports whether a value may be an id: a string, a number or null.
func isID(value json.RawMessage) bool {
	switch value[0] {
	case '{', '[', 't', 'f':
		return false
	}
	return true
}

// AppendRequest appends a request with that numeric id. A request without params gets an empty array: both are the same
// by the standard, but not for every node.
func AppendRequest(b []byte, id int, method string, params json.RawMessage) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = strconv.AppendInt(b, int64(id), 10)
	b = append(b, `,"method":`...)
	b = append(b, quote(method)...)
	b = append(b, `,"params":`...)
	if params == nil {
		params = json.RawMessage("[]")
	}
	b = append(b, params...)
	return append(b, '}')
}

// AppendResult appends the response to the request with that id: its result, byte for byte.
func AppendResult(b []byte, id, result json.RawMessage) []byte {
	b = appendHead(b, id)
	b = append(b, `,"result":`...)
	b = append(b, result...)
	return append(b, '}')
}

// AppendError appends an error response to the request with that id.
func AppendError(b []byte, id json.RawMessage, e Error) []byte {
	b = appendHead(b, id)
	b = append(b, `,"error":{"code":`...)
	b = strconv.AppendInt(b, int64(e.Code), 10)
	b = append(b, `,"message":`...)
	b = append(b, quote(e.Message)...)
	if len(e.Data) > 0 {
		b = append(b, `,"data":`...)
		b = append(b, e.Data...)
	}
	return append(b, '}', '}')
}

func appendHead(b []byte, id json.RawMessage) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return append(b, id...)
}

// quote returns a JSON string in which only the required characters are escaped.
func quote(s string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
