package wallet_test

import (
	"testing"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/wallet/account"
)

// The frame signs this hash.
func TestTheHashOfAnOwner(t *testing.T) {
	const want = "0x85bb2e17cafb919bcb469f0753ee0c344996f6ae72c2c1401d00fc9606aa61b4" // as viem computes it
	if got := account.OwnerHash("abc", evm.MustAddress("0x9858EfFD232B4033E47d90003D41EC34EcaEda94")); got.Hex() != want {
		t.Errorf("the hash is %s, not %s", got, want)
	}
}
