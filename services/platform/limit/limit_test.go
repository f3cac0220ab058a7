package limit_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/limit/limittest"
)

func TestACallersAddress(t *testing.T) {
	for name, c := range map[string]struct {
		remote    string
		forwarded []string
		trusted   bool
		want      string
	}{
		"of the connection":                          {"192.0.2.1:4000", nil, true, "192.0.2.1"},
		"of the connection, in IPv6":                 {"[2001:db8::1]:4000", nil, false, "2001:db8::1"},
		"IPv4 in IPv6 is IPv4":                       {"[::ffff:192.0.2.1]:4000", nil, false, "192.0.2.1"},
		"no proxy is trusted":                        {"192.0.2.1:4000", []string{"203.0.113.9"}, false, "192.0.2.1"},
		"the element that the proxy added":           {"192.0.2.1:4000", []string{"10.1.1.1, 203.0.113.9"}, true, "203.0.113.9"},
		"the line that the proxy added":              {"192.0.2.1:4000", []string{"9.9.9.9, 8.8.8.8", "203.0.113.9"}, true, "203.0.113.9"},
		"with a port":                                {"192.0.2.1:4000", []string{"203.0.113.9:5000"}, true, "203.0.113.9"},
		"in brackets":                                {"192.0.2.1:4000", []string{"[2001:db8::7]:5000"}, true, "2001:db8::7"},
		"a zone is ignored":                          {"[fe80::1%eth0]:4000", nil, false, "fe80::1"},
		"text that is not an address is the proxy's": {"192.0.2.1:4000", []string{"unknown"}, true, "192.0.2.1"},
		"no address":                                 {"pipe", nil, true, "invalid IP"},
	} {
		if got := limit.Address(c.remote, c.forwarded, c.trusted); got.String() != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAnAddressBehindSeveralProxies(t *testing.T) {
	for _, c := range []struct {
		forwarded []string
		hops      int
		want      string
	}{
		{[]string{"9.9.9.9, 203.0.113.9, 10.0.0.1"}, 2, "203.0.113.9"},
		{[]string{"9.9.9.9", "203.0.113.9", "10.0.0.1"}, 2, "203.0.113.9"},
		{[]string{"9.9.9.9, 203.0.113.9", "10.0.0.1"}, 2, "203.0.113.9"},
		{[]string{"203.0.113.9"}, 1, "203.0.113.9"},
		{[]string{"203.0.113.9"}, 2, "192.0.2.1"},
		{[]string{"203.0.113.9"}, 0, "192.0.2.1"},
		{nil, 2, "192.0.2.1"},
		{[]string{"x, 10.0.0.1"}, 2, "192.0.2.1"},
	} {
		if got := limit.AddressBehind("192.0.2.1:4000", c.forwarded, c.hops).String(); got != c.want {
			t.Errorf("%q behind %d: %s, want %s", c.forwarded, c.hops, got, c.want)
		}
	}
}

func TestAddressesThatOneCallerChoosesFreelyAreOneCaller(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2001:db8::1", "2001:db8::ffff:1", true},
		{"2001:db8:0:1::1", "2001:db8:0:2::1", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"", "nonsense", true},
	} {
		if got := limit.CallerOf("p", c.a) == limit.CallerOf("p", c.b); got != c.same {
			t.Errorf("%s and %s: one caller %v, want %v", c.a, c.b, got, c.same)
		}
	}
	if limit.CallerOf("p", "192.0.2.1") == limit.CallerOf("q", "192.0.2.1") {
		t.Error("two projects are one caller")
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("192.0.2.1:1", "10.0.0.1, 203.0.113.9", true)
	f.Add("[::1]:1", "::ffff:1.2.3.4", true)
	f.Add("", ",", false)
	f.Fuzz(func(t *testing.T, remote, forwarded string, trusted bool) {
		addr := limit.Address(remote, []string{forwarded}, trusted)
		if addr.Is4In6() || addr.Zone() != "" {
			t.Errorf("%s is not in its plain form", addr)
		}
		limit.CallerOf("", addr.String())
	})
}

var alice = limit.CallerOf("p", "192.0.2.1")

func TestTheLimiterOfOneProcess(t *testing.T) {
	limittest.Run(t, func(_ *testing.T, c *clocktest.Stopped, callers int) limit.Limiter { return limit.NewLocal(c, callers) })
}

func TestACallerMayBeSlowedDownInsteadOfRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limit.NewLocal(clock.System{}, 0)
		r := limit.Rate{Name: "messages", PerSecond: 10, Burst: 1}
		begun := time.Now()
		for range 21 {
			if err := limit.Wait(t.Context(), l, alice, r, 1); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took < 2*time.Second || took > 2100*time.Millisecond {
			t.Errorf("21 messages at 10 a second took %s", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := limit.Wait(ctx, l, alice, r, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("one who left: %v", err)
		}
	})
}
