package tokens

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

func load(t *testing.T, cfg Config, local devnet.Source) *Lists {
	t.Helper()
	l, err := Load(cfg, local)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func on(t *testing.T, l *Lists, chainID string) []Token {
	t.Helper()
	return l.On(chainID)
}

func TestEveryBuiltInListIsValid(t *testing.T) {
	l := load(t, Config{}, devnet.Open("", nil))
	chains := "1 10 56 100 137 250 324 8217 8453 42161 43114 1313161554"
	for reference := range strings.FieldsSeq(chains) {
		list := on(t, l, "eip155:"+reference)
		if len(list) < 3 || len(list) > 300 {
			t.Errorf("eip155:%s has %d tokens", reference, len(list))
		}
		seen := map[evm.Address]bool{}
		for _, token := range list {
			if seen[token.Address] || token.Address == evm.Native || token.Symbol == "" || token.Name == "" || token.Decimals > 36 {
				t.Errorf("eip155:%s: %+v", reference, token)
			}
			seen[token.Address] = true
		}
	}
}

func TestTheOperatorExtendsAndReplacesLists(t *testing.T) {
	usdc := "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
	own := []Entry{{Address: usdc, Symbol: "MINE", Name: "My own", Decimals: 7}}

	builtIn := len(on(t, load(t, Config{}, devnet.Open("", nil)), "eip155:1"))
	extended := load(t, Config{Extra: map[string][]Entry{"eip155:1": own, "eip155:5": own}}, devnet.Open("", nil))
	if got := len(on(t, extended, "eip155:1")); got != builtIn {
		t.Errorf("an entry that replaces another: got %d tokens, want %d", got, builtIn)
	}
	if token, ok := extended.Find("eip155:1", evm.MustAddress(usdc)); !ok || token.Symbol != "MINE" || token.Decimals != 7 {
		t.Errorf("got %+v %v", token, ok)
	}
	if got := len(on(t, extended, "eip155:5")); got != 1 {
		t.Errorf("a chain without a built-in list: got %d tokens, want 1", got)
	}
	replaced := load(t, Config{Extra: map[string][]Entry{"eip155:1": own}, Replace: []string{"eip155:1"}}, devnet.Open("", nil))
	if got := len(on(t, replaced, "eip155:1")); got != 1 {
		t.Errorf("a replaced list: got %d tokens, want 1", got)
	}
}

func TestInvalidEntriesAreRefused(t *testing.T) {
	for _, extra := range []map[string][]Entry{
		{"eip155:1": {{Address: "0x12"}}},
		{"ethereum": {{Address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"}}},
	} {
		if _, err := Load(Config{Extra: extra}, devnet.Open("", nil)); err == nil {
			t.Errorf("%v: want an error", extra)
		}
	}
}

func TestTheTokensOfALocalChainAreThoseOfItsDescription(t *testing.T) {
	path := filepath.Join(t.TempDir(), "devnet.json")
	text := `{"chains":[{"caip2":"eip155:31337","tokens":[{"symbol":"tUSD","name":"Test USD","address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48","decimals":6}]}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	extra := []Entry{{Address: "0xdAC17F958D2ee523a2206206994597C13D831ec7", Symbol: "MORE"}}
	list := on(t, load(t, Config{Extra: map[string][]Entry{"eip155:31337": extra}}, devnet.Open(path, slog.New(slog.DiscardHandler))), "eip155:31337")
	if len(list) != 2 || list[0].Symbol != "tUSD" || list[0].Decimals != 6 || list[1].Symbol != "MORE" {
		t.Errorf("got %+v", list)
	}
}
