package prices

import (
	_ "embed"
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
)

//go:embed feeds.yaml
var builtIn []byte

// dayHeartbeat is the heartbeat of a feed that states none.
const dayHeartbeat = 24 * time.Hour

// Config is what an operator sets.
type Config struct {
	// Static holds US dollars per unit by CAIP-10 token address, 0xeeee…eeee for the native currency; they win over feeds.
	Static map[string]float64 `yaml:"static" doc:"US dollars per unit by CAIP-10 token address, 0xeeee…eeee for the native currency; they win over feeds"`
	// Rates holds US dollars per unit of another currency, such as `eur: 1.08`; they win over feeds.
	Rates map[string]float64 `yaml:"rates" doc:"US dollars per unit of another currency; they win over feeds"`
	// Feeds adds chains to the built-in table, or replaces theirs, by CAIP-2 id.
	Feeds map[string]ChainFeeds `yaml:"feeds" doc:"where prices are read on chain, by CAIP-2 id; replaces what is built in for that chain"`
	// Vendor is asked for what neither configuration nor chain knows: nobody, or defillama.
	Vendor string `yaml:"vendor" doc:"who is asked for prices that neither configuration nor chain knows: empty for nobody, or defillama"`
	// VendorURL is where the vendor answers; empty for its usual place.
	VendorURL string `yaml:"vendor_url" doc:"where the price vendor answers, without a slash at its end; empty for its usual place" secret:"url"`
	// Pools adds chains to the built-in table of exchanges, or replaces theirs, by CAIP-2 id.
	Pools map[string]ChainPools `yaml:"pools" doc:"where tokens without a feed are traded, by CAIP-2 id; replaces what is built in for that chain"`
}

// ChainFeeds is where one chain's prices are read.
type ChainFeeds struct {
	// Oracle is an AaveOracle, or empty.
	Oracle string `yaml:"oracle" doc:"an AaveOracle"`
	// NativeAsset is the token whose oracle price is the native currency's, or empty.
	NativeAsset string `yaml:"native_asset" doc:"token whose oracle price is the native currency's"`
	// Feeds are contracts in the shape of Chainlink's AggregatorV3Interface.
	Feeds []Feed `yaml:"feeds" doc:"contracts in the shape of AggregatorV3Interface"`
	// Same lists tokens that are worth what another chain's native currency is.
	Same []Same `yaml:"same" doc:"tokens that are worth what another chain's native currency is"`
}

// Feed is one aggregator.
type Feed struct {
	// Pair is such as `ETH / USD`; only feeds in US dollars are of use.
	Pair    string `yaml:"pair" doc:"such as ETH / USD"`
	Address string `yaml:"address" doc:"the feed's contract"`
	// Token is the priced token; empty for the native currency.
	Token string `yaml:"token" doc:"priced token; empty for the native currency"`
	// Rate says that the feed prices no token but counts in its currency.
	Rate bool `yaml:"rate" doc:"whether the feed prices no token but counts in its currency"`
	// Heartbeat is the longest time between two answers of a working feed.
	Heartbeat time.Duration `yaml:"heartbeat" doc:"longest time between two answers of a working feed; 24h when absent"`
	// Descriptions are what the contract may call itself; empty: only Pair.
	Descriptions []string `yaml:"descriptions" doc:"what the contract may call itself; only the pair when absent"`
}

// Same is a token worth what the native currency of Chain is.
type Same struct {
	Token string `yaml:"token" doc:"0x and 40 hex digits"`
	Chain string `yaml:"chain" doc:"CAIP-2 id of the other chain"`
}

// table is a chain's sources, parsed.
type table struct {
	oracle      *evm.Address
	nativeAsset *evm.Address
	feeds       []feed
	same        map[evm.Address]string
}

// feed is one aggregator, parsed.
type feed struct {
	at           evm.Address
	base         string
	token        *evm.Address // nil for one that is only a rate
	heartbeat    time.Duration
	descriptions []string
}

func parseTables(cfg Config) (map[string]table, error) {
	all := map[string]ChainFeeds{}
	if err := yaml.Unmarshal(builtIn, &all); err != nil {
		return nil, fmt.Errorf("feeds.yaml: %w", err)
	}
	for chainID, feeds := range cfg.Feeds {
		all[chainID] = feeds
	}
	tables := map[string]table{}
	for chainID, feeds := range all {
		t, err := feeds.parse()
		if err != nil {
			return nil, fmt.Errorf("price feeds of %s: %w", chainID, err)
		}
		tables[chainID] = t
	}
	return tables, nil
}

func (c ChainFeeds) parse() (table, error) {
	t := table{same: map[evm.Address]string{}}
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

// localFeeds are a local chain's own feeds; one that is not in US dollars is of no use.
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

// parseStatic reads the operator's prices.
func parseStatic(prices map[string]float64) (map[Asset]float64, error) {
	static := map[Asset]float64{}
	for id, usd := range prices {
		account, err := caip.ParseAccount(id)
		if err != nil {
			return nil, fmt.Errorf("price of %s: %w", id, err)
		}
		address, err := evm.ParseAddress(account.Address)
		if err != nil {
			return nil, fmt.Errorf("price of %s: %w", id, err)
		}
		if !believable(usd) {
			return nil, fmt.Errorf("price of %s: %v is not a price", id, usd)
		}
		static[Asset{account.Chain.String(), address}] = usd
	}
	return static, nil
}

func optional(text string) (*evm.Address, error) {
	if text == "" {
		return nil, nil
	}
	a, err := evm.ParseAddress(text)
	return &a, err
}
