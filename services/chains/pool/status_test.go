package pool

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// states returns a line for each node: its state, head, lag and last failure.
func states(c *statusv1.Chain) (lines []string) {
	for _, n := range c.GetNodes() {
		state := strings.ToLower(strings.TrimPrefix(n.GetState().String(), "NODE_STATE_"))
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %d -%d %s", n.GetHost(), state, n.GetHead(), n.GetBehind(), n.GetLastError())))
	}
	return lines
}

func wantStates(t *testing.T, p *Pool, want ...string) {
	t.Helper()
	if got := states(p.Status()); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheStatusOfNodes(t *testing.T) {
	const keyed, plain, far = "https://user:key@one.test/v3/key?key=key", "http://127.0.0.1:8545", "https://three.test"
	nodes := &probedNodes{heads: map[string]int{keyed: 100, plain: 99, far: 60}}
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	p := newPool(nodes, clock, keyed, plain, far)
	defer p.Close()
	wantStates(t, p, "one.test unknown 0 -0", "127.0.0.1:8545 unknown 0 -0", "three.test unknown 0 -0")

	p.Refresh(t.Context())
	if height := p.Status().GetHeight(); height != 99 {
		t.Errorf("height %d", height)
	}
	wantStates(t, p, "one.test up 100 -0", "127.0.0.1:8545 up 99 -0", "three.test behind 60 -39")

	// probedNodes refuses connections to nodes without a head.
	delete(nodes.heads, keyed)
	clock.Pass(upstream.RefreshPause)
	p.Refresh(t.Context())
	wantStates(t, p, "one.test down 100 -0 unreachable", "127.0.0.1:8545 up 99 -0", "three.test behind 60 -39")

	nodes.heads[keyed] = 101
	clock.Pass(upstream.RefreshPause)
	p.Refresh(t.Context())
	wantStates(t, p, "one.test up 101 -0 unreachable", "127.0.0.1:8545 up 99 -0", "three.test behind 60 -39")
	if seconds := p.Status().GetNodes()[0].GetLastErrorSeconds(); seconds != 5 {
		t.Errorf("it failed %d seconds ago", seconds)
	}

	clock.Pass(upstream.KnownFor)
	wantStates(t, p, "one.test unknown 101 -0 unreachable", "127.0.0.1:8545 unknown 99 -0", "three.test unknown 60 -39")
}

func TestOperatorsWhoAskAgainCostNoRequests(t *testing.T) {
	nodes := &probedNodes{heads: map[string]int{"a": 10, "b": 10, "c": 10}}
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	p := newPool(nodes, clock, "a", "b", "c", "gone")
	defer p.Close()
	for _, tt := range []struct {
		after time.Duration
		want  string
	}{
		{0, "a b c gone"}, {0, ""}, {upstream.RefreshPause - time.Second, ""}, {time.Second, "a b c gone"}, {upstream.RefreshPause, "a b c gone"},
	} {
		clock.Pass(tt.after)
		p.Refresh(t.Context())
		p.probes.running.Wait()
		if probed := nodes.since(); probed != tt.want {
			t.Errorf("after %s: %q is probed, want %q", tt.after, probed, tt.want)
		}
	}
}

func TestTheStatusSaysWhyANodeFails(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		status int
		answer string
		want   string
	}{
		"over its limit": {429, "", "down 0 -0 rate_limited"},
		"its key ended":  {401, "", "down 0 -0 denied"},
		"broken":         {502, "", "down 0 -0 failed"},
		"no JSON":        {200, "<html>", "down 0 -0 invalid"},
		"another chain":  {200, `{"jsonrpc":"2.0","id":1,"result":"0x5"}`, "wrong_chain 0 -0 wrong_chain"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			node := posterFunc(func(context.Context, string, []byte) (int, []byte, error) { return tt.status, []byte(tt.answer), nil })
			chain := Chain{ID: "eip155:1", Nodes: []string{"https://node.test/key"}, BlockTime: time.Second}
			p := New(chain, node, clocktest.StoppedAt(time.Unix(1, 0)), slog.New(slog.DiscardHandler))
			defer p.Close()
			p.Refresh(t.Context())
			wantStates(t, p, "node.test "+tt.want)
		})
	}
}

type posterFunc func(ctx context.Context, url string, body []byte) (int, []byte, error)

func (f posterFunc) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	return f(ctx, url, body)
}
