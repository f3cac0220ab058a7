package prices

import (
	_ "embed"
	"fmt"
	"maps"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

//go:embed feeds.yaml
var builtIn []byte

// dayHeartbeat is the default heartbeat of a feed.
const dayHeartbeat = 24 * time.Hour

// Config is the configuration under `balances.prices`.
type Config struct {
	// Static holds US dollars per unit by CAIP-10 token address, 0xeeee…eeee or So111…111 for the native token; they take precedence over feeds.
	Static map[string]float64 `yaml:"static" doc:"US dollars per unit by CAIP-10 token address, 0xeeee…eeee for the native token (on Solana 43 characters, So1111…111); they take precedence over feeds"`
	// Rates holds US dollars per unit of another currency, such as `eur: 1.08`; they win over feeds.
	Rates map[string]float64 `yaml:"rates" doc:"US dollars per unit of another currency; they take precedence over feeds"`
	// Feeds adds chains to the built-in table, or replaces theirs, by CAIP-2 id.
	Feeds map[string]ChainFeeds `yaml:"feeds" doc:"where prices are read on chain, by CAIP-2 id; replaces what is built in for that chain"`
	// Vendor prices tokens that configuration and chain do not: empty for none, or defillama.
	Vendor string `yaml:"vendor" doc:"vendor of prices that are neither configured nor on chain: defillama, or empty for none; where it agrees with a price of pools within a factor of two, holdings are not limited to what the pools pay"`
	// VendorURL is the base URL of the vendor's API; empty for its default.
	VendorURL string `yaml:"vendor_url" doc:"base URL of the price vendor, without a slash at its end; empty for the vendor's own; ${NAME} is taken from the environment" secret:"url"`
	// Pools adds chains to the built-in table of exchanges, or replaces theirs, by CAIP-2 id.
	Pools map[string]ChainPools `yaml:"pools" doc:"where tokens without a feed are traded, by CAIP-2 id; replaces what is built in for that chain"`
}

// ChainFeeds lists the price sources of one chain.
type ChainFeeds struct {
	// Oracle is an AaveOracle, or empty.
	Oracle string `yaml:"oracle" doc:"an AaveOracle"`
	// NativeAsset is the token whose oracle price is also that of the native token, or empty.
	NativeAsset string `yaml:"native_asset" doc:"token whose oracle price is the native token's"`
	// Feeds are contracts in the shape of Chainlink's AggregatorV3Interface.
	Feeds []Feed `yaml:"feeds" doc:"contracts in the shape of AggregatorV3Interface"`
	// Same lists tokens that are worth as much as another chain's native token.
	Same []Same `yaml:"same" doc:"tokens that are worth as much as another chain's native token"`
}

// Feed is one aggregator.
type Feed struct {
	// Pair is for example `ETH / USD`; only feeds in US dollars are supported.
	Pair    string `yaml:"pair" doc:"such as ETH / USD"`
	Address string `yaml:"address" doc:"the feed's contract"`
	// Token is the priced token; empty for the native token.
	Token string `yaml:"token" doc:"priced token; empty for the native token"`
	// Rate means that the feed gives the rate of a currency, not the price of a token.
	Rate bool `yaml:"rate" doc:"whether the feed prices no token but counts in its currency"`
	// Heartbeat is the longest time between two answers of a working feed.
	Heartbeat time.Duration `yaml:"heartbeat" doc:"longest time between two answers of a working feed; 24h when absent"`
	// Descriptions are the accepted answers of description(); if empty, only Pair is accepted.
	Descriptions []string `yaml:"descriptions" doc:"what the contract may call itself; only the pair when absent"`
}

// Same is a token with the price of the native currency of Chain.
type Same struct {
	Token string `yaml:"token" doc:"0x and 40 hex digits"`
	Chain string `yaml:"chain" doc:"CAIP-2 id of the other chain"`
}

// chainSources holds the parsed price sources of a chain.
type chainSources struct {
	oracle      *evm.Address
	nativeAsset *evm.Address
	feeds       []feed
	same        map[evm.Address]string
}

// feed is a parsed aggregator.
type feed struct {
	at           evm.Address
	base         string
	token        *evm.Address // nil if the feed gives a rate only
	heartbeat    time.Duration
	descriptions []string
}

// wrappedToken stands in feeds.yaml for the wrapped native token of the chain.
const wrappedToken = "wrapped"

// builtInFeeds returns what is built in, by CAIP-2 id.
func builtInFeeds() (map[string]ChainFeeds, error) {
	all := map[string]ChainFeeds{}
	if err := yaml.Unmarshal(builtIn, &all); err != nil {
		return nil, fmt.Errorf("feeds.yaml: %w", err)
	}
	exchanges, err := dex.BuiltInPricing()
	if err != nil {
		return nil, err
	}
	for chainID, feeds := range all {
		wrapped := exchanges[chainID].Wrapped
		if feeds.NativeAsset == wrappedToken {
			feeds.NativeAsset = wrapped
		}
		for i := range feeds.Same {
			if feeds.Same[i].Token == wrappedToken {
				feeds.Same[i].Token = wrapped
			}
		}
		all[chainID] = feeds
	}
	return all, nil
}

func parseSources(cfg Config) (map[string]chainSources, error) {
	all, err := builtInFeeds()
	if err != nil {
		return nil, err
	}
	maps.Copy(all, cfg.Feeds)
	sources := map[string]chainSources{}
	for chainID, feeds := range all {
		t, err := feeds.parse()
		if err != nil {
			return nil, fmt.Errorf("price feeds of %s: %w", chainID, err)
		}
		sources[chainID] = t
	}
	return sources, nil
}

func (c ChainFeeds) parse() (chainSources, error) {
	t := chainSources{same: map[evm.Address]string{}}
	var err error
	if t.oracle, err = optional(c.Oracle); err != nil {
		return t, err
	}
	if t.nativeAsset, err = optional(c.NativeAsset); err != nil {
		return t, err
	}
	for _, f := range c.Feeds {
		parsed, err := f.parse()
		if err != nil {
			return t, fmt.Errorf("%s: %w", f.Pair, err)
		}
		t.feeds = append(t.feeds, parsed)
	}
	for _, s := range c.Same {
		token, err := evm.ParseAddress(s.Token)
		if err != nil {
			return t, err
		}
		t.same[token] = s.Chain
	}
	return t, nil
}

func (f Feed) parse() (feed, error) {
	base, ok := baseOf(f.Pair)
	if !ok {
		return feed{}, fmt.Errorf("pair %q does not end in / USD", f.Pair)
	}
	at, err := evm.ParseAddress(f.Address)
	if err != nil {
		return feed{}, err
	}
	token := &evm.Native
	if f.Token != "" {
		if token, err = optional(f.Token); err != nil {
			return feed{}, err
		}
	}
	if f.Rate {
		token = nil
	}
	parsed := feed{at: at, base: base, token: token, heartbeat: f.Heartbeat, descriptions: f.Descriptions}
	if parsed.heartbeat == 0 {
		parsed.heartbeat = dayHeartbeat
	}
	if len(parsed.descriptions) == 0 {
		parsed.descriptions = []string{f.Pair}
	}
	return parsed, nil
}

// localFeeds returns the feeds of a local chain whose prices are in US dollars.
func localFeeds(chain devnet.Chain) []feed {
	var feeds []feed
	for _, f := range chain.Feeds {
		base, ok := baseOf(f.Pair)
		if !ok {
			continue
		}
		token := f.Token
		if token == nil {
			token = &evm.Native
		}
		feeds = append(feeds, feed{at: f.Address, base: base, token: token, heartbeat: dayHeartbeat, descriptions: []string{f.Pair}})
	}
	return feeds
}

// parseStatic parses the configured prices, in US dollars by CAIP-10 address.
func parseStatic(prices map[string]float64) (map[Asset]float64, error) {
	static := map[Asset]float64{}
	for id, usd := range prices {
		account, err := caip.ParseAccount(id)
		if err != nil {
			return nil, fmt.Errorf("price of %s: %w", id, err)
		}
		if account.Chain.Namespace == "solana" {
			continue // Package solprices has those.
		}
		address, err := evm.ParseAddress(account.Address)
		if err != nil {
			return nil, fmt.Errorf("price of %s: %w", id, err)
		}
		if !depth.ValidPrice(usd) {
			return nil, fmt.Errorf("price of %s: %v is not a price", id, usd)
		}
		static[Asset{account.Chain.String(), address}] = usd
	}
	return static, nil
}

// optional parses an address; nil for an empty text.
func optional(text string) (*evm.Address, error) {
	if text == "" {
		return nil, nil
	}
	a, err := evm.ParseAddress(text)
	return &a, err
}
