package esplora

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// answering returns a client of servers. Each maps a path to a status and a text; genesis maps to the response for the
// first block.
func answering(t *testing.T, servers ...map[string]string) (*Client, *clocktest.Stopped) {
	t.Helper()
	var urls []string
	for _, answers := range servers {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer, ok := answers[r.URL.Path]
			if !ok && r.URL.Path == "/block-height/0" {
				answer = "200 " + genesis
			}
			status, body, _ := strings.Cut(answer, " ")
			code, err := strconv.Atoi(status)
			if err != nil {
				t.Errorf("an unexpected request of %s", r.URL.Path)
				return
			}
			w.Header().Set("Location", "https://node.test/")
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(s.Close)
		urls = append(urls, s.URL)
	}
	c := clocktest.StoppedAt(time.Unix(1_700_000_000, 0))
	return New(genesis, urls, c), c
}

// states returns a line for each server: its state, head, lag and last failure.
func states(ctx context.Context, c *Client, probe bool) string {
	var lines []string
	nodes, _ := c.Status(ctx, probe)
	for _, n := range nodes {
		state := strings.ToLower(strings.TrimPrefix(n.GetState().String(), "NODE_STATE_"))
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %d -%d %s", state, n.GetHead(), n.GetBehind(), n.GetLastError())))
	}
	return strings.Join(lines, ", ")
}

func TestTheStatusSaysWhyAServerFails(t *testing.T) {
	first, tip := "/block-height/0", tipPath
	for behaviour, tt := range map[string]struct {
		answers map[string]string
		want    string
	}{
		"up":                               {map[string]string{tip: "200 850000"}, "up 850000 -0"},
		"another chain":                    {map[string]string{first: "200 000000000933ea01ad0ee984209779ba"}, "wrong_chain 0 -0 wrong_chain"},
		"over its limit":                   {map[string]string{tip: "429 "}, "down 0 -0 rate_limited"},
		"over its limit before the check":  {map[string]string{first: "429 "}, "down 0 -0 rate_limited"},
		"its key ended before the check":   {map[string]string{first: "401 "}, "down 0 -0 denied"},
		"not for everyone":                 {map[string]string{first: "403 "}, "down 0 -0 denied"},
		"broken before the check":          {map[string]string{first: "503 "}, "down 0 -0 failed"},
		"no such path before the check":    {map[string]string{first: "404 "}, "down 0 -0 refused"},
		"without a newest block":           {map[string]string{tip: "404 "}, "down 0 -0 refused"},
		"refuses to say its newest block":  {map[string]string{tip: "400 "}, "down 0 -0 refused"},
		"no number":                        {map[string]string{tip: "200 <html>"}, "down 0 -0 invalid"},
		"redirects":                        {map[string]string{tip: "302 "}, "down 0 -0 invalid"},
		"redirects before it was verified": {map[string]string{first: "301 "}, "down 0 -0 invalid"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			c, _ := answering(t, tt.answers)
			if got := states(t.Context(), c, true); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestTheStatusOfServers(t *testing.T) {
	high, low := map[string]string{tipPath: "200 850000"}, map[string]string{tipPath: "200 849998"}
	c, clock := answering(t, high, low)
	for _, tt := range []struct {
		what string
		do   func()
		want string
	}{
		{"not probed", func() {}, "unknown 0 -0, unknown 0 -0"},
		{"asked", func() { c.Status(t.Context(), true) }, "up 850000 -0, behind 849998 -2"},
		{"without a tip", func() {
			delete(high, tipPath)
			high[tipPath] = "502 "
			clock.Pass(upstream.KnownFor)
			c.Status(t.Context(), true)
		}, "down 850000 -0 failed, behind 849998 -2"},
		{"with one again", func() { high[tipPath] = "200 850001"; clock.Pass(upstream.KnownFor); c.Status(t.Context(), true) }, "up 850001 -0 failed, behind 849998 -3"},
		{"a minute later", func() { clock.Pass(upstream.KnownFor) }, "unknown 850001 -0 failed, unknown 849998 -3"},
	} {
		tt.do()
		if got := states(t.Context(), c, false); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.what, got, tt.want)
		}
	}
}

func TestOperatorsWhoAskAgainCostNoRequests(t *testing.T) {
	var requested atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != tipPath {
			_, _ = w.Write([]byte(genesis))
			return
		}
		requested.Add(1)
		_, _ = w.Write([]byte("850000"))
	}))
	defer s.Close()
	clock := clocktest.StoppedAt(time.Unix(1_700_000_000, 0))
	c := New(genesis, []string{s.URL}, clock)
	for range 3 {
		c.Status(t.Context(), true)
	}
	if n := requested.Load(); n != 1 {
		t.Errorf("it was asked %d times", n)
	}
	clock.Pass(upstream.RefreshPause)
	c.Status(t.Context(), true)
	if n := requested.Load(); n != 2 {
		t.Errorf("after the pause it was asked %d times", n)
	}
}

func TestAnAnswerThatRefusesIsThatOfAServerThatIsUp(t *testing.T) {
	for answer, want := range map[string]string{"404 Transaction not found": "up 0 -0", "400 Invalid": "up 0 -0", "302 ": "down 0 -0 invalid"} {
		c, _ := answering(t, map[string]string{"/tx/a/hex": answer})
		_, _, _ = c.Transaction(t.Context(), "a")
		if got := states(t.Context(), c, false); got != want {
			t.Errorf("%s: got %s, want %s", answer, got, want)
		}
	}
	c, _ := answering(t, map[string]string{tipPath: "404 ", "/fee-estimates": "400 "})
	for name, read := range map[string]func() error{
		"the newest block": func() error { _, err := c.TipHeight(t.Context()); return err },
		"fee rates":        func() error { _, err := c.FeeEstimates(t.Context()); return err },
	} {
		if err := read(); kindOf(err) != upstream.Refused {
			t.Errorf("%s: %v", name, err)
		}
		if got := states(t.Context(), c, false); got != "down 0 -0 refused" {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func TestACallerThatLeavesSaysNothingOfTheServer(t *testing.T) {
	for name, call := range map[string]func(context.Context, *Client) error{
		"sends": func(ctx context.Context, c *Client) error { return c.Send(ctx, "00") },
		"reads": unspent,
	} {
		ctx, leave := context.WithCancel(t.Context())
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/block-height/0" {
				_, _ = w.Write([]byte(genesis))
				return
			}
			// The server detects that a client disconnected only after the body is read.
			_, _ = io.Copy(io.Discard, r.Body)
			leave()
			<-r.Context().Done()
		}))
		defer s.Close()
		c := New(genesis, []string{s.URL}, clocktest.StoppedAt(time.Unix(1_700_000_000, 0)))
		if err := call(ctx, c); err == nil || ctx.Err() == nil {
			t.Errorf("a caller that %s and leaves: %v", name, err)
		}
		if got := states(t.Context(), c, false); got != "unknown 0 -0" {
			t.Errorf("a caller that %s and leaves: the server is %s", name, got)
		}
		if c.servers[0].pausedUntil.After(time.Unix(1_700_000_000, 0)) {
			t.Errorf("a caller that %s and leaves: the server is paused", name)
		}
	}
}
