package e2e

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

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
)

// TestNamesOfOthersResolve resolves, in every protocol, a name on the chain and one of an offchain resolver, and their primary names.
func TestNamesOfOthersResolve(t *testing.T) {
	chain := resolvertest.Start(t)
	onChain, offChain := signaturetest.NewAccount(161), signaturetest.NewAccount(162)
	chain.Claim(t, onChain.Address(), "one.resolved")
	chain.Lead(t, "one.resolved", onChain.Address(), "")
	key, err := ens.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var contract evm.Address
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call, _ := hex.DecodeString(strings.TrimPrefix(path.Base(r.URL.Path), "0x"))
		requested, err := ens.ReadCall(call)
		if err != nil {
			t.Errorf("%s: %v", r.URL.Path, err)
			return
		}
		says := map[ens.Kind]ens.Record{ens.Address: ens.AddressRecord(offChain.Address()), ens.Text: ens.StringRecord("")}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"data":"%s"}`, hexutil.Encode(key.Answer(contract, call, says[requested.Questions[0].Kind], time.Now().Add(time.Hour))))
	}))
	t.Cleanup(gateway.Close)
	contract = chain.Delegate(t, "kept.resolved", key, gateway.URL+"/{sender}/{data}")
	chain.Claim(t, offChain.Address(), "two.kept.resolved")

	eachShape(t, func(t *testing.T, s *suite) {
		for name, account := range map[string]evm.Address{"one.resolved": onChain.Address(), "two.kept.resolved": offChain.Address()} {
			s.askAll(t, name+" resolves", askCase{
				rest: "GET /v1/resolve/" + name + "?projectId=" + project, rpc: "hawser.names.v1.NamesService/ResolveName", ask: `{"name":"` + name + `"}`,
				status: "200", code: "ok", want: fmt.Sprintf(`{"name":%q,"address":%q,"coinType":60,"source":"ens"}`, name, account),
			})
			s.askAll(t, "its account is shown by "+name, askCase{
				rest: "GET /v1/identity/" + account.String() + "?projectId=" + project, rpc: "hawser.names.v1.NamesService/GetIdentity", ask: `{"address":"` + account.String() + `"}`,
				status: "200", code: "ok", want: fmt.Sprintf(`{"name":%[1]q,"avatar":null,"resolvedAt":"~time","names":[%[1]q]}`, name),
			})
		}
	})
}

// askAll sends the request in every protocol.
func (s *suite) askAll(t *testing.T, behaviour string, c askCase) {
	c.project = project
	t.Run(behaviour, func(t *testing.T) {
		t.Run("rest", func(t *testing.T) { s.askREST(t, c) })
		for dialect, options := range dialects {
			t.Run(dialect, func(t *testing.T) { s.askRPC(t, c, options) })
		}
	})
}
