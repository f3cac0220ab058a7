// Package tokens has the token list of each chain: built-in lists, the tokens of the operator's configuration, and those of the local development
// chains.
package tokens

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

//go:embed lists/*.json
var embedded embed.FS

// Token is a listed token of an EVM chain.
type Token = Listed[evm.Address]

// Mint is a listed token of Solana.
type Mint = Listed[svm.Address]

// Listed is a listed token of a chain whose contracts have addresses of type A.
type Listed[A comparable] struct {
	Address A
	// ID is the CAIP-10 address, with checksum on eip155.
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
	// Address is 0x and 40 hex digits, or a mint of Solana.
	Address  string `yaml:"address" json:"address" doc:"0x and 40 hex digits, or the mint of a token of Solana"`
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
	fixed map[string]*chainList[evm.Address]
	mints map[string]*chainList[svm.Address]
	local devnet.Source

	mu sync.Mutex
	// merged has the lists of the local chains by chain id; they were built from described.
	merged    map[string]*chainList[evm.Address]
	described *devnet.Description
	// localMints is the list of the local Solana chain; it was built from localSolana.
	localMints  *chainList[svm.Address]
	localSolana *devnet.Solana
}

// chainList is a list in order and an index of it by address.
type chainList[A comparable] struct {
	tokens    []Listed[A]
	byAddress map[A]Listed[A]
}

// Load returns the built-in lists, extended or replaced by cfg, and the tokens of local chains. The error names the first invalid entry.
func Load(cfg Config, local devnet.Source) (*Lists, error) {
	l := &Lists{fixed: map[string]*chainList[evm.Address]{}, mints: map[string]*chainList[svm.Address]{}, local: local}
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

// add appends entries. An entry for a listed token replaces the existing one.
func (l *Lists) add(chainID string, entries []Entry) error {
	if strings.HasPrefix(chainID, "solana:") {
		return addTo(l.mints, chainID, entries, svm.ParseAddress)
	}
	return addTo(l.fixed, chainID, entries, evm.ParseAddress)
}

func addTo[A address](lists map[string]*chainList[A], chainID string, entries []Entry, parse func(string) (A, error)) error {
	list := lists[chainID]
	if list == nil {
		list = newList[A]()
		lists[chainID] = list
	}
	for _, e := range entries {
		at, err := parse(e.Address)
		if err != nil {
			return fmt.Errorf("token %s of %s: %w", e.Address, chainID, err)
		}
		list.put(Listed[A]{Address: at, ID: id(chainID, at), Symbol: e.Symbol, Name: e.Name, Decimals: e.Decimals, Icon: e.Icon, Oracle: e.Oracle})
	}
	return nil
}

// address is an address of one namespace.
type address interface {
	comparable
	fmt.Stringer
}

func newList[A comparable]() *chainList[A] { return &chainList[A]{byAddress: map[A]Listed[A]{}} }

func (c *chainList[A]) put(t Listed[A]) {
	if _, listed := c.byAddress[t.Address]; listed {
		c.tokens = slices.DeleteFunc(c.tokens, func(old Listed[A]) bool { return old.Address == t.Address })
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

// Mints returns the tokens of a chain of Solana with a CAIP-2 id, in the order of the list. The caller must not change them.
func (l *Lists) Mints(chainID string) []Mint { return l.ofSolana(chainID).tokens }

// Mint returns a listed token of Solana, and false for an unlisted one.
func (l *Lists) Mint(chainID string, mint svm.Address) (Mint, bool) {
	t, ok := l.ofSolana(chainID).byAddress[mint]
	return t, ok
}

func (l *Lists) ofSolana(chainID string) *chainList[svm.Address] {
	fixed := l.mints[chainID]
	local := l.local.Describe()
	if local.Solana == nil || local.Solana.CAIP2 != chainID {
		return cmp.Or(fixed, &chainList[svm.Address]{})
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.localMints == nil || l.localSolana != local.Solana {
		l.localSolana, l.localMints = local.Solana, mergeMints(local.Solana, fixed)
	}
	return l.localMints
}

// mergeMints returns the list of the local chain: its own tokens that have a symbol, then those of the operator.
func mergeMints(chain *devnet.Solana, fixed *chainList[svm.Address]) *chainList[svm.Address] {
	list := newList[svm.Address]()
	for _, t := range chain.Tokens {
		if mint, err := svm.ParseAddress(t.Address); err == nil && t.Symbol != "" {
			list.put(Mint{Address: mint, ID: id(chain.CAIP2, mint), Symbol: t.Symbol, Name: t.Name, Decimals: t.Decimals})
		}
	}
	if fixed != nil {
		for _, t := range fixed.tokens {
			list.put(t)
		}
	}
	return list
}

func (l *Lists) of(chainID string) *chainList[evm.Address] {
	local := l.local.Describe()
	if chain, ok := local.Chain(chainID); ok {
		return l.withLocal(local, chain)
	}
	if list := l.fixed[chainID]; list != nil {
		return list
	}
	return newList[evm.Address]()
}

// withLocal returns the list of a local chain: its own tokens, then those of the operator.
func (l *Lists) withLocal(described *devnet.Description, chain devnet.Chain) *chainList[evm.Address] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.described != described {
		l.described, l.merged = described, map[string]*chainList[evm.Address]{}
	}
	list := l.merged[chain.CAIP2]
	if list == nil {
		list = merge(chain, l.fixed[chain.CAIP2])
		l.merged[chain.CAIP2] = list
	}
	return list
}

func merge(chain devnet.Chain, fixed *chainList[evm.Address]) *chainList[evm.Address] {
	list := newList[evm.Address]()
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

func id(chainID string, at fmt.Stringer) string { return chainID + ":" + at.String() }
