// Package tokens knows which tokens are looked for on each chain: lists that come with the binary, those of the operator's
// configuration, and those of the local chains.
package tokens

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/balances/devnet"
	"github.com/hawser-dev/hawser/services/balances/evm"
	"github.com/hawser-dev/hawser/services/caip"
)

//go:embed lists/*.json
var embedded embed.FS

// Token is one token of one chain.
type Token struct {
	Address  evm.Address
	Symbol   string
	Name     string
	Decimals uint8
	// Icon is a URL, or empty.
	Icon string
	// Oracle says that the chain's Aave oracle prices this token.
	Oracle bool
}

// Config is what an operator adds.
type Config struct {
	// Extra extends the list of a chain, by CAIP-2 id.
	Extra map[string][]Entry `yaml:"extra"`
	// Replace names chains whose built-in list is not used at all, by CAIP-2 id.
	Replace []string `yaml:"replace"`
}

// Entry is one token as lists spell it.
type Entry struct {
	// Address is 0x and 40 hex digits.
	Address  string `yaml:"address" json:"address"`
	Symbol   string `yaml:"symbol" json:"symbol"`
	Name     string `yaml:"name" json:"name"`
	Decimals uint8  `yaml:"decimals" json:"decimals"`
	// Icon is a URL that pages may show, or empty.
	Icon string `yaml:"icon" json:"icon,omitempty"`
	// Oracle says that the chain's Aave oracle prices this token.
	Oracle bool `yaml:"oracle" json:"oracle,omitempty"`
}

// Lists holds the tokens of every chain.
type Lists struct {
	fixed map[string]*chainList
	local *devnet.File
}

// chainList is a list in its order, and the same by address.
type chainList struct {
	tokens    []Token
	byAddress map[evm.Address]Token
}

// Load returns the built-in lists, extended or replaced by cfg, and the tokens of local chains. The error names the first
// entry that is wrong.
func Load(cfg Config, local *devnet.File) (*Lists, error) {
	l := &Lists{fixed: map[string]*chainList{}, local: local}
	files, err := embedded.ReadDir("lists")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := l.loadFile(f.Name(), cfg.Replace); err != nil {
			return nil, err
		}
	}
	for chainID, entries := range cfg.Extra {
		if _, err := caip.ParseChain(chainID); err != nil {
			return nil, err
		}
		if err := l.add(chainID, entries); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *Lists) loadFile(name string, replaced []string) error {
	chainID := strings.Replace(strings.TrimSuffix(name, ".json"), "-", ":", 1)
	if slices.Contains(replaced, chainID) {
		return nil
	}
	text, err := embedded.ReadFile(path.Join("lists", name))
	if err != nil {
		return err
	}
	var entries []Entry
	if err := json.Unmarshal(text, &entries); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return l.add(chainID, entries)
}

// add appends entries; one that is listed already takes the place of the earlier.
func (l *Lists) add(chainID string, entries []Entry) error {
	list := l.fixed[chainID]
	if list == nil {
		list = newList()
		l.fixed[chainID] = list
	}
	for _, e := range entries {
		address, err := evm.ParseAddress(e.Address)
		if err != nil {
			return fmt.Errorf("token %s of %s: %w", e.Address, chainID, err)
		}
		list.put(Token{Address: address, Symbol: e.Symbol, Name: e.Name, Decimals: e.Decimals, Icon: e.Icon, Oracle: e.Oracle})
	}
	return nil
}

func newList() *chainList { return &chainList{byAddress: map[evm.Address]Token{}} }

func (c *chainList) put(t Token) {
	if _, listed := c.byAddress[t.Address]; listed {
		c.tokens = slices.DeleteFunc(c.tokens, func(old Token) bool { return old.Address == t.Address })
	}
	c.tokens = append(c.tokens, t)
	c.byAddress[t.Address] = t
}

// On returns the tokens of the chain with the given CAIP-2 id, in the list's order; the caller must not change them.
func (l *Lists) On(chainID string) ([]Token, error) {
	list, err := l.of(chainID)
	if err != nil {
		return nil, err
	}
	return list.tokens, nil
}

// Find returns a listed token.
func (l *Lists) Find(chainID string, address evm.Address) (Token, bool, error) {
	list, err := l.of(chainID)
	if err != nil {
		return Token{}, false, err
	}
	t, ok := list.byAddress[address]
	return t, ok, nil
}

func (l *Lists) of(chainID string) (*chainList, error) {
	chains, err := l.local.Chains()
	if err != nil {
		return nil, err
	}
	fixed := l.fixed[chainID]
	i := slices.IndexFunc(chains, func(c devnet.Chain) bool { return c.CAIP2 == chainID })
	switch {
	case i >= 0:
		return withLocal(fixed, chains[i])
	case fixed != nil:
		return fixed, nil
	default:
		return newList(), nil
	}
}

// withLocal is a local chain's list: what it says of itself, then what the operator adds.
func withLocal(fixed *chainList, chain devnet.Chain) (*chainList, error) {
	list := newList()
	for _, t := range chain.Tokens {
		address, err := evm.ParseAddress(t.Address)
		if err != nil {
			return nil, fmt.Errorf("token %s of %s: %w", t.Address, chain.CAIP2, err)
		}
		list.put(Token{Address: address, Symbol: t.Symbol, Name: t.Name, Decimals: t.Decimals})
	}
	if fixed != nil {
		for _, t := range fixed.tokens {
			list.put(t)
		}
	}
	return list, nil
}
