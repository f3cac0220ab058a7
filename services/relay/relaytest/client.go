// Package relaytest has a client of the wallet-connect relay for tests: one connection that signs its own tokens.
package relaytest

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/relay/clientauth"
)

// Project is a valid project id.
const Project = "00000000000000000000000000000001"

// patience bounds each wait of a client.
const patience = 20 * time.Second

// Client is a connection to a relay.
type Client struct {
	Key  ed25519.PrivateKey
	conn *websocket.Conn
	ids  atomic.Int64

	mu      sync.Mutex
	answers map[string]chan Answer
	// Deliveries receives the messages of subscriptions. The client acknowledges them, unless it was dialled with
	// Silent.
	Deliveries chan Delivery
	// Closed receives the status and reason of the relay's close frame.
	Closed chan websocket.CloseError
	silent bool
	// order has "answer <id>" and "delivery <message>" in the order of arrival.
	order []string
}

// Answer is a response.
type Answer struct {
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Error is the error of a response.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data"`
}

// Delivery is the params of an irn_subscription.
type Delivery struct {
	ID   string `json:"id"`
	Data struct {
		Topic       string `json:"topic"`
		Message     string `json:"message"`
		PublishedAt int64  `json:"publishedAt"`
		Tag         uint32 `json:"tag"`
		Attestation string `json:"attestation"`
	} `json:"data"`
	RequestID json.RawMessage `json:"-"`
}

// Options change what a client does.
type Options struct {
	// Key identifies the client; nil makes a new one.
	Key ed25519.PrivateKey
	// Silent leaves deliveries unacknowledged.
	Silent bool
	// Query is added to the URL, and replaces the parameters that the client would send.
	Query url.Values
	// Claims replaces the claims of the token.
	Claims *clientauth.Claims
	// Audience replaces the audience of the token.
	Audience string
	// From is the address that a proxy says the client has.
	From string
	// Queue is how many deliveries may wait to be taken; 10,000 by default.
	Queue int
	// HTTP makes the connection; nil for the default client.
	HTTP *http.Client
}

// NewKey returns a new key.
func NewKey() ed25519.PrivateKey {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

// URL returns the URL of a relay at address, with the query of a client.
func URL(address string, o Options) string {
	claims := clientauth.Claims{Subject: hex.EncodeToString(make([]byte, 32)), IssuedAt: time.Now().Unix(), ExpiresAt: time.Now().Add(24 * time.Hour).Unix()}
	if o.Claims != nil {
		claims = *o.Claims
	}
	audience := o.Audience
	if audience == "" {
		audience = address
	}
	token, err := clientauth.Sign(o.Key, audience, claims)
	if err != nil {
		panic(err)
	}
	query := url.Values{"auth": {token}, "projectId": {Project}, "ua": {"wc-2/go-test"}, "useOnCloseEvent": {"true"}}
	for name, values := range o.Query {
		query[name] = values
	}
	return address + "/?" + query.Encode()
}

// Dial opens a connection for the length of a test. address is ws://host:port.
func Dial(tb testing.TB, address string, o Options) *Client {
	tb.Helper()
	c, err := DialContext(tb.Context(), address, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

// DialContext opens a connection.
func DialContext(ctx context.Context, address string, o Options) (*Client, error) {
	if o.Key == nil {
		o.Key = NewKey()
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	header := http.Header{}
	if o.From != "" {
		header.Set("X-Forwarded-For", o.From)
	}
	conn, _, err := websocket.Dial(ctx, URL(address, o), &websocket.DialOptions{HTTPHeader: header, HTTPClient: o.HTTP})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(32 << 20)
	c := &Client{
		Key: o.Key, conn: conn, answers: map[string]chan Answer{}, silent: o.Silent,
		Deliveries: make(chan Delivery, cmp.Or(o.Queue, 10_000)), Closed: make(chan websocket.CloseError, 1),
	}
	c.ids.Store(time.Now().UnixMilli() * 1000)
	go c.read()
	return c, nil
}

// Name returns the did:key of the client.
func (c *Client) Name() string { return clientauth.ClientOf(c.Key).String() }

// Close ends the connection.
func (c *Client) Close() { _ = c.conn.CloseNow() }

func (c *Client) read() {
	for {
		_, frame, err := c.conn.Read(context.Background())
		if err != nil {
			var closed websocket.CloseError
			errors.As(err, &closed)
			c.Closed <- closed
			c.mu.Lock()
			for _, waiting := range c.answers {
				close(waiting)
			}
			c.answers = nil
			c.mu.Unlock()
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params Delivery        `json:"params"`
			Answer
		}
		if err := json.Unmarshal(frame, &m); err != nil {
			panic(fmt.Sprintf("the relay sent %q", frame))
		}
		if m.Method == "" {
			c.mu.Lock()
			waiting := c.answers[string(m.ID)]
			delete(c.answers, string(m.ID))
			c.order = append(c.order, "answer "+string(m.ID))
			c.mu.Unlock()
			if waiting != nil {
				waiting <- m.Answer
			}
			continue
		}
		c.mu.Lock()
		c.order = append(c.order, "delivery "+m.Params.Data.Message)
		c.mu.Unlock()
		if !c.silent {
			c.Acknowledge(m.ID)
		}
		m.Params.RequestID = m.ID
		c.Deliveries <- m.Params
	}
}

// Order returns what was received, in order: "answer <id>" and "delivery <message>".
func (c *Client) Order() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.order...)
}

// Acknowledge answers a delivery.
func (c *Client) Acknowledge(id json.RawMessage) {
	_ = c.Write([]byte(`{"id":` + string(id) + `,"jsonrpc":"2.0","result":true}`))
}

// Write sends a frame unchanged.
func (c *Client) Write(frame []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.conn.Write(ctx, websocket.MessageText, frame)
}

// Request sends a frame and returns the response with the id, given as JSON.
func (c *Client) Request(id string, frame []byte) (Answer, error) {
	return c.RequestThen(id, frame, func() {})
}

// RequestThen is [Client.Request], and calls sent when the frame was sent or could not be.
func (c *Client) RequestThen(id string, frame []byte, sent func()) (Answer, error) {
	sent = sync.OnceFunc(sent)
	defer sent()
	waiting := make(chan Answer, 1)
	c.mu.Lock()
	if c.answers == nil {
		c.mu.Unlock()
		return Answer{}, errors.New("the connection is closed")
	}
	c.answers[id] = waiting
	c.mu.Unlock()
	if err := c.Write(frame); err != nil {
		return Answer{}, err
	}
	sent()
	select {
	case answer, ok := <-waiting:
		if !ok {
			return Answer{}, errors.New("the connection was closed before the answer")
		}
		return answer, nil
	case <-time.After(patience):
		return Answer{}, errors.New("no answer")
	}
}

// Call calls a method.
func (c *Client) Call(method string, params any) (Answer, error) {
	id := fmt.Sprint(c.ids.Add(1))
	encoded, err := json.Marshal(params)
	if err != nil {
		return Answer{}, err
	}
	return c.Request(id, fmt.Appendf(nil, `{"id":%s,"jsonrpc":"2.0","method":%q,"params":%s}`, id, method, encoded))
}

// MustCall calls a method, which must succeed, and returns the result.
func (c *Client) MustCall(tb testing.TB, method string, params any) string {
	tb.Helper()
	answer, err := c.Call(method, params)
	if err != nil {
		tb.Fatalf("%s: %v", method, err)
	}
	if answer.Error != nil {
		tb.Fatalf("%s: %+v", method, *answer.Error)
	}
	return string(answer.Result)
}

// Subscribe subscribes to a topic.
func (c *Client) Subscribe(tb testing.TB, topic string) {
	tb.Helper()
	c.MustCall(tb, "irn_subscribe", map[string]any{"topic": topic})
}

// Publish publishes a message for five minutes.
func (c *Client) Publish(tb testing.TB, topic, message string, tag int) {
	tb.Helper()
	c.MustCall(tb, "irn_publish", Publication(topic, message, tag))
}

// Publication returns the params of irn_publish.
func Publication(topic, message string, tag int) map[string]any {
	return map[string]any{"topic": topic, "message": message, "ttl": 300, "tag": tag}
}

// Next returns the next delivery.
func (c *Client) Next(tb testing.TB) Delivery {
	tb.Helper()
	select {
	case d := <-c.Deliveries:
		return d
	case <-time.After(patience):
		tb.Fatal("no delivery")
		return Delivery{}
	}
}

// Topic returns a random topic.
func Topic() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}
