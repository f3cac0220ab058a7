package balances

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func FuzzQuestionsAboutBalances(f *testing.F) {
	f.Add("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "usd", "eip155:1", "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee")
	f.Add("", "", "1", ",")
	f.Add("0x", "eur", "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana:x:y")
	f.Add("So11111111111111111111111111111111111111112", "usd", "", "")
	f.Fuzz(func(t *testing.T, address, currency, chainID, force string) {
		check := func(err error) bool {
			if e := fault.From(err); err != nil && (e.Code != codes.InvalidArgument || e.Public == "") {
				t.Errorf("a caller's mistake became %v %q", e.Code, e.Public)
			}
			return err == nil
		}
		owner, err := parseOwner(address, chainID, currency)
		if !check(err) {
			return
		}
		if owner.Address() != address && (owner.IsSolana() || !strings.EqualFold(owner.Address(), address)) {
			t.Errorf("address %q was read as %s", address, owner.Address())
		}
		if owner.ChainID != "" && !strings.HasPrefix(owner.ChainID, owner.Namespace+":") {
			t.Errorf("chain %q was read as %s", chainID, owner.ChainID)
		}
		ids := forced(&balancesv1.GetBalanceRequest{ForceUpdate: force})
		if owner.IsSolana() {
			if assets, err := parseSolanaAssets(ids); check(err) && len(assets) != len(ids) {
				t.Errorf("tokens %q were read as %v", force, assets)
			}
			return
		}
		assets, err := parseAssets(ids)
		if !check(err) {
			return
		}
		for i, id := range ids {
			if assets[i].ID != id {
				t.Errorf("token %q was read as %s", id, assets[i].ID)
			}
		}
	})
}
