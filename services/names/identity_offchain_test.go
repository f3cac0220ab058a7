package names_test

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

// private allows lookups at servers on this machine.
func private(c *names.ENSConfig, _ *devnetNodes) { c.AllowPrivate = true }

func TestOffchainNamesAreResolved(t *testing.T) {
	chain := resolvertest.Start(t)
	key, err := ens.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	owner := signaturetest.NewAccount(151)
	var contract evm.Address
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call, _ := hex.DecodeString(strings.TrimPrefix(path.Base(r.URL.Path), "0x"))
		requested, err := ens.ReadCall(call)
		if err != nil {
			t.Error(err)
			return
		}
		says := map[ens.Kind]ens.Record{
			ens.Address: ens.AddressRecord(owner.Address()), ens.Text: ens.StringRecord("https://pictures.example/1.png"),
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"data":"%s"}`, hexutil.Encode(key.Answer(contract, call, says[requested.Questions[0].Kind], time.Now().Add(time.Hour))))
	}))
	t.Cleanup(gateway.Close)
	contract = chain.Delegate(t, "kept.offchain", key, gateway.URL+"/{sender}/{data}")
	chain.Claim(t, owner.Address(), "one.kept.offchain")

	t.Run("an account is shown by an off-chain name, with its picture", func(t *testing.T) {
		showing(t, private).wantIdentity(t, owner, "https://pictures.example/1.png", "one.kept.offchain")
	})

	t.Run("an off-chain name resolves", func(t *testing.T) {
		showing(t, private).wantDestination(t, "one.kept.offchain", 60, owner.Address(), "one.kept.offchain", "ens")
	})

	t.Run("private servers are called only if the operator allows it", func(t *testing.T) {
		s := showing(t)
		s.wantIdentity(t, owner, "")
		s.wantUnresolved(t, "one.kept.offchain", 60, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE)
	})

	t.Run("names of the registry are shown while the servers do not answer", func(t *testing.T) {
		stuck := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		t.Cleanup(stuck.Close)
		account := signaturetest.NewAccount(152)
		chain.Delegate(t, "stuck.offchain", key, stuck.URL+"/{sender}/{data}")
		chain.Claim(t, account.Address(), "one.stuck.offchain")
		s := showing(t, private)
		s.register(t, "stuck.hawser.id", account)
		s.wantIdentity(t, account, "", "stuck.hawser.id")
		s.wantDestination(t, "stuck.hawser.id", 60, account.Address(), "stuck.hawser.id", "registry")
		s.wantUnresolved(t, "one.stuck.offchain", 60, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE)
	})
}

// TestAccountChoosesItsPrimaryName checks that the chain decides by which of the installation's names an account is
// shown, and that the registry provides its records.
func TestAccountChoosesItsPrimaryName(t *testing.T) {
	chain := resolvertest.Start(t)
	owner := signaturetest.NewAccount(153)
	chain.Claim(t, owner.Address(), "second.hawser.id")
	chain.Lead(t, "second.hawser.id", owner.Address(), "https://pictures.example/stale.png")
	s := showing(t)
	s.register(t, "first.hawser.id", owner)
	s.wantIdentity(t, owner, "", "first.hawser.id")
	s.register(t, "second.hawser.id", owner)
	s.wantIdentity(t, owner, "", "second.hawser.id", "first.hawser.id")

	release := fmt.Sprintf(`{"release":"second.hawser.id","timestamp":%d}`, time.Now().Unix())
	_, err := s.client.ReleaseName(t.Context(), &namesv1.ReleaseNameRequest{
		Name: "second.hawser.id", Message: release, Signature: owner.Sign(release), CoinType: 60, Address: owner.Address().String(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.wantIdentity(t, owner, "", "first.hawser.id")
}
