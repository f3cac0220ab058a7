package chainstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// The two requests by which a pool probes a node.
const (
	ChainIDProbe = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`
	HeadProbe    = `{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}`
)

// One is a response with the result 0x1 to the request with the id 1.
const One = `{"jsonrpc":"2.0","id":1,"result":"0x1"}`

// Handler is a node: it returns the HTTP status and the body of a response, or an error in place of both.
type Handler func(body string) (int, string, error)

// Responds returns a node that always gives the same response.
func Responds(status int, text string) Handler {
	return func(string) (int, string, error) { return status, text, nil }
}

// Fails returns a node that cannot be reached.
func Fails(err error) Handler {
	return func(string) (int, string, error) { return 0, "", err }
}

// Script is the nodes of chain 31337 by URL. A probe finds the head at block 1, unless there is a node "probe", which then responds instead.
type Script map[string]Handler

// PostJSON implements pool.Poster.
func (s Script) PostJSON(_ context.Context, url string, body []byte) (int, []byte, error) {
	handler, ok := s[url]
	if ok && string(body) == ChainIDProbe {
		return 200, []byte(`{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`), nil
	}
	if ok && string(body) == HeadProbe {
		handler = Responds(200, BlockAt(1))
		if probe, ok := s["probe"]; ok {
			handler = probe
		}
	}
	if !ok {
		return 0, nil, errors.New("no such host")
	}
	status, text, err := handler(string(body))
	return status, []byte(text), err
}

// BlockAt returns a response with the block of that number.
func BlockAt(number int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"number":"0x%x","hash":"0x%064x","parentHash":"0x%064x","timestamp":"0x5"}}`,
		number, number, max(0, number-1))
}

// Request is one request as a node reads it.
type Request struct {
	ID     json.RawMessage
	Method string
	Params []json.RawMessage
}

// Returns returns a node that responds to each request, in a batch too, with a result under the request's id.
func Returns(result func(Request) string) Handler {
	return func(body string) (int, string, error) {
		one := func(q Request) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result(q))
		}
		var list []Request
		if json.Unmarshal([]byte(body), &list) == nil {
			parts := make([]string, len(list))
			for i, q := range list {
				parts[i] = one(q)
			}
			return 200, "[" + strings.Join(parts, ",") + "]", nil
		}
		var q Request
		if err := json.Unmarshal([]byte(body), &q); err != nil || q.ID == nil {
			return 200, "", nil
		}
		return 200, one(q), nil
	}
}

// Warnings is a log that counts warnings: a pool logs one when a node fails after it worked.
type Warnings struct {
	slog.Handler
	mu    sync.Mutex
	count int
}

// NewWarnings returns a log without warnings.
func NewWarnings() *Warnings { return &Warnings{Handler: slog.DiscardHandler} }

// Log returns the logger to pass to a pool.
func (w *Warnings) Log() *slog.Logger { return slog.New(w) }

// Count returns how many warnings were logged.
func (w *Warnings) Count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count
}

// Enabled implements slog.Handler.
func (w *Warnings) Enabled(_ context.Context, level slog.Level) bool { return level == slog.LevelWarn }

// Handle implements slog.Handler.
func (w *Warnings) Handle(context.Context, slog.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	return nil
}

// WithAttrs implements slog.Handler.
func (w *Warnings) WithAttrs([]slog.Attr) slog.Handler { return w }

// WithGroup implements slog.Handler.
func (w *Warnings) WithGroup(string) slog.Handler { return w }
