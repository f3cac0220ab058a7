package relay

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

func claims(issued, expires time.Duration) *clientauth.Claims {
	now := time.Now()
	return &clientauth.Claims{Subject: "00", IssuedAt: now.Add(issued).Unix(), ExpiresAt: now.Add(expires).Unix()}
}

func TestClientsThatAreRefused(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	for name, test := range map[string]struct {
		options relaytest.Options
		origin  string
		reason  string
		status  int
	}{
		"an expired token":            {options: relaytest.Options{Claims: claims(-25*time.Hour, -time.Hour)}, reason: "JWT validation error: JWT Token is expired: basic.exp: ", status: 401},
		"a token of the future":       {options: relaytest.Options{Claims: claims(time.Hour, 25*time.Hour)}, reason: "JWT validation error: JWT Token is not yet valid: basic.iat: ", status: 401},
		"a token of another relay":    {options: relaytest.Options{Audience: "wss://relay.example"}, reason: "JWT validation error: the audience is another relay", status: 401},
		"a token for another purpose": {options: relaytest.Options{Claims: &clientauth.Claims{Subject: "https://push.example", IssuedAt: time.Now().Unix(), ExpiresAt: time.Now().Add(time.Hour).Unix(), Action: "irn_watchRegister"}}, reason: "JWT validation error: the token is for another purpose", status: 401},
		"an invalid token":            {options: relaytest.Options{Query: url.Values{"auth": {"a.b.c"}}}, reason: "JWT validation error: the token is malformed", status: 401},
		"no token":                    {options: relaytest.Options{Query: url.Values{"auth": nil}}, reason: "JWT validation error: no token", status: 401},
		"an unknown project":          {options: relaytest.Options{Query: url.Values{"projectId": {strings.Repeat("f", 32)}}}, reason: "Unauthorized: invalid key", status: 401},
		"a disabled project":          {options: relaytest.Options{Query: url.Values{"projectId": {disabled}}}, reason: "Unauthorized: invalid key", status: 403},
		"no project":                  {options: relaytest.Options{Query: url.Values{"projectId": nil}}, reason: "Unauthorized: no project id", status: 401},
		"an origin of another site": {
			origin: "https://evil.test", reason: "Unauthorized: origin not allowed", status: 403,
		},
	} {
		t.Run(name, func(t *testing.T) {
			test.options.Key = relaytest.NewKey()
			header := http.Header{}
			if test.origin != "" {
				header.Set("Origin", test.origin)
			}
			conn, _, err := websocket.Dial(t.Context(), relaytest.URL(address, test.options), &websocket.DialOptions{HTTPHeader: header})
			if err != nil {
				t.Fatal(err)
			}
			defer conn.CloseNow()
			_, _, err = conn.Read(t.Context())
			if websocket.CloseStatus(err) != 3000 || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("closed with %v", err)
			}
			if test.options.Query == nil {
				test.options.Query = url.Values{}
			}
			test.options.Query.Set("useOnCloseEvent", "false")
			_, res, err := websocket.Dial(t.Context(), relaytest.URL(address, test.options), &websocket.DialOptions{HTTPHeader: header})
			if err == nil || res.StatusCode != test.status {
				t.Errorf("without close events it was answered %v, %v", res.StatusCode, err)
			}
		})
	}
}

func TestClientsThatAreAccepted(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.URLs = []string{"wss://relay.example:8443"} })
	for name, options := range map[string]relaytest.Options{
		"a clock that is a minute fast": {Claims: claims(time.Minute, 24*time.Hour)},
		"a clock that is a minute slow": {Claims: claims(-25*time.Hour, -time.Minute)},
		"a configured address":          {},
	} {
		t.Run(name, func(t *testing.T) {
			options.Audience = "wss://relay.example:8443/v1/relay"
			relaytest.Dial(t, address, options).Subscribe(t, relaytest.Topic())
		})
	}
	t.Run("a token in the Authorization header", func(t *testing.T) {
		options := relaytest.Options{Key: relaytest.NewKey(), Audience: "wss://relay.example:8443"}
		u, _ := url.Parse(relaytest.URL(address, options))
		query := u.Query()
		token := query.Get("auth")
		query.Del("auth")
		u.RawQuery = query.Encode()
		conn, _, err := websocket.Dial(t.Context(), u.String(), &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		if err := conn.Ping(conn.CloseRead(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

// A relay of an attacker has tokens of clients for its own host, and may send them here with that host.
func TestATokenOfAnotherHostIsRefusedIfThisOneIsConfigured(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.PublicURL = "https://wallet.example.org" })
	host, _ := url.Parse(address)
	conn, _, err := websocket.Dial(t.Context(), relaytest.URL(address, relaytest.Options{Key: relaytest.NewKey()}), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if _, _, err = conn.Read(t.Context()); websocket.CloseStatus(err) != 3000 {
		t.Errorf("a token for the request's own host %s: %v", host.Host, err)
	}
	relaytest.Dial(t, address, relaytest.Options{Audience: "wss://wallet.example.org/v1/relay"}).Subscribe(t, relaytest.Topic())
}

// The wallet page of hand-offs is served by the gateway itself.
func TestThePagesOfTheGatewayItselfConnectForEveryProject(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t), func(c *Config) { c.PublicURL = "https://wallet.example.org/" })
	options := relaytest.Options{Key: relaytest.NewKey(), Audience: "wss://wallet.example.org/v1/relay"}
	for from, want := range map[string]websocket.StatusCode{"https://wallet.example.org": -1, "https://wallet.example.org.evil.test": 3000, "http://wallet.example.org": 3000} {
		conn, _, err := websocket.Dial(t.Context(), relaytest.URL(address, options), &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {from}}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		if _, _, err = conn.Read(ctx); websocket.CloseStatus(err) != want {
			t.Errorf("%s: %v", from, err)
		}
		cancel()
		conn.CloseNow()
	}
}

func TestHTTP(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	base := strings.Replace(address, "ws://", "http://", 1)
	ask := func(method, target, body string) (int, http.Header, string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var text strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := res.Body.Read(buffer)
			text.Write(buffer[:n])
			if err != nil {
				return res.StatusCode, res.Header, text.String()
			}
		}
	}
	if code, header, _ := ask(http.MethodGet, base+"/health", ""); code != 200 || header.Get("Date") == "" || header.Get("Access-Control-Expose-Headers") != "Date" {
		t.Errorf("health answered %d %v", code, header)
	}
	if code, _, _ := ask(http.MethodGet, base+"/", ""); code != http.StatusUpgradeRequired {
		t.Errorf("a plain GET was answered %d", code)
	}
	rpc := strings.Replace(strings.Replace(relaytest.URL(address, relaytest.Options{Key: relaytest.NewKey()}), "ws://", "http://", 1), "/?", "/rpc?", 1)
	topic := relaytest.Topic()
	publish := `{"id":1234567890,"jsonrpc":"2.0","method":"irn_publish","params":{"topic":"` + topic + `","message":"over HTTP","ttl":60,"tag":7}}`
	if code, _, body := ask(http.MethodPost, rpc, publish); code != 200 || body != `{"id":1234567890,"jsonrpc":"2.0","result":true}` {
		t.Errorf("publishing was answered %d %s", code, body)
	}
	other := relaytest.Dial(t, address, relaytest.Options{})
	other.Subscribe(t, topic)
	if d := other.Next(t); d.Data.Message != "over HTTP" {
		t.Errorf("the subscriber got %+v", d)
	}
	if code, _, body := ask(http.MethodPost, base+"/rpc?projectId="+relaytest.Project, publish); code != 401 || !strings.Contains(body, `"code":3000`) {
		t.Errorf("without a token it was answered %d %s", code, body)
	}
}

// After a restart no project is cached. Many clients with one address must not wait for each other's lookup.
func TestManyClientsOfOneAddressConnectAtOnce(t *testing.T) {
	address, _ := start(t, bustest.Embedded(t))
	var connecting sync.WaitGroup
	for range 200 {
		connecting.Go(func() {
			c, err := relaytest.DialContext(t.Context(), address, relaytest.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			if _, err := c.Call("irn_subscribe", map[string]any{"topic": relaytest.Topic()}); err != nil {
				t.Error(err)
			}
		})
	}
	connecting.Wait()
}
