package nfts

import (
	"bytes"
	"testing"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func FuzzAReferenceIsOursOrRefused(f *testing.F) {
	s := referenceSigner{bytes.Repeat([]byte{7}, keyLength)}
	honest := asset.Token{Contract: asset.Contract{ChainID: "eip155:1", Address: evm.Address{1}, Standard: asset.ERC1155}, ID: asset.ID{31: 9}}
	f.Add(s.Reference(honest, &metadata.Document{Picture: "x"}))
	f.Add("")
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := s.Token(text)
		if err == nil && got != honest {
			t.Fatalf("%q was taken for %v", text, got)
		}
	})
}

func TestReferenceChangesWithThePicture(t *testing.T) {
	s := referenceSigner{bytes.Repeat([]byte{7}, keyLength)}
	for _, standard := range []asset.Standard{asset.ERC721, asset.ERC1155} {
		token := asset.Token{Contract: asset.Contract{ChainID: "eip155:11155111", Address: evm.Address{1, 19: 2}, Standard: standard}, ID: asset.ID{0: 255, 31: 9}}
		one, two := s.Reference(token, &metadata.Document{Picture: "a"}), s.Reference(token, &metadata.Document{Drawing: "a"})
		if one == two {
			t.Error("a browser would keep showing the old one")
		}
		for _, r := range []string{one, two} {
			if got, err := s.Token(r); err != nil || got != token || len(r) > 512 {
				t.Errorf("got %v %v from %d letters", got, err, len(r))
			}
		}
		if s.Reference(token, nil) != "" || s.Reference(token, &metadata.Document{Name: "x"}) != "" {
			t.Error("a token without a picture has a reference to one")
		}
	}
}
