package caller_test

import (
	"testing"

	"github.com/hawser-dev/hawser/services/platform/caller"
)

func TestTheNetworkOfAnAddressHidesItsLastBits(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.77":        "192.0.2.0/24",
		"::ffff:192.0.2.77": "192.0.2.0/24",
		"2001:db8:1:2::3":   "2001:db8:1::/48",
		"fe80::1%eth0":      "fe80::/48",
		"127.0.0.1":         "this machine",
		"::1":               "this machine",
		"somewhere":         "",
		"":                  "",
	} {
		if got := caller.Network(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
