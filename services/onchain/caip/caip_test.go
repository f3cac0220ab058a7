package caip

import (
	"errors"
	"strings"
	"testing"
)

func TestParseChain(t *testing.T) {
	for in, ok := range map[string]bool{
		"eip155:1": true, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": true, "bip122:000000000019d6689c085ae165831e93": true,
		"": false, "eip155": false, "eip155:": false, ":1": false, "ei:1": false, "EIP155:1": false, "eip155:1:2": false,
		"eip155:" + strings.Repeat("1", 33): false, "eip155:1 ": false, "toolongname:1": false,
	} {
		c, err := ParseChain(in)
		if (err == nil) != ok {
			t.Errorf("ParseChain(%q) = %v, %v", in, c, err)
		}
		if err != nil && !errors.Is(err, ErrChain) {
			t.Errorf("ParseChain(%q): error %v is not ErrChain", in, err)
		}
		if err == nil && c.String() != in {
			t.Errorf("%q prints as %q", in, c)
		}
	}
}

func TestAccountsOfEVMChainsIgnoreCase(t *testing.T) {
	a, _ := ParseAccount("eip155:1:0xAB16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb")
	b, _ := ParseAccount("eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb")
	if !a.Equal(b) {
		t.Error("the same EVM account in two spellings is two accounts")
	}
	other, _ := ParseAccount("eip155:10:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb")
	if b.Equal(other) {
		t.Error("accounts of two chains are equal")
	}
	s, _ := ParseAccount("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv")
	lower, _ := ParseAccount(strings.ToLower("solana:5eykt4usfv8p8njdtrepy1vzqkqzkvdp:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv"))
	if s.Equal(lower) {
		t.Error("base58 addresses compare blind to case")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"eip155:1", "eip155:1:0xab", "eip155:1/erc20:0xab", "eip155:1/erc721:0xab/7", "a:b", "::", "/", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := ParseChain(s); err == nil && c.String() != s {
			t.Errorf("chain %q prints as %q", s, c)
		}
		if a, err := ParseAccount(s); err == nil {
			again, _ := ParseAccount(a.String())
			if a.String() != s || !a.Equal(again) {
				t.Errorf("account %q prints as %q", s, a)
			}
		}
		if a, err := ParseAsset(s); err == nil && a.String() != s {
			t.Errorf("asset %q prints as %q", s, a)
		}
	})
}

func TestIsSolanaAddress(t *testing.T) {
	for text, is := range map[string]bool{
		"7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv": true,
		"So11111111111111111111111111111111111111112":  true,
		"11111111111111111111111111111111":             true,
		// The placeholder of the native token is a valid address too.
		"So11111111111111111111111111111111111111111": true,
		"":                                false,
		"1111111111111111111111111111111": false,
		"7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaK0":  false,
		"7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKvv": false,
		strings.Repeat("z", 44):                         false,
		"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266":    false,
	} {
		if got := IsSolanaAddress(text); got != is {
			t.Errorf("%q: %v", text, got)
		}
	}
}
