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
	f.Fuzz(func(t *testing.T, address, currency, chainID, force string) {
		ask, err := parseBalanceRequest(&balancesv1.GetBalanceRequest{Address: address, Currency: currency, ChainId: chainID, ForceUpdate: force})
		if err != nil {
			if e := fault.From(err); e.Code != codes.InvalidArgument || e.Public == "" {
				t.Errorf("a caller's mistake became %v %q", e.Code, e.Public)
			}
			return
		}
		if !strings.EqualFold(ask.Owner.String(), address) {
			t.Errorf("address %q was read as %s", address, ask.Owner)
		}
		if ask.ChainID != "" && !strings.HasPrefix(ask.ChainID, "eip155:") {
			t.Errorf("chain %q was read as %s", chainID, ask.ChainID)
		}
		for i, id := range strings.Split(force, ",") {
			if force != "" && ask.Forced[i].ID != id {
				t.Errorf("token %q was read as %s", id, ask.Forced[i].ID)
			}
		}
	})
}
