package relay

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

// silent opens a connection that subscribes to a topic and reads only the answer.
func silent(t *testing.T, address, topic string) net.Conn {
	t.Helper()
	u, err := url.Parse(relaytest.URL(address, relaytest.Options{Key: relaytest.NewKey()}))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	_, _ = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: 192.0.2.66\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", u.RequestURI(), u.Host)
	in := bufio.NewReaderSize(conn, 16)
	res, err := http.ReadResponse(in, nil)
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v", res, err)
	}
	payload := []byte(`{"id":1,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"` + topic + `"}}`)
	if _, err := conn.Write(append([]byte{0x81, 0x80 | 126, byte(len(payload) >> 8), byte(len(payload)), 0, 0, 0, 0}, payload...)); err != nil {
		t.Fatal(err)
	}
	if answer, err := in.ReadString('}'); err != nil || !strings.Contains(answer, "result") {
		t.Fatalf("subscribing was answered %q, %v", answer, err)
	}
	return conn
}

// Messages wait for peers that do not read within the budget of the process, and other clients are served.
func TestSilentReadersOfATopicStayWithinTheMemory(t *testing.T) {
	const sockets, messages = 40, 12
	memory := limit.NewMemory(64 << 20)
	address, _ := startWithin(t, bustest.Embedded(t), memory, func(c *Config) { c.TrustForwardedFor = true })
	topic := relaytest.Topic()
	for range sockets {
		silent(t, address, topic)
	}
	attacker := relaytest.Dial(t, address, relaytest.Options{From: "192.0.2.67"})
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	other := relaytest.Topic()
	wallet.Subscribe(t, other)
	before := heap()
	body := strings.Repeat("a", 1<<20-100)
	most := before
	for i := range messages {
		attacker.MustCall(t, "irn_publish", relaytest.Publication(topic, fmt.Sprint(i, body), 1108))
		page.Publish(t, other, fmt.Sprint(i), 1108)
		if d := wallet.Next(t); d.Data.Message != fmt.Sprint(i) {
			t.Fatalf("the wallet got %+v", d)
		}
		most = max(most, heap())
		if used := memory.Used(); used > 64<<20 {
			t.Errorf("%d bytes are held", used)
		}
	}
	// The frames of the messages, once, and the copies of what is stored at the moment.
	if grown := int64(most) - int64(before); grown > 64<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestATopicHasFewSessionsAndNetworksShareThem(t *testing.T) {
	h := newHub()
	topic := mailbox.Topic{1}
	at := func(network string) *session {
		s := &session{}
		s.caller = limit.Caller{Network: netip.MustParsePrefix(network)}
		h.attach(topic, s)
		return s
	}
	page := at("192.0.2.1/32")
	var greedy []*session
	for range 2 * topicSessions {
		greedy = append(greedy, at("192.0.2.2/32"))
	}
	wallet := at("192.0.2.3/32")
	sessions := h.of(topic)
	if len(sessions) != topicSessions {
		t.Errorf("the topic has %d sessions, want %d", len(sessions), topicSessions)
	}
	if !slices.Contains(sessions, page) || !slices.Contains(sessions, wallet) {
		t.Error("one network took the places of others")
	}
	if !slices.Contains(sessions, greedy[len(greedy)-1]) || slices.Contains(sessions, greedy[0]) {
		t.Error("the newest session of a network has to stay, and the oldest to go")
	}
}

// A page that loses its connections opens many at once. The wallet has one, which is older, and the same address.
func TestTabsOfAPageDoNotDetachTheWalletBesideThem(t *testing.T) {
	h := newHub()
	topic := mailbox.Topic{1}
	attach := func(client string) *session {
		s := &session{}
		s.caller, s.publisher = limit.CallerOf("p", "192.0.2.1"), mailbox.PublisherOf(client)
		h.attach(topic, s)
		return s
	}
	wallet := attach("wallet")
	var tabs []*session
	for range 2 * topicSessions {
		tabs = append(tabs, attach("page"))
	}
	sessions := h.of(topic)
	if len(sessions) != topicSessions || !slices.Contains(sessions, wallet) {
		t.Errorf("%d sessions, with the wallet: %t", len(sessions), slices.Contains(sessions, wallet))
	}
	if !slices.Contains(sessions, tabs[len(tabs)-1]) || slices.Contains(sessions, tabs[0]) {
		t.Error("the newest tab has to stay, and the oldest to go")
	}
}

// A visitor may have more tabs of a site than a topic has sessions. The one that is used has to get its answers.
func TestATabThatPublishesReceivesAgain(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	topic := relaytest.Topic()
	key := relaytest.NewKey()
	first := relaytest.Dial(t, address, relaytest.Options{Key: key})
	first.Subscribe(t, topic)
	for range topicSessions {
		relaytest.Dial(t, address, relaytest.Options{Key: key}).Subscribe(t, topic)
	}
	first.Publish(t, topic, "request", 1108)
	wallet := relaytest.Dial(t, address, relaytest.Options{})
	wallet.Publish(t, topic, "response", 1109)
	if d := first.Next(t); d.Data.Message != "response" {
		t.Errorf("the tab got %+v", d)
	}
}

func TestAnAddressHasAtMostAnEighthOfAProcessByDefault(t *testing.T) {
	for _, s := range []limit.Share{DefaultConfig().connections(), DefaultConfig().topics()} {
		if s.Each > s.Total/8 {
			t.Errorf("one address has %d of %d %s", s.Each, s.Total, s.Name)
		}
	}
}

func TestConnectionsOfAnAddressAreBounded(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.AddressConnections = 2 })
	first := relaytest.Dial(t, address, relaytest.Options{})
	relaytest.Dial(t, address, relaytest.Options{})
	_, res, err := websocket.Dial(t.Context(), relaytest.URL(address, relaytest.Options{Key: relaytest.NewKey()}), nil)
	if err == nil || res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Fatalf("the third connection: %v, %v", res, err)
	}
	first.Close()
	eventually(t, "there is room again", func() bool {
		c, err := relaytest.DialContext(t.Context(), address, relaytest.Options{})
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// What one address stores at once is bounded, and another address stores meanwhile.
func TestPublicationsOfAnAddressAreBounded(t *testing.T) {
	r := newMailboxRelay(t)
	page := limit.Caller{Network: limit.CallerOf("", "127.0.0.1").Network}
	release, ok := r.local.Hold(t.Context(), page, r.cfg.publications(), r.cfg.AddressPublications)
	if !ok {
		t.Fatal("the share is not free")
	}
	published := func() *relaytest.Error {
		t.Helper()
		answer, err := r.wallet.Call("irn_publish", relaytest.Publication(r.text, "text", 1))
		if err != nil {
			t.Fatal(err)
		}
		return answer.Error
	}
	if refused := published(); refused == nil || refused.Code != 3001 {
		t.Errorf("one more was answered %+v", refused)
	}
	other := r.newCall(identity{caller: limit.CallerOf("p", "192.0.2.9")}, nil)
	if refused := other.publish(t.Context(), publication{Topic: r.text, Message: "other", TTL: 300, Tag: 1}); refused != nil {
		t.Errorf("another address was answered %+v", refused)
	}
	release()
	for range 2 * r.cfg.AddressPublications {
		if refused := published(); refused != nil {
			t.Fatalf("after the others it was answered %+v", refused)
		}
	}
}

func TestTopicsOfAnAddressAreBounded(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.AddressTopics = 2 * topicBlock })
	topics := func() (all []string) {
		for range topicBlock {
			all = append(all, relaytest.Topic())
		}
		return all
	}
	first, second := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	first.MustCall(t, "irn_batchSubscribe", map[string]any{"topics": topics()})
	second.MustCall(t, "irn_batchSubscribe", map[string]any{"topics": topics()})
	if answer, err := second.Call("irn_subscribe", map[string]any{"topic": relaytest.Topic()}); err != nil || answer.Error == nil || answer.Error.Data != "SubscriberLimitExceeded" {
		t.Errorf("one more was answered %+v, %v", answer, err)
	}
	first.Close()
	eventually(t, "there is room again", func() bool {
		answer, err := second.Call("irn_subscribe", map[string]any{"topic": relaytest.Topic()})
		return err == nil && answer.Error == nil
	})
}

func TestAFetchReadsAMailboxOnce(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	page.Publish(t, topic, "request", 1100)
	if got := wallet.MustCall(t, "irn_batchFetchMessages", map[string]any{"topics": slices.Repeat([]string{topic}, 20)}); strings.Count(got, "request") != 1 {
		t.Errorf("it fetched %s", got)
	}
}

func TestAFetchPaysForEachMessageThatItReads(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.RequestsPerSecond, c.Burst = 0.001, 200 })
	page := relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	for i := range 60 {
		page.Publish(t, topic, fmt.Sprint(i), 1108)
	}
	// 140 are left, and a fetch reads 61 times.
	for range 2 {
		page.MustCall(t, "irn_fetchMessages", map[string]any{"topic": topic})
	}
	if answer, err := page.Call("irn_fetchMessages", map[string]any{"topic": topic}); err != nil || answer.Error == nil || answer.Error.Code != 3001 {
		t.Errorf("the third fetch was answered %+v, %v", answer, err)
	}
}

func TestABatchIsRefusedBeforeItIsWorkedOn(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.RequestsPerSecond, c.Burst = 0.001, 1 })
	page := relaytest.Dial(t, address, relaytest.Options{})
	messages := []any{relaytest.Publication(relaytest.Topic(), "1", 1), relaytest.Publication(relaytest.Topic(), "2", 1)}
	if answer, err := page.Call("irn_batchPublish", map[string]any{"messages": messages}); err != nil || answer.Error == nil || answer.Error.Code != 3001 {
		t.Errorf("it was answered %+v, %v", answer, err)
	}
}

// brokenWriter is the response of a client that is gone.
type brokenWriter struct{ *httptest.ResponseRecorder }

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestWhatWasFetchedIsAcknowledgedOnceItWasWritten(t *testing.T) {
	r := newMailboxRelay(t)
	r.publish(t, "message")
	fetch := func(w http.ResponseWriter) {
		target := strings.TrimPrefix(strings.Replace(relaytest.URL("ws://example.com", relaytest.Options{Key: relaytest.NewKey()}), "/?", "/rpc?", 1), "ws://example.com")
		body := `{"id":1234567890,"jsonrpc":"2.0","method":"irn_fetchMessages","params":{"topic":"` + r.text + `"}}`
		r.handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(body)))
	}
	fetch(brokenWriter{httptest.NewRecorder()})
	if n := len(r.deletes); n != 0 {
		t.Fatalf("%d messages were acknowledged by an answer that was not written", n)
	}
	w := httptest.NewRecorder()
	fetch(w)
	var answer struct {
		Result struct{ Messages []json.RawMessage }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Result.Messages) != 1 || len(r.deletes) != 1 {
		t.Errorf("it was answered %s, and %d messages were acknowledged", w.Body, len(r.deletes))
	}
}

func TestABodyThatDoesNotComeIsNotAwaited(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	host := strings.TrimPrefix(address, "ws://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = fmt.Fprintf(conn, "POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\n", host)
	_ = conn.SetReadDeadline(time.Now().Add(3 * bodyTimeout))
	in := bufio.NewReader(conn)
	if res, err := http.ReadResponse(in, nil); err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Fatalf("answered %v, %v", res, err)
	}
	for err == nil {
		_, err = in.ReadByte()
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		t.Error("the connection waits for the body")
	}
}

// One client stores as much as it may for as long as it may. Other clients store and fetch as before.
func TestAClientThatFillsTheStoreLeavesRoomForOthers(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.StoreBytes, c.TrustForwardedFor = 32<<20, true })
	attacker := relaytest.Dial(t, address, relaytest.Options{From: "192.0.2.66"})
	for size := 60 << 10; size >= 1000; size /= 2 {
		for i := 0; ; i++ {
			answer, err := attacker.Call("irn_publish", map[string]any{"topic": relaytest.Topic(), "message": fmt.Sprint(i, strings.Repeat("a", size)), "ttl": 30 * 24 * 3600, "tag": 1108})
			if err != nil {
				t.Fatal(err)
			}
			if answer.Error != nil {
				if answer.Error.Code != -32000 || answer.Error.Data != "MailboxLimitExceeded" {
					t.Fatalf("it was refused with %+v", answer.Error)
				}
				break
			}
		}
	}
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	wallet.Subscribe(t, topic)
	for i := range 100 {
		page.Publish(t, topic, fmt.Sprint(i, strings.Repeat("x", 4096)), 1108)
		wallet.Next(t)
	}
}

func TestLargeMessagesAreKeptForADayAtMost(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	c := relaytest.Dial(t, address, relaytest.Options{})
	publish := func(size, ttl int) relaytest.Answer {
		answer, err := c.Call("irn_publish", map[string]any{"topic": relaytest.Topic(), "message": strings.Repeat("a", size), "ttl": ttl, "tag": 1108})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	for _, test := range []struct {
		size, ttl int
		refused   bool
	}{{64 << 10, 30 * 86_400, false}, {64<<10 + 1, 86_400, false}, {64<<10 + 1, 86_401, true}} {
		if answer := publish(test.size, test.ttl); (answer.Error != nil) != test.refused || test.refused && answer.Error.Data != "TtlTooLong" {
			t.Errorf("%d bytes for %d s were answered %+v", test.size, test.ttl, answer.Error)
		}
	}
}
