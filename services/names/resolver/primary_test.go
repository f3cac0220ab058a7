package resolver_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// silent is a server that does not answer.
type silent struct{}

func (silent) Get(context.Context, string, fetch.Want) ([]byte, error) {
	return nil, errors.New("away")
}

func (silent) PostJSON(context.Context, string, []byte, fetch.Want) ([]byte, error) {
	return nil, errors.New("away")
}

func TestRead(t *testing.T) {
	chain := resolvertest.Start(t)
	account := func(n int) evm.Address { return signaturetest.NewAccount(n).Address() }
	read := func(t *testing.T, of evm.Address) resolver.Primary {
		t.Helper()
		found, err := resolver.ReadPrimary(t.Context(), resolver.Universal{Chain: chain.Forward, Address: chain.UniversalResolver, Gateways: silent{}}, of)
		if err != nil {
			t.Error(err)
		}
		return found
	}

	t.Run("a name that resolves back to the account is its primary name", func(t *testing.T) {
		avatar := "https://pictures.example/" + strings.Repeat("a", 40)
		chain.Claim(t, account(1), "one.primary")
		chain.Lead(t, "one.primary", account(1), avatar)
		if got := read(t, account(1)); got != (resolver.Primary{Name: "one.primary", Avatar: avatar}) {
			t.Errorf("%+v", got)
		}
	})

	t.Run("a name that resolves to another account is not returned", func(t *testing.T) {
		chain.Claim(t, account(2), "one.primary")
		if got := read(t, account(2)); got != (resolver.Primary{}) {
			t.Errorf("%+v", got)
		}
	})

	t.Run("a name that does not resolve is not returned", func(t *testing.T) {
		chain.Claim(t, account(3), "nowhere.primary")
		if got := read(t, account(3)); got != (resolver.Primary{}) {
			t.Errorf("%+v", got)
		}
	})

	t.Run("records of off-chain servers are unknown while the servers do not answer", func(t *testing.T) {
		universal := resolver.Universal{Chain: chain.Forward, Address: chain.UniversalResolver, Gateways: silent{}}
		if got, err := resolver.ReadPrimary(t.Context(), universal, account(4)); got != (resolver.Primary{}) || !errors.Is(err, resolver.ErrGateway) {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("a name in another script is returned", func(t *testing.T) {
		chain.Lead(t, "ünïcode.primary", account(5), "")
		chain.Claim(t, account(5), "ünïcode.primary")
		if got := read(t, account(5)); got != (resolver.Primary{Name: "ünïcode.primary"}) {
			t.Errorf("%+v", got)
		}
	})

	for n, name := range []string{"Upper.primary", "ü.primary", "under_score.primary", "xn--ls8h.primary", "spa ce.primary", "primary"} {
		t.Run("a name that imitates another one is not returned: "+name, func(t *testing.T) {
			chain.Lead(t, name, account(10+n), "")
			chain.Claim(t, account(10+n), name)
			if got := read(t, account(10+n)); got != (resolver.Primary{}) {
				t.Errorf("%+v", got)
			}
		})
	}

	t.Run("a contract other than a universal resolver is distinguished from an absent name", func(t *testing.T) {
		for what, where := range map[string]evm.Address{"no contract": account(5), "another": evm.MustAddress(chain.Contracts["Multicall3"])} {
			found, err := resolver.ReadPrimary(t.Context(), resolver.Universal{Chain: chain.Forward, Address: where, Gateways: silent{}}, account(1))
			if what == "no contract" && !errors.Is(err, resolver.ErrResolver) || found != (resolver.Primary{}) {
				t.Errorf("%s: %+v, %v", what, found, err)
			}
		}
	})

	t.Run("an unreachable node is distinguished from an absent name", func(t *testing.T) {
		away := func(context.Context, []byte) ([]byte, error) { return nil, errors.New("away") }
		if _, err := resolver.ReadPrimary(t.Context(), resolver.Universal{Chain: away, Address: chain.UniversalResolver, Gateways: silent{}}, account(1)); !errors.Is(err, resolver.ErrUnavailable) {
			t.Errorf("%v", err)
		}
	})

	t.Run("a name is returned if its avatar cannot be read", func(t *testing.T) {
		calls := 0
		once := func(ctx context.Context, body []byte) ([]byte, error) {
			if calls++; calls > 1 {
				return nil, errors.New("away")
			}
			return chain.Forward(ctx, body)
		}
		found, err := resolver.ReadPrimary(t.Context(), resolver.Universal{Chain: once, Address: chain.UniversalResolver, Gateways: silent{}}, account(1))
		if found != (resolver.Primary{Name: "one.primary"}) || !errors.Is(err, resolver.ErrUnavailable) {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

func FuzzReadHostile(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 96))
	f.Add([]byte(strings.Repeat("\xff", 96)))
	f.Fuzz(func(t *testing.T, answer []byte) {
		hostile := func(context.Context, []byte) ([]byte, error) {
			return []byte(`[{"jsonrpc":"2.0","id":0,"result":"` + hexutil.Encode(answer) + `"}]`), nil
		}
		found, err := resolver.ReadPrimary(t.Context(), resolver.Universal{Chain: hostile, Address: evm.Address{1}, Gateways: silent{}}, evm.Address{2})
		if err != nil && !errors.Is(err, resolver.ErrResolver) && !errors.Is(err, resolver.ErrUnavailable) {
			t.Errorf("%+v, %v", found, err)
		}
	})
}
