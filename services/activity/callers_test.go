package activity

import (
	"fmt"
	"testing"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestNewAccountsPerCallerAreBounded(t *testing.T) {
	w := open(t, func(c *Config) { c.NewAccountsPerHour = 3 })
	ask := func(from string, n int) *fault.Error {
		ctx := caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: from})
		_, err := w.GetHistory(ctx, &activityv1.GetHistoryRequest{Address: fmt.Sprintf("0x%040x", 0xca11e000+n), ChainId: w.chain.CAIP2})
		if err == nil {
			return &fault.Error{}
		}
		return fault.From(err)
	}
	for n := range 3 {
		if f := ask("2001:db8::1", n); f.Public != "" {
			t.Errorf("account %d: %v", n, f)
		}
	}
	if f := ask("2001:db8::2", 3); f.Reason != faultv1.Reason_REASON_RATE_LIMITED || f.RetryAfter <= 0 {
		t.Errorf("one more of its network: %v", f)
	}
	if f := ask("2001:db8::2", 0); f.Public != "" {
		t.Errorf("an account that the index has: %v", f)
	}
	if f := ask("192.0.2.1", 4); f.Public != "" {
		t.Errorf("another caller: %v", f)
	}
}

func TestCallersTakeTurnsBySite(t *testing.T) {
	site := func(address string) string {
		return siteOf(caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: address}))
	}
	if site("2001:db8:0:1::1") != site("2001:db8:0:ffff::1") {
		t.Error("two networks of one /48 have turns of their own")
	}
	if site("2001:db8:0:1::1") == site("2001:db8:1:1::1") || site("192.0.2.1") == site("192.0.2.2") {
		t.Error("two sites share their turns")
	}
	if own := siteOf(t.Context()); own != "" {
		t.Errorf("the suite's own calls are of %q", own)
	}
}
