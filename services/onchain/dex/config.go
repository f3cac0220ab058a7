package dex

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Config holds the settings under `convert.venues`.
type Config struct {
	// Chains adds chains to the built-in table or replaces them, by CAIP-2 id.
	Chains map[string]ChainConfig `yaml:"chains" doc:"where tokens are traded, by CAIP-2 id; replaces what is built in for that chain"`
}

// ChainConfig holds the venues of one chain. Addresses are 0x and 40 hex digits.
type ChainConfig struct {
	BlockTime time.Duration `yaml:"block_time" doc:"expected time between blocks; 2s when absent"`
	Wrapped   string        `yaml:"wrapped" doc:"the wrapped native token"`
	Hubs      []string      `yaml:"hubs" doc:"other tokens that most are traded against, the deepest first"`
	Venues    []VenueConfig `yaml:"venues" doc:"routers in order of preference; allowances are reported for the first"`
	// Universal is Uniswap's UniversalRouter.
	Universal *UniversalConfig `yaml:"universal" doc:"Uniswap's UniversalRouter, which trades several of the venues in one call; absent: there is none"`
}

// VenueConfig is one router and its factories.
type VenueConfig struct {
	Name   string    `yaml:"name" doc:"what people call it"`
	Kind   Kind      `yaml:"kind" doc:"swap-router-02, v2-router, v3-router or algebra-router"`
	Router string    `yaml:"router" doc:"the router's contract"`
	Native string    `yaml:"native" doc:"name of the native token in the router's functions; ETH when absent"`
	V2     *V2Config `yaml:"v2" doc:"factory of constant-product pools"`
	V3     *V3Config `yaml:"v3" doc:"factory of concentrated-liquidity pools"`
	// Algebra is the factory of an algebra-router.
	Algebra *AlgebraConfig `yaml:"algebra" doc:"factory of Algebra V1 pools, whose fees change by themselves"`
}

// UniversalConfig is a UniversalRouter.
type UniversalConfig struct {
	Name   string   `yaml:"name" doc:"what people call it"`
	Router string   `yaml:"router" doc:"the router's contract"`
	Venues []string `yaml:"venues" doc:"names of the venues whose pools it trades: of one v2 and one v3 factory"`
}

// V2Config is one factory after Uniswap v2.
type V2Config struct {
	Factory      string   `yaml:"factory" doc:"the factory's contract"`
	Fee          []uint64 `yaml:"fee" doc:"what is left of an input after the fee: numerator and denominator, such as [997, 1000]"`
	InitCodeHash string   `yaml:"init_code_hash" doc:"hash of the pools' creation code; without it the factory is called for each pool"`
}

// V3Config is one factory after Uniswap v3.
type V3Config struct {
	Factory      string           `yaml:"factory" doc:"the factory's contract"`
	Deployer     string           `yaml:"deployer" doc:"what creates the pools; the factory when absent"`
	Quoter       string           `yaml:"quoter" doc:"a QuoterV2"`
	Fees         []uint32         `yaml:"fees" doc:"fees that pools may have, in hundredths of a basis point"`
	Spacing      map[uint32]int32 `yaml:"spacing" doc:"distance of usable ticks by fee, where it is not the usual one"`
	InitCodeHash string           `yaml:"init_code_hash" doc:"hash of the pools' creation code; without it the factory is called for each pool"`
}

// AlgebraConfig is one factory of Algebra V1.
type AlgebraConfig struct {
	Factory string `yaml:"factory" doc:"the factory's contract"`
}

const (
	// usualBlockTime is the default block time.
	usualBlockTime = 2 * time.Second
	// usualNative is the native currency in the names of most routers' functions.
	usualNative = "ETH"
	// millionth is the denominator of v3 fees.
	millionth = 1_000_000
	// maxSpacing is the largest tick spacing that the factory allows.
	maxSpacing = 16_384
)

// usualSpacing is the tick spacing by fee of Uniswap's and PancakeSwap's factories.
var usualSpacing = map[uint32]int32{100: 1, 500: 10, 2500: 50, 3000: 60, 10_000: 200}

// UsualSpacing returns the tick spacing of pools after Uniswap v3 with a fee in hundredths of a basis point; 0 for a fee that they do not have.
func UsualSpacing(fee uint32) int32 { return usualSpacing[fee] }

func (c ChainConfig) parse(chainID string) (Chain, error) {
	if _, err := caip.ParseChain(chainID); err != nil {
		return Chain{}, err
	}
	chain := Chain{ID: chainID, BlockTime: c.BlockTime}
	if chain.BlockTime == 0 {
		chain.BlockTime = usualBlockTime
	}
	var err error
	if chain.Wrapped, err = evm.ParseAddress(c.Wrapped); err != nil {
		return Chain{}, fmt.Errorf("wrapped: %w", err)
	}
	chain.Hubs = []evm.Address{chain.Wrapped}
	for _, text := range c.Hubs {
		hub, err := evm.ParseAddress(text)
		if err != nil {
			return Chain{}, fmt.Errorf("hub %q: %w", text, err)
		}
		if !slices.Contains(chain.Hubs, hub) {
			chain.Hubs = append(chain.Hubs, hub)
		}
	}
	for _, v := range c.Venues {
		venue, err := v.parse()
		if err != nil {
			return Chain{}, fmt.Errorf("venue %q: %w", v.Name, err)
		}
		chain.Venues = append(chain.Venues, venue)
	}
	if len(chain.Venues) == 0 {
		return Chain{}, errors.New("it has no venue")
	}
	if c.Universal != nil {
		if chain.Universal, err = c.Universal.parse(chain.Venues); err != nil {
			return Chain{}, fmt.Errorf("universal: %w", err)
		}
	}
	return chain, nil
}

// parse parses a UniversalRouter. Its factories, the fee of v2 pools and the hashes of the pools' code are fixed in its
// code, so parse fails for venues that differ from them.
func (c UniversalConfig) parse(all []Venue) (*Universal, error) {
	u := &Universal{Name: c.Name}
	var err error
	if u.Router, err = evm.ParseAddress(c.Router); err != nil {
		return nil, fmt.Errorf("router: %w", err)
	}
	if c.Name == "" || slices.ContainsFunc(all, func(v Venue) bool { return v.Name == c.Name }) {
		return nil, fmt.Errorf("name %q is empty or a venue's", c.Name)
	}
	factories := map[Kind]evm.Address{}
	for _, name := range c.Venues {
		place := slices.IndexFunc(all, func(v Venue) bool { return v.Name == name })
		if place < 0 || slices.Contains(u.Venues, place) {
			return nil, fmt.Errorf("venue %q is not there, or named twice", name)
		}
		v := all[place]
		if v.Algebra != nil || v.V2 != nil && v.V2.FeeNumerator*1000 != v.V2.FeeDenominator*997 {
			return nil, fmt.Errorf("venue %q has pools that are none of Uniswap", name)
		}
		if v.V2 != nil && !isOne(factories, V2Router, v.V2.Factory) || v.V3 != nil && !isOne(factories, V3Router, v.V3.Factory) {
			return nil, fmt.Errorf("venue %q has another factory than the venues before it", name)
		}
		u.Venues = append(u.Venues, place)
	}
	if len(u.Venues) < 2 {
		return nil, errors.New("it has less than two venues, whose routers do the same")
	}
	return u, nil
}

// isOne records a factory, and reports whether it is the only one of its kind.
func isOne(factories map[Kind]evm.Address, kind Kind, factory evm.Address) bool {
	known, ok := factories[kind]
	factories[kind] = factory
	return !ok || known == factory
}

func (c VenueConfig) parse() (v Venue, err error) {
	v = Venue{Name: c.Name, Kind: c.Kind, Native: c.Native}
	if v.Native == "" {
		v.Native = usualNative
	}
	if v.Router, err = evm.ParseAddress(c.Router); err != nil {
		return v, fmt.Errorf("router: %w", err)
	}
	if c.V2 != nil {
		if v.V2, err = c.V2.parse(); err != nil {
			return v, fmt.Errorf("v2: %w", err)
		}
	}
	if c.V3 != nil {
		if v.V3, err = c.V3.parse(); err != nil {
			return v, fmt.Errorf("v3: %w", err)
		}
	}
	if c.Algebra != nil {
		factory, err := evm.ParseAddress(c.Algebra.Factory)
		if err != nil {
			return v, fmt.Errorf("algebra: factory: %w", err)
		}
		v.Algebra = &Algebra{Factory: factory}
	}
	return v, v.check()
}

// check fails for a venue whose router does not trade the pools of its factories.
func (v Venue) check() error {
	switch {
	case v.Name == "":
		return errors.New("it has no name")
	case v.V2 == nil && v.V3 == nil && v.Algebra == nil:
		return errors.New("it has no factory")
	}
	trades, known := traded[v.Kind]
	if !known {
		return fmt.Errorf("kind %q is none of %v", v.Kind, slices.Sorted(maps.Keys(traded)))
	}
	if v.V2 != nil && !trades.v2 || v.V3 != nil && !trades.v3 || v.Algebra != nil && !trades.algebra {
		return fmt.Errorf("a router of kind %s trades pools of its own version only", v.Kind)
	}
	return nil
}

// traded lists the kinds of pools that the routers of a kind can trade.
var traded = map[Kind]struct{ v2, v3, algebra bool }{
	SwapRouter02: {v2: true, v3: true}, V2Router: {v2: true}, V3Router: {v3: true}, AlgebraRouter: {algebra: true},
}

func (c V2Config) parse() (*V2, error) {
	factory, err := evm.ParseAddress(c.Factory)
	if err != nil {
		return nil, fmt.Errorf("factory: %w", err)
	}
	if len(c.Fee) != 2 || c.Fee[0] == 0 || c.Fee[0] > c.Fee[1] || c.Fee[1] > millionth {
		return nil, fmt.Errorf("fee %v is not what is left of an input, such as [997, 1000]", c.Fee)
	}
	hash, err := parseHash(c.InitCodeHash)
	return &V2{Factory: factory, FeeNumerator: c.Fee[0], FeeDenominator: c.Fee[1], InitCodeHash: hash}, err
}

func (c V3Config) parse() (*V3, error) {
	factory, err := evm.ParseAddress(c.Factory)
	if err != nil {
		return nil, fmt.Errorf("factory: %w", err)
	}
	f := &V3{Factory: factory, Deployer: factory, Fees: c.Fees, Spacing: map[uint32]int32{}}
	if c.Deployer != "" {
		if f.Deployer, err = evm.ParseAddress(c.Deployer); err != nil {
			return nil, fmt.Errorf("deployer: %w", err)
		}
	}
	if c.Quoter != "" {
		if f.Quoter, err = evm.ParseAddress(c.Quoter); err != nil {
			return nil, fmt.Errorf("quoter: %w", err)
		}
	}
	for _, fee := range c.Fees {
		spacing, ok := c.Spacing[fee]
		if !ok {
			spacing = usualSpacing[fee]
		}
		if fee >= millionth || spacing <= 0 || spacing >= maxSpacing {
			return nil, fmt.Errorf("fee %d with a spacing of %d is none of a v3 factory", fee, spacing)
		}
		f.Spacing[fee] = spacing
	}
	if len(f.Fees) == 0 {
		return nil, errors.New("it has no fees")
	}
	f.InitCodeHash, err = parseHash(c.InitCodeHash)
	return f, err
}

// parseHash parses 0x and 64 hex digits; nil for an empty text.
func parseHash(text string) (*[32]byte, error) {
	if text == "" {
		return nil, nil
	}
	digits, ok := strings.CutPrefix(text, "0x")
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) != 32 {
		return nil, fmt.Errorf("init_code_hash %q: want 0x and 64 hex digits", text)
	}
	return (*[32]byte)(raw), nil
}
