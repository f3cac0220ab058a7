// Package devnet reads the file in which the local chains describe themselves.
package devnet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// Chain is what one local chain holds.
type Chain struct {
	// CAIP2 is the chain's id, such as `eip155:31337`.
	CAIP2  string  `json:"caip2"`
	Tokens []Token `json:"tokens"`
	Feeds  []Feed  `json:"feeds"`
}

// Token is one ERC-20 contract.
type Token struct {
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Address  string `json:"address"`
	Decimals uint8  `json:"decimals"`
}

// Feed is one price feed in the shape of Chainlink's AggregatorV3Interface.
type Feed struct {
	// Pair is such as `ETH / USD`.
	Pair    string `json:"pair"`
	Address string `json:"address"`
	// Token is the priced token's address; empty for the native currency.
	Token string `json:"token"`
}

// Description is what all local chains say of themselves. It is never changed: a changed file gives another one.
type Description struct {
	Chains []Chain `json:"chains"`
}

// Chain returns the chain with the given CAIP-2 id.
func (d *Description) Chain(chainID string) (Chain, bool) {
	i := slices.IndexFunc(d.Chains, func(c Chain) bool { return c.CAIP2 == chainID })
	if i < 0 {
		return Chain{}, false
	}
	return d.Chains[i], true
}

// none describes no chain.
var none = &Description{}

// File holds the description, read when it is first needed and again whenever the file has changed.
type File struct {
	path string

	mu      sync.Mutex
	changed time.Time
	known   *Description
}

// Open returns the file at path without reading it; an empty path, or a file that does not exist, describes no chain.
func Open(path string) *File { return &File{path: path, known: none} }

// Describe returns what the file says now. The error is about a file that exists and cannot be read.
func (f *File) Describe() (*Description, error) {
	if f.path == "" {
		return none, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.known = none
		return none, nil
	}
	if err != nil {
		return nil, err
	}
	if f.known != none && info.ModTime().Equal(f.changed) {
		return f.known, nil
	}
	described, err := read(f.path)
	if err != nil {
		return nil, err
	}
	f.changed, f.known = info.ModTime(), described
	return described, nil
}

func read(path string) (*Description, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := &Description{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}
