package evm

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// request is one JSON-RPC 2.0 call.
type request struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  []any  `json:"params"`
}

// response is one JSON-RPC 2.0 answer.
type response struct {
	ID     *int            `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *nodeError      `json:"error"`
}

// nodeError is a failure that a node reports.
type nodeError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Error gives the node's code and the beginning of its text.
func (e *nodeError) Error() string {
	return fmt.Sprintf("node error %d: %.200s", e.Code, e.Message)
}

var errAnswer = errors.New("the node's answer is not JSON-RPC")

// call sends one call and returns its result, or the node's error.
func call(ctx context.Context, send Transport, method string, params ...any) (json.RawMessage, error) {
	body, err := json.Marshal(newRequest(0, method, params...))
	if err != nil {
		return nil, err
	}
	answer, err := send(ctx, body)
	if err != nil {
		return nil, &transportError{err}
	}
	if result, ok := longResult(answer); ok {
		return result, nil
	}
	var r response
	if err := json.Unmarshal(answer, &r); err != nil {
		return nil, fmt.Errorf("%w: %w", errAnswer, err)
	}
	return r.outcome()
}

// longResult finds the string that is the answer's result without reading it letter by letter, which would take as long as the call
// itself: the answer without that string must be a JSON-RPC answer whose result is empty.
func longResult(answer []byte) (json.RawMessage, bool) {
	const key = `"result":`
	start := bytes.Index(answer, []byte(key+`"0x`))
	if start < 0 {
		return nil, false
	}
	start += len(key)
	length := bytes.IndexByte(answer[start+1:], '"')
	if length < 0 {
		return nil, false
	}
	end := start + length + 2
	var r response
	rest := append(append(bytes.Clone(answer[:start]), `""`...), answer[end:]...)
	if json.Unmarshal(rest, &r) != nil || r.Error != nil || string(r.Result) != `""` {
		return nil, false
	}
	return answer[start:end:end], true
}

// batch sends many calls as one body and returns their answers in the order asked.
func batch(ctx context.Context, send Transport, requests []request) ([]response, error) {
	body, err := json.Marshal(requests)
	if err != nil {
		return nil, err
	}
	answer, err := send(ctx, body)
	if err != nil {
		return nil, &transportError{err}
	}
	return parseBatch(answer, len(requests))
}

// parseBatch puts the answers, which may come in any order, where they were asked; each must be there exactly once.
func parseBatch(body []byte, asked int) ([]response, error) {
	var answers []response
	if err := json.Unmarshal(body, &answers); err != nil {
		return nil, fmt.Errorf("%w batch: %w", errAnswer, err)
	}
	if len(answers) != asked {
		return nil, fmt.Errorf("%w batch: %d answers to %d calls", errAnswer, len(answers), asked)
	}
	ordered := make([]response, asked)
	for _, r := range answers {
		if r.ID == nil || *r.ID < 0 || *r.ID >= asked || ordered[*r.ID].ID != nil {
			return nil, fmt.Errorf("%w batch: an id that was not asked", errAnswer)
		}
		ordered[*r.ID] = r
	}
	return ordered, nil
}

func newRequest(id int, method string, params ...any) request {
	return request{Version: "2.0", ID: id, Method: method, Params: params}
}

// outcome is the result, or the node's error; an answer with neither is no answer.
func (r response) outcome() (json.RawMessage, error) {
	if r.Error != nil {
		return nil, r.Error
	}
	if len(r.Result) == 0 {
		return nil, fmt.Errorf("%w: it has no result", errAnswer)
	}
	return r.Result, nil
}

// transportError says that no node was reached, which no other form would cure.
type transportError struct{ cause error }

func (e *transportError) Error() string { return e.cause.Error() }
func (e *transportError) Unwrap() error { return e.cause }

// decodeHex reads a JSON string of 0x and an even number of hex digits.
func decodeHex(raw json.RawMessage) ([]byte, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 4 || raw[0] != '"' || raw[1] != '0' || raw[2] != 'x' || raw[len(raw)-1] != '"' {
		return nil, fmt.Errorf("%w: want hex digits", errAnswer)
	}
	digits := raw[3 : len(raw)-1]
	b := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(b, digits); err != nil {
		return nil, fmt.Errorf("%w: want hex digits", errAnswer)
	}
	return b, nil
}

// decodeQuantity reads a JSON string of 0x and up to 64 hex digits as one word.
func decodeQuantity(raw json.RawMessage) ([]byte, error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, fmt.Errorf("%w: want a quantity", errAnswer)
	}
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || digits == "" || len(digits) > 2*wordSize {
		return nil, fmt.Errorf("%w: want a quantity", errAnswer)
	}
	word := make([]byte, wordSize)
	padded := strings.Repeat("0", 2*wordSize-len(digits)) + digits
	if _, err := hex.Decode(word, []byte(padded)); err != nil {
		return nil, fmt.Errorf("%w: want a quantity", errAnswer)
	}
	return word, nil
}

func encodeHex(b []byte) string { return "0x" + hex.EncodeToString(b) }
