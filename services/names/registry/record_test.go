package registry

import (
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

func TestOwnerByKeyMustSignWithTheKey(t *testing.T) {
	account, other := evm.Address{1}, evm.Address{2}
	for name, c := range map[string]struct {
		owner  Owner
		signer Signer
		want   bool
	}{
		"a key, by its key":                        {Owner{account, 60, signature.Key}, Signer{account, 60, signature.Key}, true},
		"a key, by its key on another chain":       {Owner{account, 60, signature.Key}, Signer{account, 61, signature.Key}, true},
		"a key, by what its chain says":            {Owner{account, 60, signature.Key}, Signer{account, 60, signature.Contract}, false},
		"a contract, by what its chain says":       {Owner{account, 60, signature.Contract}, Signer{account, 60, signature.Contract}, true},
		"a contract, by what another chain says":   {Owner{account, 60, signature.Contract}, Signer{account, 61, signature.Contract}, false},
		"one who has not signed, by its chain":     {Owner{account, 60, ""}, Signer{account, 60, signature.Contract}, true},
		"one who has not signed, by its key":       {Owner{account, 60, ""}, Signer{account, 60, signature.Key}, true},
		"one who has not signed, by another chain": {Owner{account, 60, ""}, Signer{account, 61, signature.Contract}, false},
		"another account":                          {Owner{account, 60, signature.Key}, Signer{other, 60, signature.Key}, false},
	} {
		if got := c.owner.is(c.signer); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
