package relay

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

type watchEvent struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Subject  string `json:"sub"`
	Event    struct {
		MessageID string `json:"messageId"`
		Status    string `json:"status"`
		Topic     string `json:"topic"`
		Message   string `json:"message"`
		Tag       int    `json:"tag"`
	} `json:"evt"`
}

// hook returns a webhook that fails at first.
func hook(t *testing.T) (url string, events chan watchEvent) {
	t.Helper()
	events = make(chan watchEvent, 100)
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			http.Error(w, "not yet", http.StatusServiceUnavailable)
			return
		}
		var body struct {
			EventAuth []string `json:"eventAuth"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.EventAuth) != 1 {
			t.Errorf("the webhook got %+v, %v", body, err)
			return
		}
		payload, err := base64.RawURLEncoding.DecodeString(strings.Split(body.EventAuth[0], ".")[1])
		if err != nil {
			t.Error(err)
		}
		var e watchEvent
		if err := json.Unmarshal(payload, &e); err != nil {
			t.Error(err)
		}
		events <- e
	}))
	t.Cleanup(server.Close)
	return server.URL, events
}

func register(t *testing.T, c *relaytest.Client, address, method string, claims clientauth.Claims) (relaytest.Answer, error) {
	t.Helper()
	now := time.Now().Unix()
	claims.IssuedAt, claims.Action = now, method
	if claims.ExpiresAt == 0 {
		claims.ExpiresAt = now + 3600
	}
	token, err := clientauth.Sign(c.Key, address, claims)
	if err != nil {
		t.Fatal(err)
	}
	return c.Call(method, map[string]any{"registerAuth": token, "unregisterAuth": token})
}

func watching(url string) clientauth.Claims {
	return clientauth.Claims{Subject: "https://push.test", Watch: clientauth.Watch{
		Type: "subscriber", WebhookURL: url, Tags: []uint32{1108}, Statuses: []string{"accepted", "queued", "delivered"},
	}}
}

func TestEventsOfMessagesArePostedToWebhooks(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.WebhookHosts, c.LocalPages = []string{"push.test"}, true })
	url, events := hook(t)
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	wallet.Subscribe(t, topic)
	if answer, err := register(t, wallet, address, "irn_watchRegister", watching(url)); err != nil || answer.Error != nil || !strings.Contains(string(answer.Result), "did:key:z") {
		t.Fatalf("registering was answered %+v, %v", answer, err)
	}
	wallet.Close()
	page.Publish(t, topic, "other tag", 1)
	page.Publish(t, topic, "to sign", 1108)

	next := func() watchEvent {
		t.Helper()
		select {
		case e := <-events:
			return e
		case <-time.After(30 * time.Second):
			t.Fatal("no event")
			return watchEvent{}
		}
	}
	got := map[string]watchEvent{}
	for len(got) < 2 {
		e := next()
		if e.Event.Message != "to sign" || e.Event.Topic != topic || e.Event.Tag != 1108 || e.Subject != wallet.Name() || e.Audience != "https://push.test" {
			t.Errorf("the webhook got %+v", e)
		}
		got[e.Event.Status] = e
	}
	if got["accepted"].Issuer == "" || got["queued"].Issuer == "" {
		t.Errorf("the webhook got %+v", got)
	}

	// A wallet that was woken by the webhook acknowledges by the id of the event.
	again := relaytest.Dial(t, address, relaytest.Options{Key: wallet.Key, Silent: true})
	again.MustCall(t, "irn_batchReceive", map[string]any{"receipts": []any{map[string]any{"topic": topic, "messageId": got["queued"].Event.MessageID}}})
	if e := next(); e.Event.Status != "delivered" {
		t.Errorf("the webhook got %+v", e)
	}
	if answer, err := register(t, again, address, "irn_watchUnregister", watching(url)); err != nil || answer.Error != nil {
		t.Errorf("unregistering was answered %+v, %v", answer, err)
	}
	page.Publish(t, topic, "unwatched", 1108)
	select {
	case e := <-events:
		t.Errorf("after unregistering the webhook got %+v", e)
	case <-time.After(300 * time.Millisecond):
	}
}

func TestAMessageWhosePublicationWasNotAnsweredIsReportedOnceWhenItIsPublishedAgain(t *testing.T) {
	b := bustest.Embedded(t)
	address, _ := start(t, b, func(c *Config) { c.WebhookHosts, c.LocalPages = []string{"push.test"}, true })
	url, events := hook(t)
	page, wallet := relaytest.Dial(t, address, relaytest.Options{}), relaytest.Dial(t, address, relaytest.Options{})
	topic := relaytest.Topic()
	wallet.Subscribe(t, topic)
	claims := watching(url)
	claims.Watch.Statuses = []string{"accepted"}
	if answer, err := register(t, wallet, address, "irn_watchRegister", claims); err != nil || answer.Error != nil {
		t.Fatalf("registering was answered %+v, %v", answer, err)
	}
	wallet.Close()
	accepted := func() string {
		t.Helper()
		select {
		case e := <-events:
			return e.Event.Message
		case <-time.After(30 * time.Second):
			t.Fatal("no event")
			return ""
		}
	}
	// The first post to the webhook fails.
	page.Publish(t, topic, "first", 1108)
	if got := accepted(); got != "first" {
		t.Fatalf("the webhook got %q", got)
	}

	// The process that stored the message ended before it reported it.
	conn, err := b.Relaxed()
	if err != nil {
		t.Fatal(err)
	}
	store, err := mailbox.Open(t.Context(), conn, mailbox.Config{MaxBytes: DefaultConfig().StoreBytes, Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	to, _ := mailbox.ParseTopic(topic)
	unanswered := mailbox.Message{Topic: to, Body: "to sign", Tag: 1108, Publisher: mailbox.PublisherOf(page.Name())}
	sequence, err := store.Publish(t.Context(), unanswered, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	page.Publish(t, topic, "to sign", 1108)
	page.Publish(t, topic, "to sign", 1108)
	page.Publish(t, topic, "last", 1108)
	got := []string{accepted(), accepted()}
	slices.Sort(got) // Events are posted concurrently, in any order.
	if !slices.Equal(got, []string{"last", "to sign"}) {
		t.Errorf("the webhook got %q", got)
	}
	select {
	case e := <-events:
		t.Errorf("the webhook got %q again", e.Event.Message)
	case <-time.After(300 * time.Millisecond):
	}
	if m, found, err := store.Next(t.Context(), to, sequence+1); err != nil || !found || m.Body != "last" {
		t.Errorf("after the message, %q is stored, %v", m.Body, err)
	}
}

func TestWebhooksThatAreRefused(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.WebhookHosts = []string{"push.test"} })
	c := relaytest.Dial(t, address, relaytest.Options{})
	for name, test := range map[string]struct {
		change func(*clientauth.Claims)
		data   string
	}{
		"a type that does not exist":   {func(c *clientauth.Claims) { c.Watch.Type = "reader" }, "InvalidAction"},
		"a status that does not exist": {func(c *clientauth.Claims) { c.Watch.Statuses = []string{"read"} }, "InvalidParams"},
		"an invalid service":           {func(c *clientauth.Claims) { c.Subject = "push" }, "InvalidServiceUrl"},
		"an invalid webhook":           {func(c *clientauth.Claims) { c.Watch.WebhookURL = "ftp://push.test" }, "InvalidWebhookUrl"},
		"a webhook that is too long":   {func(c *clientauth.Claims) { c.Watch.WebhookURL += strings.Repeat("a", 256) }, "InvalidWebhookUrl"},
		"two months":                   {func(c *clientauth.Claims) { c.ExpiresAt = time.Now().Add(60 * 24 * time.Hour).Unix() }, "InvalidTtl"},
		"a token that has expired":     {func(c *clientauth.Claims) { c.ExpiresAt = time.Now().Add(-time.Hour).Unix() }, "InvalidJwt"},
	} {
		claims := watching("https://push.test/hook")
		test.change(&claims)
		if answer, err := register(t, c, address, "irn_watchRegister", claims); err != nil || answer.Error == nil || answer.Error.Data != test.data {
			t.Errorf("%s was answered %+v, %v", name, answer.Error, err)
		}
	}
	closed, _ := start(t, bustest.Embedded(t))
	c = relaytest.Dial(t, closed, relaytest.Options{})
	if answer, err := register(t, c, closed, "irn_watchRegister", watching("https://push.test/hook")); err != nil || answer.Error == nil || answer.Error.Data != "InvalidWebhookUrl" {
		t.Errorf("without hosts it was answered %+v, %v", answer.Error, err)
	}
}
