package solprices

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/svm/pool"
)

//go:embed solana.yaml
var builtIn []byte

// defaultHeartbeat is the default heartbeat of a feed.
const defaultHeartbeat = 10 * time.Minute

// Chain lists the price sources of one chain.
type Chain struct {
	// Feeds are price accounts of Pyth.
	Feeds []Feed `yaml:"feeds" doc:"price accounts of Pyth"`
	// Anchors are mints with a feed, in whose pools other tokens are priced.
	Anchors []string `yaml:"anchors" doc:"mints with a feed that others are counted in"`
	// Orca is the account that the Whirlpools of the chain belong to; empty for none.
	Orca string `yaml:"orca" doc:"account that the Whirlpools belong to; empty for none"`
	// AMM lists pools of Raydium's AMM v4, whose addresses do not follow from their tokens.
	AMM []string `yaml:"amm" doc:"pools of Raydium's AMM v4, whose addresses do not follow from their tokens"`
}

// Feed is a feed of Pyth.
type Feed struct {
	// ID is 64 hex digits.
	ID string `yaml:"id" doc:"id of the feed: 64 hex digits"`
	// Token is the priced mint; empty for SOL.
	Token string `yaml:"token" doc:"priced mint; empty for SOL"`
	// Heartbeat is the longest time between two prices of a working feed.
	Heartbeat time.Duration `yaml:"heartbeat" doc:"longest time between two prices of a working feed; 10m when absent"`
}

// sources are the parsed sources of a chain.
type sources struct {
	feeds     []feed
	anchors   []svm.Address
	exchanges []pool.Exchange
	amm       []svm.Address
}

type feed struct {
	id        [32]byte
	account   svm.Address
	mint      svm.Address
	heartbeat time.Duration
}

// The fee configurations for which pools are searched: indexes of Raydium's, and tick spacings of Orca's.
var (
	cpmmConfigs = []uint16{0, 1, 2, 3, 4, 5}
	clmmConfigs = []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	spacings    = []uint16{1, 2, 4, 8, 16, 64, 96, 128, 256, 32_896}
)

// parseSources parses the built-in table, with chains replaced by cfg.
func parseSources(cfg map[string]Chain) (map[string]sources, error) {
	all := map[string]Chain{}
	if err := yaml.Unmarshal(builtIn, &all); err != nil {
		return nil, fmt.Errorf("solana.yaml: %w", err)
	}
	for chainID, c := range cfg {
		all[chainID] = c
	}
	parsed := map[string]sources{}
	for chainID, c := range all {
		s, err := c.parse()
		if err != nil {
			return nil, fmt.Errorf("prices of %s: %w", chainID, err)
		}
		parsed[chainID] = s
	}
	return parsed, nil
}

func (c Chain) parse() (sources, error) {
	s := sources{exchanges: []pool.Exchange{{Program: pool.RaydiumCPMM, Configs: cpmmConfigs}, {Program: pool.RaydiumCLMM, Configs: clmmConfigs}}}
	for _, f := range c.Feeds {
		parsed, err := f.parse()
		if err != nil {
			return sources{}, err
		}
		s.feeds = append(s.feeds, parsed)
	}
	var err error
	if s.anchors, err = addresses(c.Anchors); err != nil {
		return sources{}, fmt.Errorf("anchors: %w", err)
	}
	if s.amm, err = addresses(c.AMM); err != nil {
		return sources{}, fmt.Errorf("amm: %w", err)
	}
	if c.Orca != "" {
		root, err := svm.ParseAddress(c.Orca)
		if err != nil {
			return sources{}, fmt.Errorf("orca: %w", err)
		}
		s.exchanges = append(s.exchanges, pool.Exchange{Program: pool.Whirlpool, Root: root, Configs: spacings})
	}
	return s, nil
}

func (f Feed) parse() (feed, error) {
	id, err := hex.DecodeString(strings.TrimPrefix(f.ID, "0x"))
	if err != nil || len(id) != 32 {
		return feed{}, fmt.Errorf("feed %q: want 64 hex digits", f.ID)
	}
	parsed := feed{id: [32]byte(id), account: svm.FeedAccount([32]byte(id)), mint: svm.Native, heartbeat: f.Heartbeat}
	if f.Token != "" {
		if parsed.mint, err = svm.ParseAddress(f.Token); err != nil {
			return feed{}, fmt.Errorf("feed %q: %w", f.ID, err)
		}
	}
	if parsed.heartbeat == 0 {
		parsed.heartbeat = defaultHeartbeat
	}
	return parsed, nil
}

func addresses(texts []string) (list []svm.Address, err error) {
	for _, text := range texts {
		a, err := svm.ParseAddress(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		list = append(list, a)
	}
	return list, nil
}

// parseStatic parses the configured prices of tokens of Solana, in US dollars by CAIP-10 address.
func parseStatic(prices map[string]float64) (map[Asset]float64, error) {
	static := map[Asset]float64{}
	for id, usd := range prices {
		account, err := caip.ParseAccount(id)
		if err == nil && account.Chain.Namespace != "solana" {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("price of %s: %w", id, err)
		}
		mint, err := svm.ParseAddress(account.Address)
		if err != nil {
			return nil, fmt.Errorf("price of %s: %w", id, err)
		}
		if !depth.ValidPrice(usd) {
			return nil, fmt.Errorf("price of %s: %v is not a price", id, usd)
		}
		static[Asset{account.Chain.String(), mint}] = usd
	}
	return static, nil
}
