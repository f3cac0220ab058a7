package pubsub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

func TestMain(m *testing.M) { devnettest.VerifyNoLeaks(m) }

// soon is how long a test waits for an expected event.
const soon = 20 * time.Second

// gate is a proxy of a node that can be cut off. It counts connections and messages.
type gate struct {
	*httptest.Server
	mu       sync.Mutex
	isClosed bool
	open     map[*websocket.Conn]bool
	methods  map[string]int
	sockets  int
}

func newGate(t *testing.T, chain *devnettest.Solana) *gate {
	t.Helper()
	g := &gate{open: map[*websocket.Conn]bool{}, methods: map[string]int{}}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.pass(w, r, chain.WSURL) }))
	t.Cleanup(func() { g.cut(true); g.Close() })
	return g
}

func (g *gate) pass(w http.ResponseWriter, r *http.Request, to string) {
	g.mu.Lock()
	isClosed := g.isClosed
	g.mu.Unlock()
	if isClosed {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	near, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer near.CloseNow()
	far, _, err := websocket.Dial(r.Context(), to, nil)
	if err != nil {
		return
	}
	defer far.CloseNow()
	g.mu.Lock()
	g.open[near] = true
	g.sockets++
	g.mu.Unlock()
	go func() {
		defer near.CloseNow()
		copyMessages(far, near, func([]byte) {})
	}()
	copyMessages(near, far, func(m []byte) {
		var q struct{ Method string }
		_ = json.Unmarshal(m, &q)
		g.mu.Lock()
		defer g.mu.Unlock()
		g.methods[q.Method]++
	})
}

func copyMessages(from, to *websocket.Conn, see func([]byte)) {
	from.SetReadLimit(-1)
	for {
		kind, m, err := from.Read(context.Background())
		if err != nil {
			return
		}
		see(m)
		if to.Write(context.Background(), kind, m) != nil {
			return
		}
	}
}

// cut ends the connections; if stay is set, it also refuses new ones.
func (g *gate) cut(stay bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.isClosed = stay
	for c := range g.open {
		_ = c.CloseNow()
	}
	clear(g.open)
}

func (g *gate) count(method string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.methods[method]
}

// start runs a hub whose nodes are the gates.
func start(t *testing.T, chain *devnettest.Solana, gates ...*gate) *Hub {
	t.Helper()
	var urls []string
	for _, g := range gates {
		urls = append(urls, g.URL)
	}
	h := New(urls, chain.Forward, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { _ = h.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return h
}

func (h *Hub) must(t *testing.T, method, params string) *Subscription {
	t.Helper()
	topic, err := ParseTopic(method, []byte(params))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	s, err := h.Subscribe(ctx, topic)
	if err != nil {
		t.Fatal(method, err)
	}
	t.Cleanup(s.Close)
	return s
}

func next(t *testing.T, s *Subscription) string {
	t.Helper()
	select {
	case m := <-s.Messages():
		return string(m)
	case <-s.Ended():
		t.Fatalf("it ended: %v", s.Reason())
	case <-time.After(soon):
		t.Fatal("no message")
	}
	return ""
}

// fresh are addresses that are used by no other test, and that have no account.
const (
	fresh   = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv"
	another = "4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA"
)

func airdrop(t *testing.T, chain *devnettest.Solana, to string) (signature string) {
	t.Helper()
	if err := json.Unmarshal(chain.Call(t, "requestAirdrop", to, 5_000_000), &signature); err != nil {
		t.Fatal(err)
	}
	return signature
}

func TestEqualSubscriptionsAreOneAtTheNode(t *testing.T) {
	chain := devnettest.StartSolana(t)
	g := newGate(t, chain)
	h := start(t, chain, g)
	first := h.must(t, "accountSubscribe", `["`+fresh+`",{"encoding":"base64","commitment":"confirmed"}]`)
	second := h.must(t, "accountSubscribe", `[ "`+fresh+`", {"commitment":"confirmed", "encoding":"base64"} ]`)
	logs := h.must(t, "logsSubscribe", `[{"mentions":["`+fresh+`"]},{"commitment":"confirmed"}]`)
	h.must(t, "programSubscribe", `["11111111111111111111111111111111",{"commitment":"confirmed","encoding":"base64","filters":[{"memcmp":{"offset":0,"bytes":"1"}}]}]`)
	if _, err := ParseTopic("slotSubscribe", nil); err != nil {
		t.Fatal(err)
	}
	slots := h.must(t, "slotSubscribe", `[]`)
	signature := airdrop(t, chain, fresh)
	if a, b := next(t, first), next(t, second); a != b || !strings.Contains(a, `"lamports":`) {
		t.Errorf("got %s and %s", a, b)
	}
	if got := next(t, logs); !strings.Contains(got, signature) {
		t.Errorf("the logs are %s", got)
	}
	if got := next(t, slots); !strings.Contains(got, `"parent":`) {
		t.Errorf("the slot is %s", got)
	}
	done := h.must(t, "signatureSubscribe", `["`+signature+`",{"commitment":"confirmed"}]`)
	if got := next(t, done); !strings.Contains(got, `"err":null`) {
		t.Errorf("the signature's result is %s", got)
	}
	<-done.Ended()
	if !errors.Is(done.Reason(), ErrDone) || g.count("accountSubscribe") != 1 || g.sockets != 1 {
		t.Errorf("%v, %d subscriptions over %d connections", done.Reason(), g.count("accountSubscribe"), g.sockets)
	}
	first.Close()
	second.Close()
	for deadline := time.Now().Add(soon); g.count("accountUnsubscribe") == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the node keeps a subscription that has no subscriber")
		}
	}
}

func TestAfterALostConnectionAnAccountIsSentAsItIs(t *testing.T) {
	chain := devnettest.StartSolana(t)
	broken, healthy := newGate(t, chain), newGate(t, chain)
	h := start(t, chain, broken, healthy)
	account := h.must(t, "accountSubscribe", `["`+another+`",{"encoding":"base64","commitment":"confirmed"}]`)
	slots := h.must(t, "slotSubscribe", `[]`)
	logs := h.must(t, "logsSubscribe", `[{"mentions":["`+another+`"]},{"commitment":"confirmed"}]`)
	broken.cut(true)
	airdrop(t, chain, another)
	if got := next(t, account); !strings.Contains(got, `"lamports":5000000`) {
		t.Errorf("the account is %s", got)
	}
	airdrop(t, chain, another)
	for got := next(t, account); !strings.Contains(got, `"lamports":10000000`); {
		got = next(t, account)
	}
	next(t, slots)
	select {
	case <-logs.Ended():
	case <-time.After(soon):
		t.Fatal("logs that may have been missed go on")
	}
	if !errors.Is(logs.Reason(), ErrLost) || healthy.count("accountSubscribe") != 1 {
		t.Errorf("%v, %d subscriptions at the second node", logs.Reason(), healthy.count("accountSubscribe"))
	}
}

func TestASlowSubscriberIsDroppedAndTheOthersAreNot(t *testing.T) {
	h := New(nil, nil, slog.New(slog.DiscardHandler))
	slow, err := h.enter(Topic{method: methodSlot})
	if err != nil {
		t.Fatal(err)
	}
	read, _ := h.enter(Topic{method: methodSlot})
	for range queueLength + 1 {
		h.deliver(slow.feed, json.RawMessage(`{}`))
		<-read.Messages()
	}
	<-slow.Ended()
	if !errors.Is(slow.Reason(), ErrSlow) || len(slow.feed.subscribers) != 1 {
		t.Errorf("%v, %d subscribers", slow.Reason(), len(slow.feed.subscribers))
	}
}

func TestLargeMessagesThatAreNotReadAreBounded(t *testing.T) {
	h := New(nil, nil, slog.New(slog.DiscardHandler))
	slow, err := h.enter(Topic{method: methodSlot})
	if err != nil {
		t.Fatal(err)
	}
	read, _ := h.enter(Topic{method: methodSlot})
	message := json.RawMessage(make([]byte, queueBytes/8))
	for range 20 {
		h.deliver(slow.feed, message)
		<-read.Messages()
	}
	queued := len(slow.messages) * len(message)
	if queued > queueBytes || !errors.Is(slow.reason, ErrSlow) {
		t.Errorf("%d bytes wait for a subscriber, which ended with %v", queued, slow.reason)
	}
	if read.reason != nil {
		t.Errorf("the other subscriber ended with %v", read.reason)
	}
	single, _ := h.enter(Topic{method: methodSlot})
	h.deliver(single.feed, make([]byte, queueBytes+1))
	if len(single.messages) != 1 {
		t.Error("a single message is not delivered")
	}
}

func TestMessagesOfManySubscribersAreBounded(t *testing.T) {
	h := New(nil, nil, slog.New(slog.DiscardHandler))
	enter := func(params string) *Subscription {
		s, err := h.enter(Topic{methodLogs, params})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	read := enter("read")
	var slow []*Subscription
	for i := range 20 {
		slow = append(slow, enter(string(rune('a'+i))))
	}
	message := json.RawMessage(make([]byte, 4<<20))
	for range 4 {
		for _, s := range slow {
			h.deliver(s.feed, message)
			h.deliver(read.feed, message)
			<-read.Messages()
		}
	}
	queued, ended := 0, 0
	for _, s := range slow {
		if errors.Is(s.reason, ErrSlow) {
			ended++
		} else {
			queued += len(s.messages) * len(message)
		}
	}
	if queued > 48<<20 || ended == 0 || ended == len(slow) || read.reason != nil {
		t.Errorf("%d bytes wait, %d of %d subscribers ended, and the one that reads with %v", queued, ended, len(slow), read.reason)
	}
	for _, s := range append(slow, read) {
		s.Close()
	}
	if h.queued != 0 {
		t.Errorf("%d bytes count without subscribers", h.queued)
	}
}

func TestAnOlderStateOfAnAccountIsNotSent(t *testing.T) {
	h := New(nil, nil, slog.New(slog.DiscardHandler))
	s, err := h.enter(Topic{method: methodAccount})
	if err != nil {
		t.Fatal(err)
	}
	for _, slot := range []string{"5", "4", "5", "6"} {
		h.deliver(s.feed, json.RawMessage(`{"context":{"slot":`+slot+`}}`))
	}
	if len(s.messages) != 3 {
		t.Errorf("%d messages", len(s.messages))
	}
}

func TestAChainHasABoundedNumberOfSubscriptions(t *testing.T) {
	h := New(nil, nil, slog.New(slog.DiscardHandler))
	for i := range maxTopics {
		if _, err := h.enter(Topic{methodSignature, string(rune(i))}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.enter(Topic{method: methodSlot}); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
}

func TestAccountsLeaveSubscriptionsToSlotsAndSignatures(t *testing.T) {
	h := New(nil, nil, slog.New(slog.DiscardHandler))
	var accounts []*Subscription
	for i := range maxTopics {
		s, err := h.enter(Topic{methodAccount, string(rune(i))})
		if errors.Is(err, ErrFull) {
			break
		}
		accounts = append(accounts, s)
	}
	if len(accounts) != maxTopics-reservedTopics {
		t.Errorf("%d accounts are subscribed to, want %d", len(accounts), maxTopics-reservedTopics)
	}
	for i := range reservedTopics - 1 {
		if _, err := h.enter(Topic{methodSignature, string(rune(i))}); err != nil {
			t.Fatalf("signature %d: %v", i, err)
		}
	}
	if _, err := h.enter(Topic{method: methodSlot}); err != nil {
		t.Errorf("the slot: %v", err)
	}
	accounts[0].Close()
	if _, err := h.enter(Topic{methodAccount, "another"}); err != nil {
		t.Errorf("an account after one ended: %v", err)
	}
}

func TestWhatANodeCannotBeAskedForIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ method, params string }{
		"another method":              {"blockSubscribe", `["all"]`},
		"all logs":                    {"logsSubscribe", `["all"]`},
		"logs of two":                 {"logsSubscribe", `[{"mentions":["` + fresh + `","` + another + `"]}]`},
		"no address":                  {"accountSubscribe", `[]`},
		"an address of EVM":           {"accountSubscribe", `["0x00000000000000000000000000000000000bad01"]`},
		"another commitment":          {"accountSubscribe", `["` + fresh + `",{"commitment":"recent"}]`},
		"another encoding":            {"accountSubscribe", `["` + fresh + `",{"encoding":"hex"}]`},
		"an unknown option":           {"accountSubscribe", `["` + fresh + `",{"all":true}]`},
		"filters of an account":       {"accountSubscribe", `["` + fresh + `",{"filters":[{"dataSize":5}]}]`},
		"an address for a signature":  {"signatureSubscribe", `["` + fresh + `"]`},
		"five filters":                {"programSubscribe", `["` + fresh + `",{"filters":[{"dataSize":5},{"dataSize":5},{"dataSize":5},{"dataSize":5},{"dataSize":5}]}]`},
		"a filter of both kinds":      {"programSubscribe", `["` + fresh + `",{"filters":[{"dataSize":5,"memcmp":{"offset":0,"bytes":"1"}}]}]`},
		"every account of tokens":     {"programSubscribe", `["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"]`},
		"every token account by size": {"programSubscribe", `["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",{"filters":[{"dataSize":165}]}]`},
		"params of slots":             {"slotSubscribe", `["` + fresh + `"]`},
		"params that are not a list":  {"slotSubscribe", `{}`},
		"a third parameter":           {"accountSubscribe", `["` + fresh + `",{},{}]`},
	} {
		if topic, err := ParseTopic(c.method, []byte(c.params)); err == nil {
			t.Errorf("%s: %+v", name, topic)
		} else if _, ok := errors.AsType[*TopicError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASubscriptionThatEndedWithItsMessageHasBegun(t *testing.T) {
	for range 64 { // two channels are ready, and select picks either
		h := New(nil, nil, slog.New(slog.DiscardHandler))
		s, err := h.enter(Topic{method: methodSignature})
		if err != nil {
			t.Fatal(err)
		}
		h.accept(s.feed)
		h.deliver(s.feed, json.RawMessage(`{}`))
		if err := s.begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		if message := <-s.Messages(); string(message) != `{}` {
			t.Fatalf("received %s", message)
		}
	}
}

// A node that leaves a request unanswered must not make a topic unavailable for as long as other subscriptions keep the connection open.
func TestASubscriptionThatANodeDoesNotAnswerIsRequestedAgain(t *testing.T) {
	ignored := 0
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		for {
			_, raw, err := c.Read(context.Background())
			if err != nil {
				return
			}
			var q struct {
				ID     uint64
				Method string
			}
			if err := json.Unmarshal(raw, &q); err != nil {
				t.Error(err)
				return
			}
			if q.Method == "logsSubscribe" && ignored == 0 {
				ignored++
				continue
			}
			if c.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%d}`, q.ID, 100+q.ID)) != nil {
				return
			}
		}
	}))
	t.Cleanup(node.Close)
	h := New([]string{node.URL}, nil, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { _ = h.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })

	h.must(t, "slotSubscribe", "[]")
	logs, err := ParseTopic("logsSubscribe", []byte(`[{"mentions":["11111111111111111111111111111111"]}]`))
	if err != nil {
		t.Fatal(err)
	}
	waiting, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	if s, err := h.Subscribe(waiting, logs); err == nil {
		s.Close()
		t.Fatal("the node answered")
	}
	again, end := context.WithTimeout(ctx, soon)
	defer end()
	s, err := h.Subscribe(again, logs)
	if err != nil {
		t.Fatalf("after the node answers again: %v", err)
	}
	s.Close()
}
