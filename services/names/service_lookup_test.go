package names_test

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func (s display) wantDestination(t *testing.T, name string, coin uint32, want evm.Address, resolved, source string) {
	t.Helper()
	got, err := s.client.ResolveName(t.Context(), &namesv1.ResolveNameRequest{Name: name, CoinType: &coin})
	if err != nil || got.GetAddress() != want.String() || got.GetName() != resolved || got.GetSource() != source {
		t.Errorf("%s for %d: %v, %v; want %s of %s", name, coin, got, err, want, source)
	}
}

func (s display) wantUnresolved(t *testing.T, name string, coin uint32, code codes.Code, reason faultv1.Reason) {
	t.Helper()
	got, err := s.client.ResolveName(t.Context(), &namesv1.ResolveNameRequest{Name: name, CoinType: &coin})
	if f := fault.From(err); err == nil || f.Code != code || f.Reason != reason {
		t.Errorf("%s for %d: %v, %v; want %s", name, coin, got, err, reason)
	}
}

func TestResolveName(t *testing.T) {
	ens := resolvertest.Start(t)
	owner := signaturetest.NewAccount(141)
	for _, name := range []string{"known.resolve", "ünïcode.resolve", "日本.resolve", "🚴‍♂.resolve", "_under.resolve"} {
		ens.Lead(t, name, owner.Address(), "")
	}

	t.Run("a name in the registry is resolved without a request to a chain", func(t *testing.T) {
		s := showing(t)
		s.register(t, "known.hawser.id", owner)
		s.away.Store(true)
		s.wantDestination(t, "known.hawser.id", 60, owner.Address(), "known.hawser.id", "registry")
		s.wantDestination(t, "Known.Hawser.ID", 0x8000_0001, owner.Address(), "known.hawser.id", "registry")
		for _, name := range []string{"nobody.hawser.id", "hawser.id", "below.known.hawser.id", "x.hawser.id"} {
			s.wantUnresolved(t, name, 60, codes.NotFound, faultv1.Reason_REASON_NAME_ABSENT)
		}
		s.wantUnresolved(t, "known.hawser.id", 0x8000_000a, codes.NotFound, faultv1.Reason_REASON_NAME_ABSENT)
		if n := s.calls.Load(); n != 0 {
			t.Errorf("%d calls", n)
		}
	})

	t.Run("any other name is resolved by ENS", func(t *testing.T) {
		s := showing(t)
		s.wantDestination(t, "Known.resolve", 60, owner.Address(), "known.resolve", "ens")
		s.wantUnresolved(t, "known.resolve", 0x8000_000a, codes.NotFound, faultv1.Reason_REASON_NAME_ABSENT)
		s.wantUnresolved(t, "nobody.resolve", 60, codes.NotFound, faultv1.Reason_REASON_NAME_ABSENT)
	})

	t.Run("a letter that only lower-casing makes one of a to z is refused", func(t *testing.T) {
		s := showing(t)
		s.register(t, "known.hawser.id", owner)
		for _, name := range []string{"vİtalik.eth", "\u212Anown.hawser.id", "vİtalik.sol"} {
			s.wantUnresolved(t, name, 60, codes.InvalidArgument, faultv1.Reason_REASON_NAME_INVALID)
		}
	})

	t.Run("names of any script are resolved by their normal form", func(t *testing.T) {
		for text, normal := range map[string]string{
			"Ünïcode.Resolve":       "ünïcode.resolve",
			"u\u0308nïcode.resolve": "ünïcode.resolve",
			"日本.resolve":            "日本.resolve",
			"🚴‍♂️.resolve":          "🚴‍♂.resolve",
			"_under.resolve":        "_under.resolve",
			"\u212Anown.resolve":    "known.resolve",
		} {
			showing(t).wantDestination(t, text, 60, owner.Address(), normal, "ens")
		}
	})

	t.Run("an address, and the absence of one, are cached", func(t *testing.T) {
		s := showing(t)
		for range 3 {
			s.wantDestination(t, "known.resolve", 60, owner.Address(), "known.resolve", "ens")
			s.wantUnresolved(t, "nobody.resolve", 60, codes.NotFound, faultv1.Reason_REASON_NAME_ABSENT)
		}
		if n := s.calls.Load(); n != 2 {
			t.Errorf("%d calls", n)
		}
	})

	t.Run("an unreachable chain is distinguished from an absent name, and requested again", func(t *testing.T) {
		s := showing(t)
		s.away.Store(true)
		s.wantUnresolved(t, "known.resolve", 60, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE)
		s.away.Store(false)
		s.wantDestination(t, "known.resolve", 60, owner.Address(), "known.resolve", "ens")
	})

	t.Run("other names do not resolve without ENS", func(t *testing.T) {
		s := showing(t)
		s.unlisted.Store(true)
		s.wantUnresolved(t, "known.resolve", 60, codes.NotFound, faultv1.Reason_REASON_NAME_ABSENT)
	})

	t.Run("names without a normal form are refused", func(t *testing.T) {
		s := showing(t)
		for _, name := range []string{
			"", "resolve", "日本", "КNOWN.resolve", "xn--ls8h.resolve", "a b.resolve", "a..resolve", "a_b.resolve", "日本。resolve", "\u202eabc.resolve",
			strings.Repeat("a", 250) + ".resolve", "ünïcode.hawser.id", "ｋｎｏｗｎ.ｈａｗｓｅｒ.ｉｄ", "ｋｎｏｗｎ.ｓｏｌ",
		} {
			s.wantUnresolved(t, name, 60, codes.InvalidArgument, faultv1.Reason_REASON_NAME_INVALID)
		}
	})

	t.Run("coin types of other chains than EVM chains are refused", func(t *testing.T) {
		for _, coin := range []uint32{0, 501, 0x8000_0000} {
			showing(t).wantUnresolved(t, "known.hawser.id", coin, codes.InvalidArgument, faultv1.Reason_REASON_COIN_TYPE_UNSUPPORTED)
		}
	})
}
