package pools

import (
	"testing"

	"github.com/hawser-dev/hawser/services/evm"
)

func TestATokenThatTakesPermitsSaysUnderWhichName(t *testing.T) {
	h := newHarbour(t)
	plain := h.token("PLAIN")
	// A share in a v2 pool is a token with permits.
	share := h.main.Pair(t, plain, h.wrapped)
	k := h.keeper()
	for _, c := range []struct {
		what, token string
		want        *Permit
	}{
		{"with permits", share, &Permit{Name: "Uniswap V2", Version: "1"}},
		{"without", plain, nil},
		{"that is no contract", trader, nil},
		{"the chain's own currency", evm.Native.String(), nil},
	} {
		for _, again := range []bool{false, true} {
			h.asked()
			got, err := k.Permit(t.Context(), h.chain.CAIP2, evm.MustAddress(c.token))
			if err != nil {
				t.Fatal(err)
			}
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("%s: got %+v", c.what, got)
			}
			if bodies := h.asked(); again && len(bodies) != 0 {
				t.Errorf("%s: asked again", c.what)
			}
		}
	}
	h.down.Store(true)
	if _, err := k.Permit(t.Context(), h.chain.CAIP2, evm.MustAddress(h.routers.Both)); err == nil {
		t.Error("nobody could be asked, and yet there is an answer")
	}
}

// TestADomainIsBuiltFromTheTokensVersion holds the separator against USD Coin's on Ethereum, whose version is "2".
func TestADomainIsBuiltFromTheTokensVersion(t *testing.T) {
	usdc := evm.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	const separator = "0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335"
	if got := evm.Hex(domainSeparator("eip155:1", usdc, "USD Coin", "2")); got != separator {
		t.Errorf("got %s", got)
	}
	text := func(s string) evm.Answer {
		data := append(make([]byte, 31), 32)
		data = append(append(data, make([]byte, 31)...), byte(len(s)))
		return evm.Answer{OK: true, Data: append(append(data, s...), make([]byte, 32-len(s))...)}
	}
	wanted := must(hashOf(separator))
	said := evm.Answer{OK: true, Data: wanted[:]}
	none := evm.Answer{OK: true, Data: make([]byte, 32)}
	for what, c := range map[string]struct {
		answers [4]evm.Answer
		want    bool
	}{
		"version 2":         {[4]evm.Answer{said, none, text("USD Coin"), text("2")}, true},
		"no version":        {[4]evm.Answer{said, none, text("USD Coin"), {}}, false},
		"another name":      {[4]evm.Answer{said, none, text("USDC"), text("2")}, false},
		"no nonces":         {[4]evm.Answer{said, {}, text("USD Coin"), text("2")}, false},
		"another separator": {[4]evm.Answer{none, none, text("USD Coin"), text("2")}, false},
		"no separator":      {[4]evm.Answer{{}, none, text("USD Coin"), text("2")}, false},
	} {
		answers := [][]evm.Answer{{c.answers[0]}, {c.answers[1]}, {c.answers[2]}, {c.answers[3]}}
		if got := readPermit("eip155:1", usdc, answers); (got != nil) != c.want {
			t.Errorf("%s: got %+v", what, got)
		}
	}
}
