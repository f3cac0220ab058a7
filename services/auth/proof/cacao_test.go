package proof_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/auth/proof"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

// The CACAOs are those of a wallet with @walletconnect/utils 2.20.1, signed by account 0 of the test mnemonic.
func TestCACAOsOfOtherSoftwareHaveTheTextThatWasSigned(t *testing.T) {
	raw, err := os.ReadFile("testdata/cacaos.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Behaviour, Message string
		Cacao              struct {
			H struct{ T string }
			P struct {
				Iss, Domain, Aud, Version, Nonce, Iat, Nbf, Exp, Statement, RequestID string
				Resources                                                             []string
			}
			S struct{ S string }
		}
	}
	if err := json.Unmarshal(raw, &vectors); err != nil || len(vectors) < 6 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for _, v := range vectors {
		p := v.Cacao.P
		read, err := proof.Cacao{Issuer: p.Iss, Form: v.Cacao.H.T, Signature: v.Cacao.S.S, Fields: siwe.Message{
			Domain: p.Domain, Statement: p.Statement, URI: p.Aud, Version: p.Version, Nonce: p.Nonce, IssuedAt: p.Iat, ExpirationTime: p.Exp,
			NotBefore: p.Nbf, RequestID: p.RequestID, Resources: p.Resources,
		}}.Read()
		if err != nil || !slices.Contains(read.Texts, v.Message) {
			t.Errorf("%s: %v: %q", v.Behaviour, err, read.Texts)
			continue
		}
		sig, err := signature.Parse(read.Signature)
		if err != nil {
			t.Fatal(err)
		}
		account := evm.MustAddress(read.Message.Address)
		if _, err := signature.NewVerifier(nil).Verify(t.Context(), "", account, []byte(v.Message), sig); err != nil {
			t.Errorf("%s: %v", v.Behaviour, err)
		}
	}
}

func FuzzCacao(f *testing.F) {
	const page = "https://shop.example"
	f.Add("did:pkh:eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "Welcome.", "urn:recap:eyJhdHQiOnsiYSI6eyJiL2MiOlt7fV19fX0")
	f.Fuzz(func(t *testing.T, issuer, statement, resource string) {
		p, err := proof.Cacao{Issuer: issuer, Form: "caip122", Fields: siwe.Message{
			Domain: "shop.example", Statement: statement, URI: page, Version: "1", Nonce: "0123456789", IssuedAt: "2026-01-01T00:00:00Z", Resources: []string{resource},
		}}.Read()
		if err != nil {
			return
		}
		for _, text := range p.Texts {
			if m, err := siwe.Parse(text); err != nil || m.URI != page || m.Domain != "shop.example" {
				t.Errorf("%q: %+v, %v", text, m, err)
			}
		}
	})
}
