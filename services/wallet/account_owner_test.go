package wallet_test

import (
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/wallet/account"
)

// The frame signs these hashes.
func TestTheHashesOfAnOwner(t *testing.T) {
	const origin, user = "https://wallet.example.org", "abc"
	address := evm.MustAddress("0x9858EfFD232B4033E47d90003D41EC34EcaEda94")
	change := account.Change{Call: "UnlinkIdentity", Subject: "email a@b.example", Deadline: 1_795_000_000}
	// As viem computes them.
	const owner, changed = "0xa973eff76f7f67d403c6cc1a79290e4ecbf0b901a72e246d8e8c026842d460ce", "0x957a5e737f0da356dcb5a82562db53316f538778b946b68f28fa627de4254c2a"
	if got := account.OwnerHash(origin, user, address); got.Hex() != owner {
		t.Errorf("of an owner: %s", got)
	}
	if got := change.Hash(origin, user, address); got.Hex() != changed {
		t.Errorf("of a change: %s", got)
	}
}
