package metadata

import (
	"encoding/base64"
	"errors"
	"math/big"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var gateways = Gateways{IPFS: "https://ipfs.example/ipfs/", Arweave: "https://ar.example/"}

func TestLocateFindsDocuments(t *testing.T) {
	for uri, want := range map[string]Source{
		"https://nft.example/1.json":                             {URL: "https://nft.example/1.json"},
		" http://nft.example/1 ":                                 {URL: "http://nft.example/1"},
		"ipfs://QmHash/1.json":                                   {URL: "https://ipfs.example/ipfs/QmHash/1.json", ByGateway: true},
		"ipfs://ipfs/QmHash/a b.json":                            {URL: "https://ipfs.example/ipfs/QmHash/a%20b.json", ByGateway: true},
		"IPFS://bafybeigdyrzt5":                                  {URL: "https://ipfs.example/ipfs/bafybeigdyrzt5", ByGateway: true},
		"ipfs://Qm/Wookz#525.png":                                {URL: "https://ipfs.example/ipfs/Qm/Wookz%23525.png", ByGateway: true},
		"ipfs://Qm/what?.png":                                    {URL: "https://ipfs.example/ipfs/Qm/what%3F.png", ByGateway: true},
		"ipfs://Qm/50%.png":                                      {URL: "https://ipfs.example/ipfs/Qm/50%25.png", ByGateway: true},
		"ipfs://Qm/%zz/a%20b":                                    {URL: "https://ipfs.example/ipfs/Qm/%25zz/a%20b", ByGateway: true},
		"ipfs://Qm/é@;=.png":                                     {URL: "https://ipfs.example/ipfs/Qm/%C3%A9%40%3B%3D.png", ByGateway: true},
		"ar://id_-x/0":                                           {URL: "https://ar.example/id_-x/0", ByGateway: true},
		`data:application/json,{"name":"x"}`:                     {Inline: []byte(`{"name":"x"}`)},
		`data:application/json;utf8,{"a":"100%"}`:                {Inline: []byte(`{"a":"100%"}`)},
		"data:,%7B%7D":                                           {Inline: []byte("{}")},
		`data:application/json;utf8,{"n":"50% off %231"}`:        {Inline: []byte(`{"n":"50% off #1"}`)},
		`data:image/svg+xml;utf8,<svg width="100%" f="%23f00"/>`: {Inline: []byte(`<svg width="100%" f="#f00"/>`)},
		"data:application/json;base64,e30=":                      {Inline: []byte("{}")},
		"data:application/json;base64,e30":                       {Inline: []byte("{}")},
		"data:application/json;charset=utf-8;base64,e30%3D":      {Inline: []byte("{}")},
		"data:image/png;base64," + base64.URLEncoding.EncodeToString([]byte{0xfb, 0xff, 0xfe}): {Inline: []byte{0xfb, 0xff, 0xfe}},
	} {
		got, err := gateways.Locate(uri, 64)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v %v, want %+v", uri, got, err, want)
		}
	}
}

func TestLocateRefusesInvalidURIs(t *testing.T) {
	for _, uri := range []string{
		"", "1.json", "ftp://a/b", "file:///etc/passwd", "javascript:alert(1)", "ipfs://", "ipfs:///x", "ipfs://../../admin", "ipfs://Qm/../../admin", "ipfs://Qm/%2e%2E/%2e./admin", "ipfs://Qm/..%2fadmin", "ipfs://Qm/..\\admin", "ipfs://a@evil.example/",
		"ipfs://Qm?x", "ar://.", "data:", "data:application/json", "data:,", "data:;base64,!!!", "data:," + strings.Repeat("x", 65), "data:;base64," + strings.Repeat("A", 200),
	} {
		if got, err := gateways.Locate(uri, 64); !errors.Is(err, ErrSource) {
			t.Errorf("%q: got %+v %v", uri, got, err)
		}
	}
}

func TestTokenIDIsInsertedAs64HexDigits(t *testing.T) {
	got, err := ForToken("https://nft.example/{id}.json?{id}", big.NewInt(0xABC), 64)
	id := strings.Repeat("0", 61) + "abc"
	if want := "https://nft.example/" + id + ".json?" + id; err != nil || got != want {
		t.Errorf("got %s", got)
	}
	largest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	if got, err := ForToken("{id}", largest, 64); err != nil || got != strings.Repeat("f", 64) {
		t.Errorf("got %s", got)
	}
}

func TestMetadataVariantsAreParsed(t *testing.T) {
	for document, want := range map[string]Document{
		`{"name":"Anchor","description":"x","image":"ipfs://Qm"}`:                 {Name: "Anchor", Description: "x", Picture: "ipfs://Qm"},
		"\xef\xbb\xbf" + `{"name":7,"image_url":" https://a/b "}`:                 {Name: "7", Picture: "https://a/b"},
		`{"name":null,"description":["a"],"image":{"x":1},"image_data":"<svg/>"}`: {Drawing: "<svg/>"},
		`{"image":"<svg/>"}`: {Drawing: "<svg/>"},
		`{"attributes":[{"trait_type":"Sea","value":"Calm"},{"value":12},{"trait_type":"x"},"y"]}`: {Traits: []Trait{{"Sea", "Calm"}, {"", "12"}}},
		`{"properties":{"b":true,"a":1.50,"c":{}}}`:                                                {Traits: []Trait{{"a", "1.50"}, {"b", "true"}}},
		`{"name":"a\u202eb\u0000\u200b  c\n\td <b>"}`:                                              {Name: "ab c d <b>"},
		"{\"name\":\"new\nline\ttab \\\\\",\n\"description\":\"\\\"quoted\nb\\\"\"}":               {Name: `new line tab \`, Description: "\"quoted b\""},
		`{}`: {},
	} {
		got, err := Parse([]byte(document))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v %v, want %+v", document, got, err, want)
		}
	}
	for _, document := range []string{"", "null", "[]", "7", `"x"`, "{", "<html>", `{"name":"x"}{}`} {
		if got, err := Parse([]byte(document)); !errors.Is(err, ErrDocument) {
			t.Errorf("%q passed for %+v", document, got)
		}
	}
}

func TestManyShortEntriesTakeFewBytes(t *testing.T) {
	for behaviour, document := range map[string]string{
		"empty traits": `{"attributes":[{}` + strings.Repeat(",{}", 300_000) + `]}`,
		"empty fields": `{"properties":{"":{}` + strings.Repeat(`,"":{}`, 150_000) + `}}`,
		"numbers":      `{"traits":[0` + strings.Repeat(",0", 450_000) + `]}`,
		"its fields":   `{"a":0` + strings.Repeat(`,"":0`, 200_000) + `}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse([]byte(document))
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; err != nil || taken > 64<<20 {
			t.Errorf("%s: %d bytes are taken for %d, %v", behaviour, taken, len(document), err)
		}
	}
}

// FuzzParseReturnsBoundedPlainText checks that parsed texts are printable and bounded.
func FuzzParseReturnsBoundedPlainText(f *testing.F) {
	f.Add([]byte(`{"name":"a\u202eb","description":"x","image":"ipfs://Qm","attributes":[{"trait_type":"Sea","value":"Calm"}]}`))
	f.Add([]byte(`{"properties":{"b":true,"a":1.50}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Parse(b)
		if err != nil {
			return
		}
		bounds := map[string]int{d.Name: maxName, d.Description: maxDescription}
		for _, trait := range d.Traits {
			bounds[trait.Value] = max(maxTraitValue, bounds[trait.Value])
		}
		for s, limit := range bounds {
			if utf8.RuneCountInString(s) > limit || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("%q is not plain text of %d letters", s, limit)
			}
		}
		if len(d.Traits) > maxTraits {
			t.Fatalf("%d traits", len(d.Traits))
		}
	})
}
