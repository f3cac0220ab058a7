package dex

import (
	_ "embed"
	"fmt"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"
)

//go:embed exchanges.yaml
var builtIn []byte

// exchanges is the entry of a chain in exchanges.yaml.
type exchanges struct {
	BlockTime time.Duration `yaml:"block_time"`
	Wrapped   string        `yaml:"wrapped"`
	Hubs      []struct {
		Token    string `yaml:"token"`
		Decimals uint8  `yaml:"decimals"`
	} `yaml:"hubs"`
	Venues []struct {
		VenueConfig `yaml:",inline"`
		// Unpriced lists versions of pools that prices do not read.
		Unpriced []string `yaml:"unpriced"`
	} `yaml:"venues"`
	Universal *UniversalConfig `yaml:"universal"`
	// Priced lists exchanges that only prices read; they have no router.
	Priced []VenueConfig `yaml:"priced"`
}

func readBuiltIn() (map[string]exchanges, error) {
	var all map[string]exchanges
	if err := yaml.Unmarshal(builtIn, &all); err != nil {
		return nil, fmt.Errorf("exchanges.yaml: %w", err)
	}
	return all, nil
}

// traded returns what swaps use of the entry.
func (e exchanges) traded() ChainConfig {
	c := ChainConfig{BlockTime: e.BlockTime, Wrapped: e.Wrapped, Universal: e.Universal}
	for _, h := range e.Hubs {
		c.Hubs = append(c.Hubs, h.Token)
	}
	for _, v := range e.Venues {
		c.Venues = append(c.Venues, v.VenueConfig)
	}
	return c
}

// Pricing lists the built-in contracts of one chain by which tokens without a feed are priced. Addresses are 0x and 40 hex digits.
type Pricing struct {
	// Wrapped is the wrapped native token, with eighteen decimals.
	Wrapped string
	// Anchors are the other tokens whose own price a feed gives.
	Anchors []Anchor
	// Pairs are factories after Uniswap v2, and Pools factories after Uniswap v3.
	Pairs []PairFactory
	Pools []PoolFactory
}

// Anchor is a token in whose pools others are priced.
type Anchor struct {
	Token    string
	Decimals uint8
}

// PairFactory is a factory after Uniswap v2. Each of its pools takes Fee, in hundredths of a basis point.
type PairFactory struct {
	Name, Address string
	Fee           uint32
}

// PoolFactory is a factory after Uniswap v3. Its pools take one of Fees, in hundredths of a basis point.
type PoolFactory struct {
	Name, Address string
	Fees          []uint32
}

// BuiltInPricing returns what prices read of the built-in table, by CAIP-2 id.
func BuiltInPricing() (map[string]Pricing, error) {
	all, err := readBuiltIn()
	if err != nil {
		return nil, err
	}
	pricing := map[string]Pricing{}
	for chainID, e := range all {
		p, err := e.pricing()
		if err != nil {
			return nil, fmt.Errorf("exchanges.yaml: %s: %w", chainID, err)
		}
		pricing[chainID] = p
	}
	return pricing, nil
}

func (e exchanges) pricing() (Pricing, error) {
	p := Pricing{Wrapped: e.Wrapped}
	for _, h := range e.Hubs {
		if h.Decimals > 0 {
			p.Anchors = append(p.Anchors, Anchor(h))
		}
	}
	for _, v := range e.Venues {
		priced := v.VenueConfig
		if slices.Contains(v.Unpriced, "v2") {
			priced.V2 = nil
		}
		if slices.Contains(v.Unpriced, "v3") {
			priced.V3 = nil
		}
		if err := p.add(priced); err != nil {
			return p, err
		}
	}
	for _, v := range e.Priced {
		if err := p.add(v); err != nil {
			return p, err
		}
	}
	return p, nil
}

// add adds the factories of a venue. Venues of several routers may share one.
func (p *Pricing) add(v VenueConfig) error {
	if v.V2 != nil && !slices.ContainsFunc(p.Pairs, func(f PairFactory) bool { return f.Address == v.V2.Factory }) {
		left, err := v.V2.parse()
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		fee := millionth - millionth*left.FeeNumerator/left.FeeDenominator
		p.Pairs = append(p.Pairs, PairFactory{Name: v.Name, Address: v.V2.Factory, Fee: uint32(fee)})
	}
	if v.V3 != nil && !slices.ContainsFunc(p.Pools, func(f PoolFactory) bool { return f.Address == v.V3.Factory }) {
		p.Pools = append(p.Pools, PoolFactory{Name: v.Name, Address: v.V3.Factory, Fees: v.V3.Fees})
	}
	return nil
}
