// Package devnet reads the file in which the local chains describe themselves.
package devnet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
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

// File is the description, read when it is first needed and again whenever the file has changed.
type File struct {
	path string

	mu      sync.Mutex
	changed time.Time
	chains  []Chain
}

// Open returns the file at path without reading it; an empty path, or a file that does not exist, describes no chain.
func Open(path string) *File { return &File{path: path} }

// Chains returns the local chains. The error is about a file that exists and cannot be read.
func (f *File) Chains() ([]Chain, error) {
	if f.path == "" {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.changed, f.chains = time.Time{}, nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.ModTime().Equal(f.changed) {
		return f.chains, nil
	}
	chains, err := read(f.path)
	if err != nil {
		return nil, err
	}
	f.changed, f.chains = info.ModTime(), chains
	return chains, nil
}

func read(path string) ([]Chain, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Chains []Chain `json:"chains"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return manifest.Chains, nil
}
