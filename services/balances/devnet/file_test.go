package devnet

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTheFileIsReadAgainWhenItChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "devnet.json")
	f := Open(path)
	if d, err := f.Describe(); err != nil || len(d.Chains) != 0 {
		t.Fatalf("an absent file: got %v %v, want no chains", d, err)
	}
	write(t, path, `{"chains":[{"caip2":"eip155:31337","tokens":[{"symbol":"tUSD"}]}]}`, time.Unix(100, 0))
	if d, err := f.Describe(); err != nil || len(d.Chains) != 1 || d.Chains[0].Tokens[0].Symbol != "tUSD" {
		t.Fatalf("got %v %v, want one chain", d, err)
	}
	write(t, path, `{"chains":[{"caip2":"eip155:1"},{"caip2":"eip155:2"}]}`, time.Unix(200, 0))
	if d, err := f.Describe(); err != nil || len(d.Chains) != 2 {
		t.Fatalf("got %v %v, want two chains", d, err)
	}
	write(t, path, `{`, time.Unix(300, 0))
	if d, err := f.Describe(); err == nil {
		t.Fatalf("a damaged file: got %v, want an error", d)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if d, err := f.Describe(); err != nil || len(d.Chains) != 0 {
		t.Fatalf("a removed file: got %v %v, want no chains", d, err)
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
