package marks_test

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/gateway/marks"
)

const (
	usdc     = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
	weth     = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
	unlisted = "0x000000000000000000000000000000000000dEaD"
	// native is how swaps and prices name a native currency.
	native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
)

func load(t *testing.T) *marks.Set {
	t.Helper()
	s, err := marks.Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestATokenIsFoundByChainAndAddressAlone(t *testing.T) {
	s := load(t)
	for name, tt := range map[string]struct {
		chainID, address, want string
	}{
		"as a checksum":                  {"eip155:1", usdc, "/v1/assets/tokens/eip155:1/" + strings.ToLower(usdc) + ".svg"},
		"in lower case":                  {"eip155:1", strings.ToLower(weth), "/v1/assets/tokens/eip155:1/" + strings.ToLower(weth) + ".svg"},
		"native by name":                 {"eip155:8453", marks.Native, "/v1/assets/tokens/eip155:8453/native.svg"},
		"native by its address":          {"eip155:8453", native, "/v1/assets/tokens/eip155:8453/native.svg"},
		"native of Solana":               {"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "So11111111111111111111111111111111111111111", "/v1/assets/tokens/solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/native.svg"},
		"native of a local chain":        {"eip155:31337", marks.Native, "/v1/assets/tokens/eip155:31337/native.svg"},
		"another contract":               {"eip155:1", unlisted, ""},
		"the same address elsewhere":     {"eip155:56", usdc, ""},
		"the same address, a test chain": {"eip155:11155111", usdc, ""},
		"an unknown chain":               {"eip155:999999", marks.Native, ""},
	} {
		if got := s.TokenPath(tt.chainID, tt.address); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	if s.Token("eip155:1", usdc).ETag != s.Token("eip155:42161", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831").ETag {
		t.Error("USDC has different marks on two chains")
	}
	if s.Token("eip155:1", weth).ETag == s.Token("eip155:1", marks.Native).ETag {
		t.Error("wrapped Ether looks like Ether")
	}
}

// An icon package gives this address to another token, which is why its addresses do not count without the symbol.
func TestATokenDoesNotGetTheMarkThatAPackageGivesItsAddressByMistake(t *testing.T) {
	if got := load(t).TokenPath("eip155:8453", "0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452"); got != "" {
		t.Errorf("wstETH on Base is shown as %s", got)
	}
}

func TestEveryNetworkOfTheTableHasAMark(t *testing.T) {
	var table []byte
	for _, file := range []string{"networks.yaml", "networks.gen.yaml"} {
		raw, err := os.ReadFile("../../services/chains/" + file)
		if err != nil {
			t.Fatal(err)
		}
		table = append(table, raw...)
	}
	s, found := load(t), 0
	for line := range strings.Lines(string(table)) {
		_, rest, ok := strings.Cut(line, `chain_id: "`)
		if !ok {
			continue
		}
		chainID, _, _ := strings.Cut(rest, `"`)
		found++
		if s.Network(chainID) == nil || s.Token(chainID, marks.Native) == nil {
			t.Errorf("%s or its native currency has no mark", chainID)
		}
	}
	if found < 54 {
		t.Errorf("read %d networks", found)
	}
}

func TestSellersHaveMarks(t *testing.T) {
	s := load(t)
	for _, name := range []string{"harbor-pay", "BEACON-PAY", "coinbase"} {
		if s.Seller(name) == nil {
			t.Errorf("%s has none", name)
		}
	}
}

// budget is how many bytes all marks may add to the binary.
const budget = 600 << 10

func TestEveryWalletOfTheDirectoryHasAMark(t *testing.T) {
	raw, err := os.ReadFile("../../services/directory/wallets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, wallets := load(t), 0
	for line := range strings.Lines(string(raw)) {
		key, ok := strings.CutPrefix(strings.TrimSpace(line), "- key: ")
		if !ok {
			continue
		}
		wallets++
		if s.Wallet(strings.Trim(key, `"`)) == nil {
			t.Errorf("%s has no mark", key)
		}
	}
	if wallets < 60 || s.Wallet("unknown") != nil {
		t.Errorf("%d wallets", wallets)
	}
}

func TestMarksAreSmallAndNothingButPictures(t *testing.T) {
	size := 0
	err := fs.WalkDir(os.DirFS("svg"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		svg, err := os.ReadFile("svg/" + path)
		if err != nil {
			return err
		}
		size += len(svg)
		checkPicture(t, path, string(svg))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > budget {
		t.Errorf("%d bytes, of %d", size, budget)
	}
}

// checkPicture reports elements that run scripts or load files, and references to anything outside of the file.
func checkPicture(t *testing.T, path, svg string) {
	t.Helper()
	ids := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch element.Name.Local {
		case "script", "style", "image", "use", "a", "foreignObject", "iframe", "animate", "set":
			t.Errorf("%s has <%s>", path, element.Name.Local)
		}
		for _, a := range element.Attr {
			name := strings.ToLower(a.Name.Local)
			if name == "id" && ids[a.Value] {
				t.Errorf("%s has id %s twice", path, a.Value)
			}
			ids[a.Value] = ids[a.Value] || name == "id"
			outside := strings.Contains(strings.ReplaceAll(a.Value, "url(#", ""), "url(")
			if name == "href" || name == "style" || strings.HasPrefix(name, "on") || outside {
				t.Errorf("%s has %s=%q", path, name, a.Value)
			}
		}
	}
}
