package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// largeNode is a node of chain 31337 whose answer to every call is a list of this size.
type largeNode struct {
	list  string
	calls atomic.Int64
	// peak is the most that the memory was used when the node was asked.
	memory *limit.Memory
	peak   atomic.Int64
	// asked receives a value for each call, which is answered when gate closes; both may be nil.
	asked chan struct{}
	gate  chan struct{}
}

func (n *largeNode) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch string(body) {
	case chainstest.ChainIDProbe:
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`)
		return
	case chainstest.HeadProbe:
		_, _ = io.WriteString(w, chainstest.BlockAt(300_000))
		return
	}
	n.calls.Add(1)
	if n.asked != nil {
		n.asked <- struct{}{}
		<-n.gate
	}
	n.peak.Store(max(n.peak.Load(), n.memory.Used()))
	var q struct{ ID json.RawMessage }
	_ = json.Unmarshal(body, &q)
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, n.list)
}

// listOf returns a JSON list of about this many bytes.
func listOf(bytes int) string {
	log := `{"data":"0x` + strings.Repeat("0", 1000) + `"}`
	return "[" + strings.Repeat(log+",", bytes/len(log)) + log + "]"
}

// newBudgetProxy returns a proxy to one real HTTP node, whose answers take from a memory of this size.
func newBudgetProxy(t *testing.T, answer, memory int) (*Proxy, *largeNode) {
	t.Helper()
	m := limit.NewMemory(int64(memory))
	node := &largeNode{list: listOf(answer), memory: m}
	server := httptest.NewServer(node)
	t.Cleanup(server.Close)
	client := upstream.New(10*time.Second, 10<<20)
	t.Cleanup(client.Close)
	nodes := pool.New(pool.Chain{ID: "eip155:31337", Nodes: []string{server.URL}}, client, clock.System{}, slog.New(slog.DiscardHandler))
	t.Cleanup(nodes.Close)
	return New(nodes, clock.System{}, NewResults(), nil, m), node
}

func logsRequest(id, from, blocks int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"eth_getLogs","params":[{"fromBlock":"0x%x","toBlock":"0x%x"}]}`, id, from, from+blocks-1)
}

// calledFrom returns the context of a call of the caller with that address.
func calledFrom(ctx context.Context, address string) context.Context {
	return caller.NewIncomingContext(ctx, caller.Caller{Project: "p", Address: address})
}

func TestLogsInPartsEndWithTheBytesThatCanBeReturned(t *testing.T) {
	d, node := newBudgetProxy(t, 3<<20, 1<<30)
	got, err := d.Answer(t.Context(), []byte(logsRequest(1, 1, 200_000)))
	if err != nil {
		t.Fatal(err)
	}
	var response struct{ Error jsonrpc.Error }
	if json.Unmarshal(got, &response) != nil || response.Error.Code != jsonrpc.CodeLimitExceeded || !strings.Contains(response.Error.Message, "12517376 bytes") {
		t.Fatalf("got %.200s of %d bytes, want an error that names the bound", got, len(got))
	}
	if calls := node.calls.Load(); calls > 8 {
		t.Errorf("the node was called %d times for 20 parts, want no more than fit and are in flight", calls)
	}
	if peak := node.peak.Load(); peak > answerBudget {
		t.Errorf("%d bytes were held, want %d at most", peak, answerBudget)
	}
	waitForNothingHeld(t, d.memory)
}

func TestABatchHasOneBudget(t *testing.T) {
	d, node := newBudgetProxy(t, 3<<20, 1<<30)
	var requests []string
	for i := range 20 {
		requests = append(requests, logsRequest(i, 1+i, 100))
	}
	got, err := d.Answer(t.Context(), []byte("["+strings.Join(requests, ",")+"]"))
	if err != nil {
		t.Fatal(err)
	}
	var responses []struct {
		Result json.RawMessage
		Error  *jsonrpc.Error
	}
	if err := json.Unmarshal(got, &responses); err != nil || len(responses) != len(requests) {
		t.Fatalf("got %d responses, %v", len(responses), err)
	}
	answered := 0
	for _, r := range responses {
		switch {
		case r.Error == nil:
			answered++
		case r.Error.Code != jsonrpc.CodeLimitExceeded:
			t.Errorf("error %d %s, want %d", r.Error.Code, r.Error.Message, jsonrpc.CodeLimitExceeded)
		}
	}
	if answered == 0 || answered > 3 || len(got) > answerBudget {
		t.Errorf("%d requests of 3 MiB were answered with %d bytes, want 1 to 3 and %d bytes at most", answered, len(got), answerBudget)
	}
	if calls := node.calls.Load(); calls > 3+2*batchConcurrency {
		t.Errorf("the node was called %d times for 20 requests", calls)
	}
	waitForNothingHeld(t, d.memory)
}

func TestOneCallersBytesLeaveRoomForAnother(t *testing.T) {
	d, node := newBudgetProxy(t, 3<<20, 8<<20)
	body := []byte(logsRequest(1, 1, 200_000))
	got, err := d.Answer(calledFrom(t.Context(), "192.0.2.1"), body)
	if err != nil || !strings.Contains(string(got), `"code":-32005`) {
		t.Fatalf("a caller over its share: %.200s, %v", got, err)
	}
	if peak := node.peak.Load(); peak > 4<<20 {
		t.Errorf("one caller held %d bytes of 8 MiB", peak)
	}
	if !strings.Contains(string(got), limit.ErrMemory.Error()) {
		t.Errorf("the error does not name the bound: %s", got)
	}
	waitForNothingHeld(t, d.memory)
	if status := d.pool.Status(); status.GetNodes()[0].GetLastError() != "" {
		t.Errorf("the node counts as failed: %v", status)
	}
}

func TestAReadThatAnotherCallerHasNoBytesForIsRepeated(t *testing.T) {
	d, node := newBudgetProxy(t, 1<<20, 16<<20)
	node.asked, node.gate = make(chan struct{}, 2), make(chan struct{})
	greedy := d.memory.Hold(limit.CallerOf("p", "192.0.2.1"))
	defer greedy.Close()
	if err := greedy.Grow(8<<20 - 1<<10); err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x2"}]}`)
	ask := func(address string) <-chan string {
		answered := make(chan string, 1)
		go func() {
			got, err := d.Answer(calledFrom(t.Context(), address), body)
			answered <- fmt.Sprintf("%.40s %v", got, err)
		}()
		return answered
	}
	first := ask("192.0.2.1")
	<-node.asked
	second := ask("192.0.2.2")
	for joined := false; !joined; runtime.Gosched() {
		d.flights.mu.Lock()
		for _, f := range d.flights.open {
			joined = f.users == 2
		}
		d.flights.mu.Unlock()
	}
	close(node.gate)
	if got := <-first; !strings.Contains(got, "error") {
		t.Errorf("the caller over its share: %s", got)
	}
	if got := <-second; !strings.Contains(got, "result") {
		t.Errorf("the caller beside it: %s", got)
	}
}

func TestAReadThatItsCallersLeftIsCancelled(t *testing.T) {
	called, ended := make(chan struct{}), make(chan struct{})
	d := newProxy(posterFunc(func(ctx context.Context, _ string, body []byte) (int, []byte, error) {
		switch string(body) {
		case chainstest.ChainIDProbe:
			return 200, []byte(`{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`), nil
		case chainstest.HeadProbe:
			return 200, []byte(chainstest.BlockAt(300_000)), nil
		}
		close(called)
		<-ctx.Done()
		close(ended)
		return 0, nil, ctx.Err()
	}), "a")
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		_, _ = d.Answer(ctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}`))
	}()
	<-called
	leave()
	<-left
	<-ended
}

type posterFunc func(ctx context.Context, url string, body []byte) (int, []byte, error)

func (f posterFunc) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	return f(ctx, url, body)
}

// waitForNothingHeld waits until cancelled reads have given back their bytes.
func waitForNothingHeld(t *testing.T, m *limit.Memory) {
	t.Helper()
	for m.Used() != 0 {
		if t.Context().Err() != nil {
			t.Fatalf("%d bytes are held after all", m.Used())
		}
		time.Sleep(time.Millisecond)
	}
}

// pacedNode answers every call with a list in parts. A part is sent when every call in flight was sent the one before.
type pacedNode struct {
	list  string
	nodes int

	mu      sync.Mutex
	changed *sync.Cond
	sent    map[*http.Request]int
}

// parts is in how many parts a pacedNode sends its answer.
const parts = 16

func (n *pacedNode) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch string(body) {
	case chainstest.ChainIDProbe:
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`)
		return
	case chainstest.HeadProbe:
		_, _ = io.WriteString(w, chainstest.BlockAt(300_000))
		return
	}
	n.mu.Lock()
	n.sent[r] = 0
	n.changed.Broadcast()
	for len(n.sent) < n.nodes {
		n.changed.Wait()
	}
	n.mu.Unlock()
	text := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":%s}`, n.list)
	for part := range parts {
		n.mu.Lock()
		for slices.Min(slices.Collect(maps.Values(n.sent))) < part {
			n.changed.Wait()
		}
		n.mu.Unlock()
		_, err := io.WriteString(w, text[part*len(text)/parts:(part+1)*len(text)/parts])
		_ = http.NewResponseController(w).Flush()
		n.mu.Lock()
		if n.sent[r]++; err != nil {
			n.sent[r] = parts
		}
		n.changed.Broadcast()
		n.mu.Unlock()
	}
}

func TestAnAnswerThatTwoNodesSendAtOnceCountsOnce(t *testing.T) {
	node := &pacedNode{list: listOf(8 << 20), nodes: 2, sent: map[*http.Request]int{}}
	node.changed = sync.NewCond(&node.mu)
	var urls []string
	for range node.nodes {
		server := httptest.NewServer(node)
		t.Cleanup(server.Close)
		urls = append(urls, server.URL)
	}
	client := upstream.New(10*time.Second, 10<<20)
	t.Cleanup(client.Close)
	nodes := pool.New(pool.Chain{ID: "eip155:31337", Nodes: urls}, client, clock.System{}, slog.New(slog.DiscardHandler))
	t.Cleanup(nodes.Close)
	m := limit.NewMemory(1 << 30)
	d := New(nodes, clock.System{}, NewResults(), nil, m)
	got, err := d.Answer(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockReceipts","params":["0x10"]}`))
	if err != nil || len(got) < 8<<20 {
		t.Errorf("got %.200s of %d bytes, %v", got, len(got), err)
	}
	waitForNothingHeld(t, m)
}
