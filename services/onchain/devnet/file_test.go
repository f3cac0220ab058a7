package devnet

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

const (
	one = `{"chains":[{"caip2":"eip155:31337","tokens":[{"symbol":"tUSD","address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","decimals":6}],
		"feeds":[{"pair":"ETH / USD","address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}]}]}`
	two = `{"chains":[{"caip2":"eip155:1"},{"caip2":"eip155:2"}]}`
)

func TestTheFileIsReadAgainWhenItChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "devnet.json")
	f := Open(path, slog.New(slog.DiscardHandler))
	expect(t, f, "an absent file", 0)
	write(t, path, one, time.Unix(100, 0))
	expect(t, f, "the first state", 1)
	chain, ok := f.Describe().Chain("eip155:31337")
	if !ok || chain.Tokens[0].Address != common.HexToAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed") || chain.Feeds[0].Token != nil {
		t.Errorf("got %+v", chain)
	}
	if first, second := f.Describe(), f.Describe(); first != second {
		t.Error("an unchanged file gave two descriptions")
	}
	write(t, path, two, time.Unix(200, 0))
	expect(t, f, "the second state", 2)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	expect(t, f, "a removed file", 0)
}

func TestADamagedFileKeepsTheLastStateAndIsLoggedOnce(t *testing.T) {
	for name, damage := range map[string]string{"cut": one[:40], "a bad address": `{"chains":[{"tokens":[{"address":"0x12"}]}]}`} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "devnet.json")
			var logged bytes.Buffer
			f := Open(path, slog.New(slog.NewTextHandler(&logged, nil)))
			write(t, path, one, time.Unix(100, 0))
			expect(t, f, "a valid file", 1)
			write(t, path, damage, time.Unix(200, 0))
			expect(t, f, "a damaged file", 1)
			expect(t, f, "a damaged file, read again", 1)
			if lines := bytes.Count(logged.Bytes(), []byte("\n")); lines != 1 {
				t.Errorf("the log has %d lines, want 1:\n%s", lines, &logged)
			}
		})
	}
}

func expect(t *testing.T, f *File, state string, chains int) {
	t.Helper()
	if got := len(f.Describe().Chains); got != chains {
		t.Errorf("%s: got %d chains, want %d", state, got, chains)
	}
}

func write(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}
