package socket

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
)

// subscriptions opens n equal subscriptions, 64 on each connection.
func subscriptions(tb testing.TB, a *air, n int) (conns []*websocket.Conn) {
	tb.Helper()
	for i := range n {
		if i%subscriptionsPerSocket == 0 {
			c, _, err := websocket.Dial(tb.Context(), a.url, nil)
			if err != nil {
				tb.Fatal(err)
			}
			conns = append(conns, c)
		}
		c := conns[len(conns)-1]
		if err := c.Write(tb.Context(), websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`)); err != nil {
			tb.Fatal(err)
		}
		if _, message, err := c.Read(tb.Context()); err != nil || !strings.Contains(string(message), "result") {
			tb.Fatalf("%s, %v", message, err)
		}
	}
	return conns
}

func TestSubscriptionsToTheSameShareOneFeed(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	before := runtime.NumGoroutine()
	conns := subscriptions(t, a, 2*subscriptionsPerSocket)
	<-a.requested
	if n := len(a.requested); n != 0 {
		t.Errorf("%d more feeds for the same", n)
	}
	// A connection has a few goroutines. With 3 for each of the 128 subscriptions there would be 384.
	if n := runtime.NumGoroutine() - before; n > 30 {
		t.Errorf("%d goroutines for 2 connections with 128 subscriptions", n)
	}
	a.tell <- `{"number":"0x1"}`
	for _, c := range conns {
		for range subscriptionsPerSocket {
			if got := hear(t, c); !strings.Contains(got, `"result":{"number":"0x1"}`) {
				t.Fatalf("received %s", got)
			}
		}
		_ = c.Close(websocket.StatusNormalClosure, "")
	}
	<-a.left
}

func TestAnEventOfASignatureThatCameBeforeItsListenerIsSent(t *testing.T) {
	a := onAirFor(t, &accesstest.Book{Project: accesstest.Enabled()})
	f := newFeeds(chainsv1.NewSubscriptionServiceClient(a.chainOnAir))
	req := &chainsv1.SubscribeRequest{ChainId: "solana:devnet", Topic: &chainsv1.SubscribeRequest_Solana_{Solana: &chainsv1.SubscribeRequest_Solana{Method: signatureSubscription}}}
	joined, leave, err := f.join(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	a.tell <- `{"err":null}`
	close(a.tell)
	<-a.left
	received := make(chan string, 1)
	joined.listen(&feedListener{event: func(result []byte) { received <- string(result) }, end: func(error) {}}, func() {})
	select {
	case got := <-received:
		if got != `{"err":null}` {
			t.Errorf("received %s", got)
		}
	default:
		t.Error("received nothing")
	}
}

func BenchmarkSubscriptionMemory(b *testing.B) {
	limits := access.DefaultLimits()
	limits.RequestsPerSecond, limits.Sockets = 0, 1_000
	b.Logf("budgets raised: requests_per_second: 0, sockets: %d", limits.Sockets)
	const n = 100 * subscriptionsPerSocket
	for b.Loop() {
		a := onAirWith(b, &accesstest.Book{Project: accesstest.Enabled()}, limits)
		empty := subscriptions(b, a, 1)
		bytesBefore, goroutinesBefore := heapInUse(), runtime.NumGoroutine()
		conns := subscriptions(b, a, n)
		b.ReportMetric(float64(heapInUse()-bytesBefore)/n, "heap-B/subscription")
		b.ReportMetric(float64(runtime.NumGoroutine()-goroutinesBefore)/n, "goroutines/subscription")
		for _, c := range append(conns, empty...) {
			_ = c.CloseNow()
		}
	}
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

func TestWhatLogsAreSubscribedToIsSpelledInOneWay(t *testing.T) {
	filters := []string{
		fmt.Sprintf(`{"address":["%s","%s"]}`, someAddress, strings.ToUpper(someAddress[2:])),
		fmt.Sprintf(`{"address":"%s","topics":[]}`, strings.ToLower(someAddress)),
		fmt.Sprintf(`{"address":["%s","%s"]}`, someAddress, strings.ToLower(someAddress)),
	}
	for i, want := range []string{"an address is 0x and 40 hex digits", "", ""} {
		logs, problem := logsOf([]byte(filters[i]))
		if problem != want || problem == "" && (len(logs.GetAddresses()) != 1 || logs.GetAddresses()[0] != strings.ToLower(someAddress)) {
			t.Errorf("%s: %v %s", filters[i], logs, problem)
		}
	}
}
