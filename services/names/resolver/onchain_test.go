package resolver_test

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// keeper is a gateway that has the addresses of names, and may lie.
type keeper struct {
	signer   ens.Key
	contract evm.Address
	knows    map[ens.Kind]ens.Record
	// lie changes the data to be signed and the signer; nil for the truth.
	lie func(signer *ens.Key, contract *evm.Address, call *[]byte, expires *time.Time)
}

func (k *keeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call, err := hex.DecodeString(strings.TrimPrefix(path.Base(r.URL.Path), "0x"))
	requested, malformed := ens.ReadCall(call)
	if err != nil || malformed != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	signer, contract, expires := k.signer, k.contract, time.Now().Add(time.Hour)
	if k.lie != nil {
		k.lie(&signer, &contract, &call, &expires)
	}
	w.Header().Set("Content-Type", "application/json")
	says(signer.Answer(contract, call, k.knows[requested.Questions[0].Kind], expires))(w, r)
}

func TestServerAnswersAreVerifiedByTheContract(t *testing.T) {
	chain := resolvertest.Start(t)
	account := signaturetest.NewAccount(201).Address()
	key, forger := draw(t), draw(t)
	k := &keeper{signer: key, knows: map[ens.Kind]ens.Record{
		ens.Address: ens.AddressRecord(account), ens.CoinAddress: ens.BytesRecord(account[:]), ens.Text: ens.StringRecord("Ahoy"),
	}}
	server := httptest.NewServer(k)
	client := fetch.New(fetch.Options{AllowPrivate: true})
	t.Cleanup(func() {
		client.Close()
		server.Close()
	})
	k.contract = chain.Delegate(t, "kept.universal", key, server.URL+"/{sender}/{data}")
	chain.Claim(t, account, "one.kept.universal")
	r := resolver.Universal{Chain: chain.Forward, Address: chain.UniversalResolver, Gateways: client}

	t.Run("an honest answer resolves the name and the account", func(t *testing.T) {
		for _, coin := range []uint32{resolver.Ether, 0x8000_7a69} {
			if got, ok, err := r.AddressOf(t.Context(), "one.kept.universal", coin); err != nil || !ok || got != account {
				t.Errorf("%d: %s, %t, %v", coin, got, ok, err)
			}
		}
		if got, err := r.Text(t.Context(), "one.kept.universal", "description"); err != nil || got != "Ahoy" {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := r.PrimaryName(t.Context(), account); err != nil || got != "one.kept.universal" {
			t.Errorf("%q, %v", got, err)
		}
	})

	for what, lie := range map[string]func(signer *ens.Key, contract *evm.Address, call *[]byte, expires *time.Time){
		"signed by another key": func(signer *ens.Key, _ *evm.Address, _ *[]byte, _ *time.Time) { *signer = forger },
		"signed for another":    func(_ *ens.Key, contract *evm.Address, _ *[]byte, _ *time.Time) { *contract = account },
		"to another question":   func(_ *ens.Key, _ *evm.Address, call *[]byte, _ *time.Time) { *call = []byte("another") },
		"that is expired":       func(_ *ens.Key, _ *evm.Address, _ *[]byte, expires *time.Time) { *expires = time.Unix(1, 0) },
	} {
		t.Run("an answer "+what+" counts for nothing", func(t *testing.T) {
			k.lie = lie
			if got, ok, err := r.AddressOf(t.Context(), "one.kept.universal", resolver.Ether); ok || err != nil {
				t.Errorf("%s, %v", got, err)
			}
			if got, err := r.PrimaryName(t.Context(), account); got != "" || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	k.lie = nil

	t.Run("an account cannot claim a name that resolves to another one", func(t *testing.T) {
		thief := signaturetest.NewAccount(202).Address()
		chain.Claim(t, thief, "one.kept.universal")
		if got, err := r.PrimaryName(t.Context(), thief); got != "" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func draw(t *testing.T) ens.Key {
	t.Helper()
	key, err := ens.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
