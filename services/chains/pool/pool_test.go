package pool

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

func newPool(nodes Poster, clk clock.Clock, urls ...string) *Pool {
	return New(Chain{ID: "eip155:31337", Nodes: urls, BlockTime: time.Second}, nodes, clk, slog.New(slog.DiscardHandler))
}

func TestAFailedNodeIsTriedLastUntilItsBackoffEnds(t *testing.T) {
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	var tried []string
	node := func(name string, ok *bool) func(string) (int, string, error) {
		return func(string) (int, string, error) {
			tried = append(tried, name)
			if *ok {
				return 200, chainstest.One, nil
			}
			return 500, "", nil
		}
	}
	up, down := true, false
	p := newPool(chainstest.Script{"a": node("a", &down), "b": node("b", &up)}, clock, "a", "b")
	call := func() string {
		tried = nil
		_, _ = p.Do(t.Context(), Call{})
		return strings.Join(tried, " ")
	}
	if got := call(); got != "a b" {
		t.Errorf("the first call tried %s", got)
	}
	if got := call(); got != "b" {
		t.Errorf("while a backs off, the call tried %s", got)
	}
	clock.Pass(firstBackoff)
	down = true
	if got := call(); got != "a" {
		t.Errorf("after the backoff, the call tried %s", got)
	}
}

func TestACancelledCallDoesNotCountAsAFailureOfTheNode(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := newPool(chainstest.Script{"a": func(string) (int, string, error) { cancel(); return 0, "", ctx.Err() }}, clocktest.StoppedAt(time.Unix(1, 0)), "a")
	if _, err := p.Do(ctx, Call{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if p.nodes[0].failures != 0 {
		t.Error("the call counts as a failure")
	}
}

func TestAHalfOpenNodeHasTheFullTimeoutForHeavyCalls(t *testing.T) {
	clock := clocktest.StoppedAt(time.Unix(1, 0))
	node := chainstest.Responds(200, chainstest.One)
	p := newPool(chainstest.Script{"a": node, "b": node}, clock, "a", "b")
	defer p.Close()
	if _, err := p.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	n := p.nodes[0]
	n.failed(clock.Now(), upstream.Failed)
	if _, timeout := n.timeouts(true); timeout != NodeTimeout {
		t.Errorf("a heavy call has %s", timeout)
	}
	clock.Pass(firstBackoff)
	p.probeAll(t.Context())
	n.begin(clock.Now())
	if backoff := n.state(clock.Now()).backoff; backoff > 0 {
		t.Errorf("after a probe, a call blocks the node for %s", backoff)
	}
}

func TestCallsThatTakeTooLongDoNotFailANodeThatRespondsToProbes(t *testing.T) {
	for behaviour, responds := range map[string]bool{"it responds": true, "it does not respond": false} {
		t.Run(behaviour, func(t *testing.T) {
			clock := clocktest.StoppedAt(time.Unix(1, 0))
			slow, probe := chainstest.Fails(context.DeadlineExceeded), chainstest.Responds(200, chainstest.BlockAt(1))
			script := chainstest.Script{"a": slow, "b": slow, "probe": func(body string) (int, string, error) { return probe(body) }}
			p := newPool(script, clock, "a", "b")
			defer p.Close()
			if _, err := p.Probe(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !responds {
				probe = slow
			}
			for range downAfter {
				clock.Pass(longestStandby)
				if _, err := p.Do(t.Context(), Call{heavy: true}); !errors.Is(err, ErrNoNode) {
					t.Errorf("got %v", err)
				}
				p.probes.running.Wait()
			}
			for _, n := range p.nodes {
				if n.isDown() == responds {
					t.Errorf("node %s has %d failures", n.url, n.failures)
				}
			}
		})
	}
}

func TestLookupsOfNothingLeaveOtherCallsTheirTries(t *testing.T) {
	null := chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"result":null}`)
	script := chainstest.Script{"a": null, "b": null}
	p := newPool(script, clocktest.StoppedAt(time.Unix(1, 0)), "a", "b")
	defer p.Close()
	for range 2*retriesSaved + 5 {
		if _, err := p.Do(t.Context(), Call{lookup: true}); err != nil {
			t.Fatal(err)
		}
	}
	script["a"] = chainstest.Responds(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"header not found"}}`)
	script["b"] = chainstest.Responds(200, chainstest.One)
	o, err := p.Do(t.Context(), Call{})
	if err != nil || string(o.Response.Result) != `"0x1"` {
		t.Errorf("%s, %+v, %v", o.Response.Result, o.Response.Error, err)
	}
}

func TestAPanicIsNotAnAnswer(t *testing.T) {
	script := chainstest.Script{"a": func(string) (int, string, error) { panic("broken") }, "b": chainstest.Responds(200, chainstest.One)}
	o, err := newPool(script, clocktest.StoppedAt(time.Unix(1, 0)), "a", "b").Do(t.Context(), Call{})
	if err != nil || string(o.Response.Result) != `"0x1"` {
		t.Errorf("with another node: %s, %v", o.Response.Result, err)
	}
	if o, err := newPool(script, clocktest.StoppedAt(time.Unix(1, 0)), "a").Do(t.Context(), Call{}); !errors.Is(err, ErrNoNode) {
		t.Errorf("without another node: %+v, %v", o.Response, err)
	}
}
