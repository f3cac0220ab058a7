package relay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

func TestRefusals(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	c := relaytest.Dial(t, address, relaytest.Options{})
	topic := strings.Repeat("ab", 32)
	publish := func(change string, to any) map[string]any {
		p := relaytest.Publication(topic, "m", 1)
		p[change] = to
		return p
	}
	topics := func(n int) []string { return slices.Repeat([]string{topic}, n) }
	for _, test := range []struct {
		method string
		params any
		code   int
		data   string
	}{
		{"irn_publish", publish("ttl", 0), -32000, "TtlTooShort"},
		{"irn_publish", publish("ttl", 2_592_001), -32000, "TtlTooLong"},
		{"irn_publish", publish("topic", "ab"), -32600, "InvalidTopic"},
		{"irn_publish", publish("message", ""), -32600, "InvalidParams"},
		{"irn_publish", publish("tag", "x"), -32600, "InvalidParams"},
		{"irn_publish", []string{topic}, -32600, "InvalidParams"},
		{"irn_publish", publish("message", strings.Repeat("a", 1<<20+1)), -32600, "PayloadSizeExceeded"},
		{"irn_publish", publish("message", strings.Repeat("a", 3<<20)), -32600, "PayloadSizeExceeded"},
		{"irn_subscribe", map[string]any{"topic": strings.Repeat("zz", 32)}, -32600, "InvalidTopic"},
		{"irn_batchSubscribe", map[string]any{"topics": topics(501)}, -32600, "BatchLimitExceeded"},
		{"irn_batchSubscribe", map[string]any{"topics": topics(0)}, -32600, "BatchEmpty"},
		{"irn_batchFetchMessages", map[string]any{"topics": topics(501)}, -32600, "BatchLimitExceeded"},
		{"irn_batchPublish", map[string]any{"messages": []any{}}, -32600, "BatchEmpty"},
		{"irn_batchReceive", map[string]any{"receipts": []any{}}, -32600, "BatchEmpty"},
		{"irn_unknown", map[string]any{}, -32600, "InvalidMethod"},
		{"irn_watchRegister", map[string]any{"registerAuth": "a.b.c"}, -32600, "InvalidMethod"},
		{"wc_proposeSession", map[string]any{"pairingTopic": topic}, -32600, "InvalidParams"},
		{"wc_approveSession", map[string]any{"pairingTopic": topic, "sessionTopic": "x"}, -32600, "InvalidTopic"},
	} {
		answer, err := c.Call(test.method, test.params)
		if err != nil || answer.Error == nil || answer.Error.Code != test.code || answer.Error.Data != test.data {
			t.Errorf("%s was answered %+v %v, %v; want %d %s", test.method, answer.Error, string(answer.Result), err, test.code, test.data)
		}
	}
	// The refused calls must not have left any subscription.
	c.MustCall(t, "irn_batchSubscribe", map[string]any{"topics": topics(500)})
	select {
	case d := <-c.Deliveries:
		t.Errorf("there is a message %+v", d)
	default:
	}
}

func TestIDsAreEchoedAsTheyCame(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	c := relaytest.Dial(t, address, relaytest.Options{})
	for _, id := range []string{`1234567890123456`, `1795373561818395392`, `"1795373561818395392"`, `"1795373561818395392n"`} {
		frame := `{"id":` + id + `,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"` + relaytest.Topic() + `"}}`
		if answer, err := c.Request(id, []byte(frame)); err != nil || answer.Error != nil {
			t.Errorf("%s: %+v, %v", id, answer, err)
		}
	}
	for _, frame := range []string{
		`not JSON`, `[]`, `{}`, `{"jsonrpc":"2.0","method":"irn_subscribe"}`, `{"id":null,"jsonrpc":"2.0","method":"irn_subscribe"}`, `{"id":{},"method":"m"}`,
		`{"id":-1,"jsonrpc":"2.0","method":"m"}`,
	} {
		if answer, err := c.Request("0", []byte(frame)); err != nil || answer.Error == nil || answer.Error.Code != -32600 {
			t.Errorf("%s was answered %+v, %v", frame, answer, err)
		}
	}
}

func TestOldPrefixesOfMethods(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	c := relaytest.Dial(t, address, relaytest.Options{})
	for _, prefix := range []string{"iridium_", "waku_"} {
		c.MustCall(t, prefix+"subscribe", map[string]any{"topic": relaytest.Topic()})
	}
}

func TestBatchesAnswerInTheOrderOfTheRequest(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	var topics, want []string
	var messages []any
	for i := range 20 {
		topics = append(topics, relaytest.Topic())
		want = append(want, wire.SubscriptionID(topics[i], wallet.Name()))
		messages = append(messages, relaytest.Publication(topics[i], fmt.Sprint(i), 1))
	}
	page.MustCall(t, "irn_batchPublish", map[string]any{"messages": messages})
	var ids []string
	if err := json.Unmarshal([]byte(wallet.MustCall(t, "irn_batchSubscribe", map[string]any{"topics": topics})), &ids); err != nil || !slices.Equal(ids, want) {
		t.Errorf("the ids are %q, %v", ids, err)
	}
	// Messages of different topics have no order: those that the follower has not delivered yet arrive beside those that are read.
	received := map[string]string{}
	for range topics {
		d := wallet.Next(t)
		received[d.Data.Topic] = d.Data.Message
	}
	for i, topic := range topics {
		if received[topic] != fmt.Sprint(i) {
			t.Errorf("topic %d has %q", i, received[topic])
		}
	}
	var subscriptions []any
	for _, topic := range topics {
		subscriptions = append(subscriptions, map[string]any{"topic": topic, "id": "of the SDK's own"})
	}
	wallet.MustCall(t, "irn_batchUnsubscribe", map[string]any{"subscriptions": subscriptions})
	page.Publish(t, topics[0], "after", 1)
	// Not one of the topics: a message that is not deleted yet, after its acknowledgement, would be delivered again.
	wallet.Subscribe(t, relaytest.Topic())
	select {
	case d := <-wallet.Deliveries:
		t.Errorf("an unsubscribed client got %+v", d)
	case <-time.After(50 * time.Millisecond):
	}
}

func TestFetchingCountsAsDelivery(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	page.Publish(t, topic, "one", 1)
	page.Publish(t, topic, "two", 1100)
	var result struct {
		Messages []struct{ Message string }
		HasMore  bool
	}
	fetch := func(c *relaytest.Client) string {
		t.Helper()
		if err := json.Unmarshal([]byte(c.MustCall(t, "irn_fetchMessages", map[string]any{"topic": topic})), &result); err != nil || result.HasMore {
			t.Fatalf("%+v, %v", result, err)
		}
		return fmt.Sprint(result.Messages)
	}
	if got := fetch(wallet); got != "[{one} {two}]" {
		t.Errorf("the wallet fetched %s", got)
	}
	eventually(t, "what was fetched is gone", func() bool { return fetch(wallet) == "[]" })
	if got := fetch(page); got != "[]" {
		t.Errorf("the page fetched its own %s", got)
	}
	// The proposal is still stored for another wallet.
	if got := fetch(relaytest.Dial(t, address, relaytest.Options{})); got != "[{two}]" {
		t.Errorf("another wallet fetched %s", got)
	}
}

func TestReceiptsAcknowledge(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{Silent: true})
	topic := relaytest.Topic()
	page.Publish(t, topic, "pushed", 1)
	wallet.Subscribe(t, topic)
	id := wallet.Next(t).RequestID
	wallet.MustCall(t, "irn_batchReceive", map[string]any{"receipts": []any{
		map[string]any{"topic": relaytest.Topic(), "message_id": id},
		map[string]any{"topic": topic, "message_id": id},
	}})
	eventually(t, "the message is gone", func() bool {
		return wallet.MustCall(t, "irn_fetchMessages", map[string]any{"topic": topic}) == `{"messages":[],"hasMore":false}`
	})
}

func TestClientsOverTheirRateAreAnsweredAndStay(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.RequestsPerSecond, c.Burst = 1, 5 })
	c := relaytest.Dial(t, address, relaytest.Options{})
	refused := 0
	for range 10 {
		answer, err := c.Call("irn_subscribe", map[string]any{"topic": relaytest.Topic()})
		if err != nil {
			t.Fatal(err)
		}
		if answer.Error != nil {
			if answer.Error.Code != 3001 || answer.Error.Data != "TooManyRequests" {
				t.Errorf("answered %+v", answer.Error)
			}
			refused++
		}
	}
	if refused == 0 {
		t.Error("there is no rate")
	}
	eventually(t, "the client may go on", func() bool {
		answer, err := c.Call("irn_subscribe", map[string]any{"topic": relaytest.Topic()})
		return err == nil && answer.Error == nil
	})
}

func TestConnectionsOverTheirRateWait(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.ConnectsPerSecond, c.ConnectBurst = 20, 1 })
	for range 6 {
		relaytest.Dial(t, address, relaytest.Options{}).Subscribe(t, relaytest.Topic())
	}
}

func TestAFullMailboxRefusesMessages(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page := relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	for i := range 256 {
		page.Publish(t, topic, fmt.Sprint(i), 1)
	}
	if answer, err := page.Call("irn_publish", relaytest.Publication(topic, "one more", 1)); err != nil || answer.Error == nil || answer.Error.Data != "MailboxLimitExceeded" {
		t.Errorf("one more was answered %+v, %v", answer, err)
	}
	wallet := relaytest.Dial(t, address, relaytest.Options{})
	wallet.Subscribe(t, topic)
	for i := range 256 {
		if d := wallet.Next(t); d.Data.Message != fmt.Sprint(i) {
			t.Fatalf("delivery %d is %+v", i, d)
		}
	}
	eventually(t, "there is room again", func() bool {
		answer, err := page.Call("irn_publish", relaytest.Publication(topic, "one more", 1))
		return err == nil && answer.Error == nil
	})
}

func TestMessagesEndWithTheirTTL(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	page := relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	p := relaytest.Publication(topic, "short", 1)
	p["ttl"] = 1
	page.MustCall(t, "irn_publish", p)
	wallet := relaytest.Dial(t, address, relaytest.Options{})
	eventually(t, "the message is gone", func() bool {
		return wallet.MustCall(t, "irn_fetchMessages", map[string]any{"topic": relaytest.Topic()}) == `{"messages":[],"hasMore":false}` && len(mailboxOf(t, address, topic)) == 0
	})
}

// mailboxOf returns the messages that a new silent client receives for a topic within a moment.
func mailboxOf(t *testing.T, address, topic string) (messages []string) {
	t.Helper()
	c := relaytest.Dial(t, address, relaytest.Options{Silent: true})
	defer c.Close()
	c.Subscribe(t, topic)
	for {
		select {
		case d := <-c.Deliveries:
			messages = append(messages, d.Data.Message)
		case <-time.After(100 * time.Millisecond):
			return messages
		}
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so: %s", what)
		}
	}
}

// twoRelays runs two relays on one NATS server.
func twoRelays(t *testing.T) (first, second string) {
	t.Helper()
	server := bustest.Server(t)
	first, _ = start(t, bustest.Open(t, bus.Config{URL: server}))
	second, _ = start(t, bustest.Open(t, bus.Config{URL: server}))
	return first, second
}
