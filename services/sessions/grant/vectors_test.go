package grant

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// vectors is a file with which the frame of the embedded wallet tests its implementation too.
type vectors struct {
	Now       int64
	ChainID   int64
	Delegator evm.Address
	Salt      *hexutil.Big
	Nonce     string
	Signature hexutil.Bytes
	Contracts struct {
		DelegationManager, Factory, Implementation evm.Address
		Enforcers                                  map[string]evm.Address
	}
	Cases []struct {
		Name        string
		Keys        []struct{ PublicKey string }
		Permissions []Item
		Policies    []Item
		Expiry      uint32
		// RulesSalt is the salt that binds the rules that no contract enforces. The delegation has the salt of the
		// file.
		RulesSalt  string
		Delegation struct {
			Delegate evm.Address
			Caveats  []struct {
				Enforcer evm.Address
				Terms    hexutil.Bytes
			}
			Hash, SigningHash common.Hash
			Context           hexutil.Bytes
		}
	}
}

func TestTheFrameComputesTheSameDelegations(t *testing.T) {
	root, err := devnettest.Repository()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(root, "packages/vault/src/permissions/vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases) == 0 {
		t.Fatal("there are no cases")
	}
	contracts := delegation.Contracts{
		Manager: v.Contracts.DelegationManager, Factory: v.Contracts.Factory, MultiSig: v.Contracts.Implementation, Enforcers: v.Contracts.Enforcers,
	}
	nonce, _ := new(big.Int).SetString(v.Nonce, 10)
	for _, c := range v.Cases {
		t.Run(c.Name, func(t *testing.T) {
			g, err := Parse(c.Expiry, c.Permissions, c.Policies, time.Unix(v.Now, 0))
			if err != nil {
				t.Fatal(err)
			}
			account := delegation.Account{Factory: contracts.Factory, Implementation: contracts.MultiSig}
			for _, k := range c.Keys {
				owner, err := delegation.PublicKey(k.PublicKey)
				if err != nil {
					t.Fatal(err)
				}
				account.Owners = append(account.Owners, owner)
			}
			d := delegation.Delegation{
				Delegate: account.Address(), Delegator: v.Delegator, Caveats: g.Caveats(contracts, account.Address(), nonce), Salt: v.Salt.ToInt(),
				Signature: v.Signature,
			}
			salt := ""
			if n := g.Salt(); n != nil {
				salt = hexutil.EncodeBig(n)
			}
			if salt != c.RulesSalt {
				t.Errorf("the salt of the rules is %q, not %q", salt, c.RulesSalt)
			}
			want := c.Delegation
			if d.Delegate != want.Delegate {
				t.Errorf("the delegate is %s, not %s", d.Delegate, want.Delegate)
			}
			if len(d.Caveats) != len(want.Caveats) {
				t.Fatalf("%d caveats, not %d", len(d.Caveats), len(want.Caveats))
			}
			for i, w := range want.Caveats {
				if got := d.Caveats[i]; got.Enforcer != w.Enforcer || hexutil.Encode(got.Terms) != w.Terms.String() {
					t.Errorf("caveat %d is %s %x, not %s %s", i, got.Enforcer, got.Terms, w.Enforcer, w.Terms)
				}
			}
			if d.Hash() != want.Hash || d.SigningHash(contracts.Manager, big.NewInt(v.ChainID)) != want.SigningHash {
				t.Errorf("the hash is %s", d.Hash())
			}
			if got := hexutil.Encode(d.Context()); got != want.Context.String() {
				t.Errorf("the context is %s, not %s", got, want.Context)
			}
			back, err := delegation.Parse(want.Context)
			if err != nil || back.Hash() != want.Hash {
				t.Errorf("the context is read as %+v: %v", back, err)
			}
		})
	}
}
