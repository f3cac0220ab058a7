// Package tokens has the token list of each chain: built-in lists, the tokens of the operator's configuration, and those of the local development
// chains.
package tokens

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
)

//go:embed lists/*.json
var embedded embed.FS

// Token is a listed token of a chain.
type Token struct {
	Address evm.Address
	// ID is the CAIP-10 address, with checksum.
	ID       string
	Symbol   string
	Name     string
	Decimals uint8
	// Icon is a URL, or empty.
	Icon string
	// Oracle is set if the Aave oracle of the chain has a price of this token.
	Oracle bool
}

// Config is the operator's changes to the lists.
type Config struct {
	// Extra extends the list of a chain, by CAIP-2 id.
	Extra map[string][]Entry `yaml:"extra" doc:"more tokens, by CAIP-2 chain id"`
	// Replace lists chains whose built-in list is not used, by CAIP-2 id.
	Replace []string `yaml:"replace" doc:"CAIP-2 ids of chains whose built-in list is not used"`
}

// Entry is one token of a list.
type Entry struct {
	// Address is 0x and 40 hex digits.
	Address  string `yaml:"address" json:"address" doc:"0x and 40 hex digits"`
	Symbol   string `yaml:"symbol" json:"symbol" doc:"ticker"`
	Name     string `yaml:"name" json:"name" doc:"display name"`
	Decimals uint8  `yaml:"decimals" json:"decimals" doc:"decimal places of one unit"`
	// Icon is a URL that pages may show, or empty.
	Icon string `yaml:"icon" json:"icon,omitempty" doc:"picture URL that pages may show"`
	// Oracle is set if the Aave oracle of the chain has a price of this token.
	Oracle bool `yaml:"oracle" json:"oracle,omitempty" doc:"whether the chain's Aave oracle prices it"`
}

// Lists holds the tokens of every chain. It is safe for concurrent use.
type Lists struct {
	fixed map[string]*chainList
	local devnet.Source

	mu sync.Mutex
	// merged has the lists of the local chains by chain id, for the description described.
	merged    map[string]*chainList
	described *devnet.Description
}

// chainList is a list in its order and by address.
type chainList struct {
	tokens    []Token
	byAddress map[evm.Address]Token
}

// Load returns the built-in lists, extended or replaced by cfg, and the tokens of local chains. The error names the first invalid entry.
func Load(cfg Config, local devnet.Source) (*Lists, error) {
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

// add appends entries. An entry for a listed token replaces that.
func (l *Lists) add(chainID string, entries []Entry) error {
	list := l.fixed[chainID]
	if list == nil {
		list = newList()
		l.fixed[chainID] = list
	}
	for _, e := range entries {
		token, err := e.on(chainID)
		if err != nil {
			return err
		}
		list.put(token)
	}
	return nil
}

// on returns the token of the entry on a chain.
func (e Entry) on(chainID string) (Token, error) {
	address, err := evm.ParseAddress(e.Address)
	if err != nil {
		return Token{}, fmt.Errorf("token %s of %s: %w", e.Address, chainID, err)
	}
	return Token{Address: address, ID: id(chainID, address), Symbol: e.Symbol, Name: e.Name, Decimals: e.Decimals, Icon: e.Icon, Oracle: e.Oracle}, nil
}

func newList() *chainList { return &chainList{byAddress: map[evm.Address]Token{}} }

func (c *chainList) put(t Token) {
	if _, listed := c.byAddress[t.Address]; listed {
		c.tokens = slices.DeleteFunc(c.tokens, func(old Token) bool { return old.Address == t.Address })
	}
	c.tokens = append(c.tokens, t)
	c.byAddress[t.Address] = t
}

// On returns the tokens of the chain with a CAIP-2 id, in the order of the list. The caller must not change them.
func (l *Lists) On(chainID string) []Token { return l.of(chainID).tokens }

// Find returns a listed token, and false for an unlisted one.
func (l *Lists) Find(chainID string, address evm.Address) (Token, bool) {
	t, ok := l.of(chainID).byAddress[address]
	return t, ok
}

func (l *Lists) of(chainID string) *chainList {
	local := l.local.Describe()
	if chain, ok := local.Chain(chainID); ok {
		return l.withLocal(local, chain)
	}
	if list := l.fixed[chainID]; list != nil {
		return list
	}
	return newList()
}

// withLocal returns the list of a local chain: its own tokens, then those of the operator.
func (l *Lists) withLocal(described *devnet.Description, chain devnet.Chain) *chainList {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.described != described {
		l.described, l.merged = described, map[string]*chainList{}
	}
	list := l.merged[chain.CAIP2]
	if list == nil {
		list = merge(chain, l.fixed[chain.CAIP2])
		l.merged[chain.CAIP2] = list
	}
	return list
}

func merge(chain devnet.Chain, fixed *chainList) *chainList {
	list := newList()
	for _, t := range chain.Tokens {
		list.put(Token{Address: t.Address, ID: id(chain.CAIP2, t.Address), Symbol: t.Symbol, Name: t.Name, Decimals: t.Decimals})
	}
	if fixed != nil {
		for _, t := range fixed.tokens {
			list.put(t)
		}
	}
	return list
}

func id(chainID string, address evm.Address) string { return chainID + ":" + address.String() }
