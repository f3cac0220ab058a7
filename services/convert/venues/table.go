package venues

import (
	_ "embed"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
)

//go:embed venues.yaml
var builtIn []byte

const (
	// localBlockTime is how often the local chains are looked at.
	localBlockTime = 250 * time.Millisecond
	// localHubs is how many of a local chain's own tokens are hubs, where it names none.
	localHubs = 4
)

// Table holds the venues of every chain. It is safe for concurrent use.
type Table struct {
	fixed map[string]Chain
	local devnet.Source
	log   *slog.Logger

	mu sync.Mutex
	// parsed are the local chains as described says they are.
	parsed    map[string]Chain
	described *devnet.Description
}

// Load returns the built-in table, extended or replaced by cfg, and the venues of the local chains. The error names the first entry that is
// wrong; of a local chain, log does.
func Load(cfg Config, local devnet.Source, log *slog.Logger) (*Table, error) {
	all := map[string]ChainConfig{}
	if err := yaml.Unmarshal(builtIn, &all); err != nil {
		return nil, fmt.Errorf("venues.yaml: %w", err)
	}
	maps.Copy(all, cfg.Chains)
	t := &Table{fixed: map[string]Chain{}, local: local, log: log}
	for chainID, c := range all {
		chain, err := c.parse(chainID)
		if err != nil {
			return nil, fmt.Errorf("venues of %s: %w", chainID, err)
		}
		t.fixed[chainID] = chain
	}
	return t, nil
}

// On returns where the tokens of the chain with the given CAIP-2 id are traded; false for a chain without venues. The caller must not change
// what it is given.
func (t *Table) On(chainID string) (Chain, bool) {
	if chain, ok := t.fixed[chainID]; ok {
		return chain, true
	}
	chain, ok := t.locals()[chainID]
	return chain, ok
}

// Chains lists the CAIP-2 ids of all chains with venues, sorted.
func (t *Table) Chains() []string {
	ids := maps.Clone(t.locals())
	maps.Copy(ids, t.fixed)
	return slices.Sorted(maps.Keys(ids))
}

// locals are the local chains that have venues.
func (t *Table) locals() map[string]Chain {
	described := t.local.Describe()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.described == described && t.parsed != nil {
		return t.parsed
	}
	t.described, t.parsed = described, map[string]Chain{}
	for _, c := range described.Chains {
		if c.Wrapped == nil || len(c.Venues) == 0 {
			continue
		}
		chain, err := local(c)
		if err != nil {
			t.log.Error("the venues of a local chain cannot be used", "chain", c.CAIP2, "error", err)
			continue
		}
		t.parsed[c.CAIP2] = chain
	}
	return t.parsed
}

// local reads what a local chain says of itself.
func local(c devnet.Chain) (Chain, error) {
	cfg := ChainConfig{BlockTime: localBlockTime, Wrapped: c.Wrapped.String()}
	for _, hub := range c.Hubs {
		cfg.Hubs = append(cfg.Hubs, hub.String())
	}
	if len(cfg.Hubs) == 0 {
		for _, token := range c.Tokens[:min(len(c.Tokens), localHubs)] {
			cfg.Hubs = append(cfg.Hubs, token.Address.String())
		}
	}
	for _, v := range c.Venues {
		cfg.Venues = append(cfg.Venues, localVenue(v))
	}
	return cfg.parse(c.CAIP2)
}

func localVenue(v devnet.Venue) VenueConfig {
	cfg := VenueConfig{Name: v.Name, Kind: Kind(v.Kind), Router: v.Router.String()}
	if v.V2 != nil {
		cfg.V2 = &V2Config{
			Factory: v.V2.Factory.String(), Fee: []uint64{v.V2.FeeNumerator, v.V2.FeeDenominator}, InitCodeHash: v.V2.InitCodeHash,
		}
	}
	if v.V3 != nil {
		cfg.V3 = &V3Config{Factory: v.V3.Factory.String(), Fees: v.V3.Fees, InitCodeHash: v.V3.InitCodeHash}
		if v.V3.Quoter != (evm.Address{}) {
			cfg.V3.Quoter = v.V3.Quoter.String()
		}
	}
	if v.Algebra != nil {
		cfg.Algebra = &AlgebraConfig{Factory: v.Algebra.Factory.String()}
	}
	return cfg
}
