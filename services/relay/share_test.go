package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/hub"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/quota"
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

// A visitor may have more tabs of a site than a topic has sessions. The one that is used has to get its answers.
func TestATabThatPublishesReceivesAgain(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	topic := relaytest.Topic()
	key := relaytest.NewKey()
	first := relaytest.Dial(t, address, relaytest.Options{Key: key})
	first.Subscribe(t, topic)
	for range hub.TopicSessions {
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
	limits := DefaultConfig().limits()
	for _, s := range []limit.Share{limits.Connections, limits.Topics} {
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

// An SDK that forgets connections after an outage has a place for the one that it uses.
func TestConnectionsThatSendNothingMakeWay(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.AddressConnections = 80 })
	key := relaytest.NewKey()
	used := relaytest.Dial(t, address, relaytest.Options{Key: key})
	topic := relaytest.Topic()
	if answer, err := used.Call("irn_subscribe", map[string]any{"topic": topic}); err != nil || answer.Error != nil {
		t.Fatal(err, answer.Error)
	}
	for range 150 {
		eventually(t, "another connection is opened", func() bool {
			c, err := relaytest.DialContext(t.Context(), address, relaytest.Options{Key: key})
			if err == nil {
				t.Cleanup(c.Close)
			}
			return err == nil
		})
	}
	if answer, err := used.Call("irn_publish", relaytest.Publication(topic, "text", 1)); err != nil || answer.Error != nil {
		t.Errorf("the connection that is used: %v, %v", err, answer.Error)
	}
}

// What one address stores at once is bounded, and another address stores meanwhile.
func TestPublicationsOfAnAddressAreBounded(t *testing.T) {
	const most = 2
	s := withoutWork(t, func(c *Config) { c.AddressPublications, c.TrustForwardedFor = most, true })
	web := httptest.NewServer(s.handler)
	t.Cleanup(web.Close)
	address := strings.Replace(web.URL, "http://", "ws://", 1)
	page, other := relaytest.Dial(t, address, relaytest.Options{From: "192.0.2.8"}), relaytest.Dial(t, address, relaytest.Options{From: "192.0.2.9"})
	published := func(c *relaytest.Client) *relaytest.Error {
		t.Helper()
		answer, err := c.Call("irn_publish", relaytest.Publication(relaytest.Topic(), "text", 1))
		if err != nil {
			t.Fatal(err)
		}
		return answer.Error
	}
	var releases []func()
	for range most {
		release, ok := s.quota.HoldPublication(t.Context(), limit.CallerOf("", "192.0.2.8"))
		if !ok {
			t.Fatal("the share is not free")
		}
		releases = append(releases, release)
	}
	if refused := published(page); refused == nil || refused.Code != 3001 {
		t.Errorf("one more was answered %+v", refused)
	}
	if refused := published(other); refused != nil {
		t.Errorf("another address was answered %+v", refused)
	}
	for _, release := range releases {
		release()
	}
	for range 2 * most {
		if refused := published(page); refused != nil {
			t.Fatalf("after the others it was answered %+v", refused)
		}
	}
}

func TestTopicsOfAnAddressAreBounded(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.AddressTopics = 2 * quota.TopicBlock })
	topics := func() (all []string) {
		for range quota.TopicBlock {
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
	s := withoutWork(t)
	topic, text := mailbox.Topic{1}, mailbox.Topic{1}.String()
	// A proposal stays in the mailbox for other clients.
	if _, err := s.store.Publish(t.Context(), mailbox.Message{Topic: topic, Body: "message", Tag: mailbox.TagSessionPropose}, time.Minute); err != nil {
		t.Fatal(err)
	}
	target := strings.TrimPrefix(strings.Replace(relaytest.URL("ws://example.com", relaytest.Options{Key: relaytest.NewKey()}), "/?", "/rpc?", 1), "ws://example.com")
	fetch := func(w http.ResponseWriter) {
		body := `{"id":1234567890,"jsonrpc":"2.0","method":"irn_fetchMessages","params":{"topic":"` + text + `"}}`
		s.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(body)))
	}
	fetched := func() int {
		t.Helper()
		w := httptest.NewRecorder()
		fetch(w)
		var answer struct {
			Result struct{ Messages []json.RawMessage }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("it was answered %s", w.Body)
		}
		return len(answer.Result.Messages)
	}
	fetch(brokenWriter{httptest.NewRecorder()})
	if n := fetched(); n != 1 {
		t.Fatalf("after an answer that was not written it fetched %d messages", n)
	}
	if n := fetched(); n != 0 {
		t.Errorf("after an answer that was written it fetched %d messages", n)
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

// Each session of a topic acknowledges the same message, which is deleted once.
func TestAMessageThatManyAcknowledgeIsDeletedOnce(t *testing.T) {
	const messages = 5
	b := bustest.Embedded(t)
	conn, err := b.Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	deletions, err := conn.SubscribeSync("$JS.API.STREAM.MSG.DELETE.>")
	if err != nil {
		t.Fatal(err)
	}
	address, _ := start(t, b)
	topic := relaytest.Topic()
	var wallets []*relaytest.Client
	for range hub.TopicSessions - 1 {
		wallets = append(wallets, relaytest.Dial(t, address, relaytest.Options{}))
		wallets[len(wallets)-1].Subscribe(t, topic)
	}
	page := relaytest.Dial(t, address, relaytest.Options{})
	for i := range messages {
		page.Publish(t, topic, fmt.Sprint(i), 1108)
	}
	for _, wallet := range wallets {
		for range messages {
			wallet.Next(t)
		}
		// The acknowledgements were handled before this is answered.
		wallet.MustCall(t, "irn_unsubscribe", map[string]any{"topic": topic})
	}
	n := 0
	for {
		if _, err := deletions.NextMsg(500 * time.Millisecond); err != nil {
			break
		}
		n++
	}
	if n != messages {
		t.Errorf("%d messages were deleted %d times", messages, n)
	}
}

// An address has many connections, and each may read a mailbox with a message of the longest.
func TestAnAddressThatReadsManyMailboxesAtOnceWaitsAndOthersDoNot(t *testing.T) {
	s := withoutWork(t, func(c *Config) { c.TrustForwardedFor = true })
	web := httptest.NewServer(s.handler)
	defer web.Close()
	address := strings.Replace(web.URL, "http://", "ws://", 1)
	topic := relaytest.Topic()
	relaytest.Dial(t, address, relaytest.Options{}).Publish(t, topic, "text", 1108)
	const greedy, other = "192.0.2.66", "192.0.2.67"
	var places []func()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		leave, err := s.quota.AwaitRead(ctx, limit.CallerOf("", greedy))
		cancel()
		if err != nil {
			break
		}
		places = append(places, leave)
	}
	waiting, client := relaytest.Dial(t, address, relaytest.Options{From: greedy}), relaytest.Dial(t, address, relaytest.Options{From: other})
	waiting.Subscribe(t, topic)
	client.Subscribe(t, topic)
	client.Next(t)
	if n := len(waiting.Deliveries); n > 0 {
		t.Errorf("an address that reads %d messages at once read another one", len(places))
	}
	for _, leave := range places {
		leave()
	}
	waiting.Next(t)
}

func TestWhatIsNoRequestCountsAsOne(t *testing.T) {
	for name, frame := range map[string]string{"an unknown method": `{"id":7,"jsonrpc":"2.0","method":"irn_none","params":{}}`, "a wrong version": `{"id":7,"jsonrpc":"1.0","method":"irn_publish"}`} {
		t.Run(name, func(t *testing.T) {
			address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.RequestsPerSecond, c.Burst = 0.001, 3 })
			client := relaytest.Dial(t, address, relaytest.Options{})
			for range 10 {
				answer, err := client.Request("7", []byte(frame))
				if err != nil || answer.Error == nil {
					t.Fatalf("%+v, %v", answer, err)
				}
				if answer.Error.Code == 3001 {
					return
				}
			}
			t.Error("ten were answered within a burst of three")
		})
	}
}
