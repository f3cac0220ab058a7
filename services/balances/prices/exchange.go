package prices

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// The kinds of factories.
const (
	shapeV2 = "v2"
	shapeV3 = "v3"
)

// wrappedDecimals is the number of decimals of every wrapped native currency.
const wrappedDecimals = 18

// ChainPools lists the exchanges of one chain.
type ChainPools struct {
	// Wrapped is the wrapped native token. It has the native currency's price.
	Wrapped string `yaml:"wrapped" doc:"the wrapped native token"`
	// Anchors are tokens with a feed, in whose pools other tokens are priced.
	Anchors []Anchor `yaml:"anchors" doc:"tokens with a price of their own that others are counted in"`
	// Factories are the contracts that list pools.
	Factories []Factory `yaml:"factories" doc:"contracts that know the pools"`
}

// Anchor is a token with a feed, in whose pools other tokens are priced.
type Anchor struct {
	Token    string `yaml:"token" doc:"0x and 40 hex digits"`
	Decimals uint8  `yaml:"decimals" doc:"decimal places of one unit"`
}

// Factory is a contract that lists the pools of an exchange.
type Factory struct {
	Name    string `yaml:"name" doc:"what the exchange is called"`
	Address string `yaml:"address" doc:"0x and 40 hex digits"`
	Shape   string `yaml:"shape" doc:"v2 or v3, after Uniswap's"`
	// Fee is the fee of every pool of a v2 factory, in hundredths of a basis point.
	Fee uint32 `yaml:"fee" doc:"what every pool of a v2 factory takes, in hundredths of a basis point"`
	// Fees are the fee tiers of a v3 factory, in hundredths of a basis point.
	Fees []uint32 `yaml:"fees" doc:"what pools of a v3 factory may take, in hundredths of a basis point: 100, 500, 2500, 3000 or 10000"`
}

// exchanges holds the parsed exchanges of one chain.
type exchanges struct {
	wrapped *evm.Address
	anchors []Unit
	// v2 and v3 are the factories by the fee of their pools.
	v2 map[uint32][]evm.Address
	v3 map[uint32][]evm.Address
}

func parseExchanges(cfg map[string]ChainPools) (map[string]exchanges, error) {
	all, err := builtInPools()
	if err != nil {
		return nil, err
	}
	maps.Copy(all, cfg)
	parsed := map[string]exchanges{}
	for chainID, pools := range all {
		e, err := pools.parse()
		if err != nil {
			return nil, fmt.Errorf("pools of %s: %w", chainID, err)
		}
		parsed[chainID] = e
	}
	return parsed, nil
}

// builtInPools returns what is built in, by CAIP-2 id.
func builtInPools() (map[string]ChainPools, error) {
	table, err := dex.BuiltInPricing()
	if err != nil {
		return nil, err
	}
	all := map[string]ChainPools{}
	for chainID, p := range table {
		c := ChainPools{Wrapped: p.Wrapped}
		for _, a := range p.Anchors {
			c.Anchors = append(c.Anchors, Anchor(a))
		}
		for _, f := range p.Pairs {
			c.Factories = append(c.Factories, Factory{Name: f.Name, Address: f.Address, Shape: shapeV2, Fee: f.Fee})
		}
		for _, f := range p.Pools {
			c.Factories = append(c.Factories, Factory{Name: f.Name, Address: f.Address, Shape: shapeV3, Fees: f.Fees})
		}
		all[chainID] = c
	}
	return all, nil
}

func (c ChainPools) parse() (exchanges, error) {
	e := exchanges{v2: map[uint32][]evm.Address{}, v3: map[uint32][]evm.Address{}}
	var err error
	if e.wrapped, err = optional(c.Wrapped); err != nil {
		return e, fmt.Errorf("wrapped: %w", err)
	}
	if e.wrapped != nil {
		e.anchors = append(e.anchors, Unit{*e.wrapped, wrappedDecimals})
	}
	for _, a := range c.Anchors {
		token, err := evm.ParseAddress(a.Token)
		if err != nil {
			return e, fmt.Errorf("anchor %s: %w", a.Token, err)
		}
		e.anchors = append(e.anchors, Unit{token, a.Decimals})
	}
	for _, f := range c.Factories {
		if err := e.add(f); err != nil {
			return e, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return e, nil
}

func (e exchanges) add(f Factory) error {
	at, err := evm.ParseAddress(f.Address)
	if err != nil {
		return err
	}
	switch f.Shape {
	case shapeV2:
		if f.Fee == 0 || f.Fee >= depth.FeeScale {
			return fmt.Errorf("fee %d is none of a v2 factory", f.Fee)
		}
		e.v2[f.Fee] = append(e.v2[f.Fee], at)
	case shapeV3:
		for _, fee := range f.Fees {
			if dex.UsualSpacing(fee) == 0 {
				return fmt.Errorf("fee %d is none of a v3 factory", fee)
			}
			e.v3[fee] = append(e.v3[fee], at)
		}
	default:
		return fmt.Errorf("shape %q is neither v2 nor v3", f.Shape)
	}
	return nil
}

// wraps reports whether a token is the wrapped native token.
func (e exchanges) wraps(token evm.Address) bool { return e.wrapped != nil && *e.wrapped == token }

func (e exchanges) isAnchor(token evm.Address) bool {
	return slices.ContainsFunc(e.anchors, func(a Unit) bool { return a.Token == token })
}
