package dex

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// localBlockTime is the block time of local chains.
	localBlockTime = 250 * time.Millisecond
	// localHubs is how many tokens of a local chain are hubs if its description names none.
	localHubs = 4
)

// Table holds the venues of every chain. It is safe for concurrent use.
type Table struct {
	fixed map[string]Chain
	local devnet.Source
	log   *slog.Logger

	mu sync.Mutex
	// parsed caches the venues of the local chains by their description.
	parsed    map[string]Chain
	described *devnet.Description
}

// Load returns the built-in table, extended or replaced by cfg, and the venues of the local chains. The error names the first wrong entry; a wrong entry of a
// local chain is logged.
func Load(cfg Config, local devnet.Source, log *slog.Logger) (*Table, error) {
	built, err := readBuiltIn()
	if err != nil {
		return nil, err
	}
	all := map[string]ChainConfig{}
	for chainID, e := range built {
		all[chainID] = e.traded()
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

// On returns the venues of the chain with a CAIP-2 id; false for a chain without any. The caller must not modify them.
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

// locals returns the local chains with venues.
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

// local parses the description of a local chain.
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
