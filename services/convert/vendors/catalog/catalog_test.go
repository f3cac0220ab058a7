package catalog_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/catalog"
)

// TestVendorsServeTheChainsOfTheirContracts lists the networks that swaps are offered on, and the vendors that serve each.
func TestVendorsServeTheChainsOfTheirContracts(t *testing.T) {
	cfg := map[string]vendors.Config{}
	for name := range catalog.Vendors() {
		cfg[name] = vendors.Config{Key: "hunter2"}
	}
	sources, err := catalog.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for chain, want := range map[string]string{
		"eip155:1":          "0x 1inch",
		"eip155:10":         "0x 1inch",
		"eip155:56":         "0x 1inch",
		"eip155:100":        "1inch",
		"eip155:137":        "0x 1inch",
		"eip155:250":        "",
		"eip155:324":        "1inch",
		"eip155:8217":       "",
		"eip155:8453":       "0x 1inch",
		"eip155:42161":      "0x 1inch",
		"eip155:43114":      "0x 1inch",
		"eip155:1313161554": "",
		"eip155:31337":      "",
	} {
		var serving []string
		for _, s := range sources {
			if s.Serves(chain) {
				serving = append(serving, s.Name())
			}
		}
		if got := strings.Join(serving, " "); got != want {
			t.Errorf("%s is served by %q, want %q", chain, got, want)
		}
	}
}

func TestVendorsThatNeedAKeyRefuseToOpenWithoutOne(t *testing.T) {
	var keyed []string
	for _, name := range slices.Sorted(maps.Keys(catalog.Vendors())) {
		if _, err := catalog.Open(map[string]vendors.Config{name: {}}); err != nil {
			keyed = append(keyed, name)
		}
	}
	if !slices.Equal(keyed, []string{"0x", "1inch"}) {
		t.Errorf("these do not open without a key: %v", keyed)
	}
}
