package proof_test

import (
	"testing"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/auth/proof"
)

func FuzzCacao(f *testing.F) {
	f.Add("did:pkh:eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "Welcome.", "urn:recap:eyJhdHQiOnsiYSI6eyJiL2MiOlt7fV19fX0")
	f.Fuzz(func(t *testing.T, issuer, statement, resource string) {
		p, err := proof.Cacao{Issuer: issuer, Form: "caip122", Fields: siwe.Message{
			Domain: "shop.example", Statement: statement, URI: "https://shop.example", Version: "1", Nonce: "0123456789", IssuedAt: "2026-01-01T00:00:00Z", Resources: []string{resource},
		}}.Read()
		if err != nil {
			return
		}
		for _, text := range p.Texts {
			if m, err := siwe.Parse(text); err != nil || m.URI != "https://shop.example" || m.Domain != "shop.example" {
				t.Errorf("%q: %+v, %v", text, m, err)
			}
		}
	})
}
