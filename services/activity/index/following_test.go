package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func TestFollowedAccountsAfterChangesAreThoseOfASet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	set := map[evm.Address]bool{}
	var f Following
	for range 2_000 {
		var begun, stopped []evm.Address
		for range random.IntN(4) {
			a := evm.Address{byte(random.IntN(40))}
			if slices.Contains(begun, a) || slices.Contains(stopped, a) {
				continue
			}
			if random.IntN(2) == 0 {
				begun, set[a] = append(begun, a), true
			} else {
				stopped = append(stopped, a)
				delete(set, a)
			}
		}
		before := slices.Clone(f.Accounts)
		changed := f.With(begun, stopped)
		if !slices.Equal(f.Accounts, before) {
			t.Fatal("the accounts before the change are others now")
		}
		f.Accounts = changed
		var want []evm.Address
		for a := range set {
			want = append(want, a)
		}
		if !slices.Equal(f.Accounts, slices.Clone(node.AccountsOf(want))) {
			t.Fatalf("%v after %v begun and %v stopped, want %v", f.Accounts, begun, stopped, node.AccountsOf(want))
		}
	}
}
