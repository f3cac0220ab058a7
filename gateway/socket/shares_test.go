package socket

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestOneCallerHoldsSoManySocketsAndFilterEntries(t *testing.T) {
	limits := access.DefaultLimits()
	limits.Sockets, limits.FilterEntries = 2, 3
	a := onAirWith(t, &accesstest.Book{Project: accesstest.Enabled()}, limits)
	first, second := a.dial(t), a.dial(t)
	if _, res, err := websocket.Dial(t.Context(), a.url, nil); err == nil || res.StatusCode != http.StatusTooManyRequests {
		t.Fatalf("a third connection: %v, %v", res, err)
	}
	subscribe := func(c *websocket.Conn, topics, want string) {
		t.Helper()
		send(t, c, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["logs",{"topics":[`+topics+`]}]}`)
		if got := hear(t, c); !strings.Contains(got, want) {
			t.Errorf("%s: answered %s, want %s", topics, got, want)
		}
	}
	subscribe(first, `["`+someTopic+`","`+otherTopic+`"]`, `"result"`)
	subscribe(second, `["`+someTopic+`","`+otherTopic+`"]`, `"code":-32005`)
	subscribe(second, `"`+someTopic+`"`, `"result"`)
	if err := first.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Fatal(err)
	}
	// What a connection held is released with it.
	for range 100 {
		c, res, err := websocket.Dial(t.Context(), a.url, nil)
		if err == nil {
			subscribe(second, `["`+someTopic+`","`+otherTopic+`"]`, `"result"`)
			_ = c.CloseNow()
			return
		}
		if res == nil || res.StatusCode != http.StatusTooManyRequests {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("what a connection held is held still")
}

func TestOneCallerHoldsAtMostAnEighthByDefault(t *testing.T) {
	l := access.DefaultLimits()
	for _, s := range []limit.Share{
		l.SocketShare(), l.FilterEntryShare(), logSubscriptions, solanaShare("c", slotSubscription), solanaShare("c", "accountSubscribe"), relayConnections, relayWaiting,
	} {
		if s.Each > s.Total/8 {
			t.Errorf("one caller holds %d of %d %s", s.Each, s.Total, s.Name)
		}
	}
}

func TestACallerWhoReadsIsNotLetGoForABurst(t *testing.T) {
	limits := access.DefaultLimits()
	limits.RequestsPerSecond = 0
	a := onAirWith(t, &accesstest.Book{Project: accesstest.Enabled()}, limits)
	c := a.dial(t)
	c.SetReadLimit(1 << 20)
	const burst = 5_000
	go func() {
		for i := range burst {
			if c.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"eth_chainId"}`, i)) != nil {
				return
			}
		}
	}()
	for range burst {
		hear(t, c)
	}
}
