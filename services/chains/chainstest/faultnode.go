// Package chainstest provides nodes for tests: scripted nodes, and nodes that misbehave in front of a real node.
package chainstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Fault is one way to misbehave.
type Fault string

// The ways to misbehave. A lagging node is Lag blocks behind and has none of the later ones.
const (
	None          Fault = "healthy"
	Dead          Fault = "dead port"
	Hung          Fault = "hung"
	SlowBody      Fault = "slow drip"
	TooMany       Fault = "429"
	Broken        Fault = "500"
	Truncated     Fault = "truncated JSON"
	HTML          Fault = "HTML"
	WrongID       Fault = "wrong id"
	LimitExceeded Fault = "-32005"
	Lagging       Fault = "lagging 50"
)

// Faults lists every way to misbehave.
var Faults = []Fault{Dead, Hung, SlowBody, TooMany, Broken, Truncated, HTML, WrongID, LimitExceeded, Lagging}

// Lag is how far behind a lagging node is, in blocks.
const Lag = 50

// Node is an HTTP node with a fault.
type Node struct {
	URL string

	target string
	fault  atomic.Pointer[Fault]
	calls  atomic.Int64
	server *httptest.Server

	mu sync.Mutex
	// stuck is the block at which a lagging node stopped.
	stuck uint64
}

// Start runs a node in front of the one at target until the test ends.
func Start(tb testing.TB, target string, fault Fault) *Node {
	tb.Helper()
	n := &Node{target: target}
	n.server = httptest.NewServer(n)
	n.URL = n.server.URL
	n.Set(fault)
	tb.Cleanup(func() {
		n.server.CloseClientConnections()
		n.server.Close()
	})
	return n
}

// Set changes the fault from the next request on.
func (n *Node) Set(fault Fault) { n.fault.Store(&fault) }

// Calls returns how many bodies have reached the node.
func (n *Node) Calls() int64 { return n.calls.Load() }

// ServeHTTP implements http.Handler.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.calls.Add(1)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	switch fault := *n.fault.Load(); fault {
	case Dead:
		// Like a port without a listener: the connection ends before the first byte of a response.
		panic(http.ErrAbortHandler)
	case Hung:
		<-r.Context().Done()
	case TooMany:
		http.Error(w, "slow down", http.StatusTooManyRequests)
	case Broken:
		http.Error(w, "oops", http.StatusInternalServerError)
	case HTML:
		fmt.Fprint(w, "<html><body>Welcome to the load balancer</body></html>")
	case LimitExceeded:
		_, _ = w.Write(each(body, func(request) []byte { return nil }))
	case SlowBody:
		sendSlowly(w, r, n.forward(r, body))
	case Truncated:
		answer := n.forward(r, body)
		_, _ = w.Write(answer[:len(answer)/2])
	case WrongID:
		_, _ = w.Write(bytes.Replace(n.forward(r, body), []byte(`"id":`), []byte(`"id":9`), 1))
	case Lagging:
		_, _ = w.Write(n.behind(r, body))
	default:
		_, _ = w.Write(n.forward(r, body))
	}
}

// sendSlowly sends a byte a second.
func sendSlowly(w http.ResponseWriter, r *http.Request, answer []byte) {
	for _, b := range answer {
		_, _ = w.Write([]byte{b})
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(time.Second):
		}
	}
}

type request struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// each responds to a request, or to every request of a batch; nil means "limit exceeded".
func each(body []byte, answer func(request) []byte) []byte {
	var batch []request
	if json.Unmarshal(body, &batch) == nil {
		var parts [][]byte
		for _, q := range batch {
			parts = append(parts, one(q, answer))
		}
		return append(append([]byte("["), bytes.Join(parts, []byte(","))...), ']')
	}
	var q request
	_ = json.Unmarshal(body, &q)
	return one(q, answer)
}

func one(q request, answer func(request) []byte) []byte {
	if response := answer(q); response != nil {
		return response
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32005,"message":"limit exceeded"}}`, q.ID)
}

// behind responds as a node that stopped Lag blocks ago.
func (n *Node) behind(r *http.Request, body []byte) []byte {
	tip := n.tip(r)
	return each(body, func(q request) []byte {
		for i, p := range q.Params {
			q.Params[i] = clamp(p, tip)
		}
		if q.Method == "eth_blockNumber" {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":"0x%x"}`, q.ID, tip)
		}
		sent, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": q.ID, "method": q.Method, "params": q.Params})
		answer := n.forward(r, sent)
		if later(answer, tip) {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":null}`, q.ID)
		}
		return answer
	})
}

// tip returns the block at which a lagging node stopped.
func (n *Node) tip(r *http.Request) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.stuck > 0 {
		return n.stuck
	}
	var response struct{ Result string }
	_ = json.Unmarshal(n.forward(r, []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`)), &response)
	n.stuck = number(response.Result) - Lag
	return n.stuck
}

// clamp limits the blocks of a parameter to tip.
func clamp(param json.RawMessage, tip uint64) json.RawMessage {
	var filter map[string]any
	if json.Unmarshal(param, &filter) == nil {
		if to, ok := filter["toBlock"].(string); ok && (to == "latest" || number(to) > tip) {
			filter["toBlock"] = fmt.Sprintf("0x%x", tip)
		}
		changed, _ := json.Marshal(filter)
		return changed
	}
	if string(param) == `"latest"` {
		return fmt.Appendf(nil, `"0x%x"`, tip)
	}
	return param
}

// later reports whether a result is of a block above tip.
func later(answer []byte, tip uint64) bool {
	var response struct {
		Result struct{ Number, BlockNumber string }
	}
	if json.Unmarshal(answer, &response) != nil {
		return false
	}
	return number(response.Result.Number) > tip || number(response.Result.BlockNumber) > tip
}

func number(s string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	return n
}

func (n *Node) forward(r *http.Request, body []byte) []byte {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, n.target, bytes.NewReader(body))
	if err != nil {
		return nil
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = res.Body.Close() }()
	answer, _ := io.ReadAll(res.Body)
	return answer
}
