// Package marks holds the pictures of networks, tokens, wallets and sellers that the gateway serves from its own files, serves them, and adds their URLs to
// answers. They are SVG, written by tools/marks. A token is found by its chain and address, never by its own name or symbol.
package marks

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed svg index.json
var files embed.FS

// Native stands for the address of a chain's native currency.
const Native = "native"

// The addresses by which balances, swaps and prices name a native currency, in lower case.
const (
	evmNative    = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
	solanaNative = "so11111111111111111111111111111111111111111"
)

// Mark is one picture.
type Mark struct {
	SVG []byte
	// ETag is the entity tag of SVG, with its quotes (RFC 9110, 8.8.3).
	ETag string
}

// Set is all marks. It does not change, so that it is safe for concurrent use.
type Set struct {
	networks, sellers, wallets map[string]*Mark
	tokens                     map[string]map[string]*Mark
}

// Load reads the marks that are part of the binary. An error means that the build is broken.
func Load() (*Set, error) {
	var index struct {
		Networks, Sellers, Wallets map[string]string
		Tokens                     map[string]map[string]string
	}
	raw, err := files.ReadFile("index.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &index); err != nil {
		return nil, fmt.Errorf("index.json: %w", err)
	}
	l := loader{marks: map[string]*Mark{}}
	s := &Set{networks: l.all(index.Networks), sellers: l.all(index.Sellers), wallets: l.all(index.Wallets), tokens: map[string]map[string]*Mark{}}
	for chainID, byAddress := range index.Tokens {
		s.tokens[chainID] = l.all(byAddress)
	}
	return s, l.err
}

// Network returns the mark of the network with a CAIP-2 id, or nil.
func (s *Set) Network(chainID string) *Mark { return s.networks[chainID] }

// Seller returns the mark of a seller of tokens by the name that calls use, such as COINBASE, in any case, or nil.
func (s *Set) Seller(name string) *Mark { return s.sellers[strings.ToLower(name)] }

// Wallet returns the mark of a wallet by its key in the directory, such as metamask, or nil.
func (s *Set) Wallet(key string) *Mark { return s.wallets[key] }

// Token returns the mark of a token by its chain's CAIP-2 id and its address in any case, or nil. The address of the native currency is Native,
// 0xeeee…eeee or So11…1.
func (s *Set) Token(chainID, address string) *Mark { return s.tokens[chainID][key(address)] }

// TokenPath returns the absolute path at which the gateway serves the mark of a token, or an empty string.
func (s *Set) TokenPath(chainID, address string) string {
	if s.Token(chainID, address) == nil {
		return ""
	}
	return "/v1/assets/tokens/" + chainID + "/" + key(address) + ".svg"
}

func key(address string) string {
	address = strings.ToLower(address)
	if address == evmNative || address == solanaNative {
		return Native
	}
	return address
}

// loader reads every file once, however many tokens show it.
type loader struct {
	marks map[string]*Mark
	err   error
}

func (l *loader) all(paths map[string]string) map[string]*Mark {
	all := make(map[string]*Mark, len(paths))
	for name, path := range paths {
		all[name] = l.load(path)
	}
	return all
}

func (l *loader) load(path string) *Mark {
	if m := l.marks[path]; m != nil {
		return m
	}
	svg, err := files.ReadFile("svg/" + path + ".svg")
	if err != nil {
		l.err = err
		return nil
	}
	sum := sha256.Sum256(svg)
	m := &Mark{SVG: svg, ETag: `"` + hex.EncodeToString(sum[:12]) + `"`}
	l.marks[path] = m
	return m
}
