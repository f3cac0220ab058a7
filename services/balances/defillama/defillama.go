// Package defillama requests prices from DefiLlama's coins API, GET /prices/current/{chain}:{address},…, which needs no key. It is used if
// balances.prices.vendor is set to it.
package defillama

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// DefaultURL is the base URL of the API.
const DefaultURL = "https://coins.llama.fi"

const (
	timeout = 10 * time.Second
	// maxResponse bounds a response, in bytes.
	maxResponse = 1 << 20
	// minConfidence is the confidence, from 0 to 1, that the vendor must give a price.
	minConfidence = 0.8
)

// solana is the main network of Solana, whose native currency the API prices as its wrapped token.
const solana = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"

// chains are the API's names of chains, by CAIP-2 id.
var chains = map[string]string{
	"eip155:1": "ethereum", "eip155:10": "optimism", "eip155:56": "bsc", "eip155:100": "xdai", "eip155:137": "polygon", "eip155:250": "fantom",
	"eip155:324": "era", "eip155:8217": "klaytn", "eip155:8453": "base", "eip155:42161": "arbitrum", "eip155:43114": "avax", "eip155:1313161554": "aurora",
	solana: "solana",
}

// natives are the API's ids of native currencies whose chain the API does not have.
var natives = map[string]string{
	"bip122:000000000019d6689c085ae165831e93": "coingecko:bitcoin", "polkadot:91b171bb158e2d3848fa23a9f1c25182": "coingecko:polkadot",
	"polkadot:68d56f15f85d3136970ec16946040bc1": "coingecko:polkadot",
}

// nativeAddress is the API's address of native currencies.
const nativeAddress = "0x0000000000000000000000000000000000000000"

// Client is a client of the API.
type Client struct {
	base string
	http *upstream.Client
}

// New returns a client of the API at base, a URL without a trailing slash.
func New(base string) *Client {
	return &Client{base: base, http: upstream.New(timeout, maxResponse).Measured("prices")}
}

// Name returns the source of the prices.
func (*Client) Name() string { return "defillama" }

// USDPrices requests the prices of the assets on chains that the API supports, in US dollars.
func (c *Client) USDPrices(ctx context.Context, assets []prices.Coin) (map[prices.Coin]prices.Price, error) {
	// Two networks may have one currency.
	requested := map[string][]prices.Coin{}
	var coins []string
	for _, a := range assets {
		if coin, ok := coinOf(a); ok {
			if requested[coin] == nil {
				coins = append(coins, coin)
			}
			requested[coin] = append(requested[coin], a)
		}
	}
	if len(coins) == 0 {
		return nil, nil
	}
	status, body, err := c.http.GetJSON(ctx, c.base+"/prices/current/"+url.PathEscape(strings.Join(coins, ",")))
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("HTTP status %d", status)
	}
	return parse(body, requested)
}

// coinOf returns the API's id of an asset; false for an unsupported chain.
func coinOf(a prices.Coin) (string, bool) {
	if coin, ok := natives[a.Chain]; ok && a.Address == "" {
		return coin, true
	}
	chain, ok := chains[a.Chain]
	switch {
	case a.Address == "" && a.Chain == solana:
		return chain + ":" + svm.WrappedSOL.String(), ok
	case a.Address == "":
		return chain + ":" + nativeAddress, ok
	default:
		return chain + ":" + a.Address, ok
	}
}

// parse decodes a response. It skips prices of other coins and those below minConfidence.
func parse(body []byte, requested map[string][]prices.Coin) (map[prices.Coin]prices.Price, error) {
	var response struct {
		Coins map[string]struct {
			Price      float64  `json:"price"`
			Timestamp  int64    `json:"timestamp"`
			Confidence *float64 `json:"confidence"`
		} `json:"coins"`
	}
	if err := json.Unmarshal(body, &response); err != nil {
		return nil, fmt.Errorf("decode prices: %w", err)
	}
	found := map[prices.Coin]prices.Price{}
	for coin, entry := range response.Coins {
		if entry.Confidence != nil && *entry.Confidence < minConfidence {
			continue
		}
		for _, asset := range requested[coin] {
			found[asset] = prices.Price{Amount: entry.Price, At: time.Unix(entry.Timestamp, 0)}
		}
	}
	return found, nil
}
