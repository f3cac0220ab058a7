// Package defillama reads prices from DefiLlama's coins API, which needs no key: GET /prices/current/{chain}:{address},… It is an option:
// see balances.prices.vendor.
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
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// DefaultURL is where the API answers.
const DefaultURL = "https://coins.llama.fi"

const (
	timeout     = 10 * time.Second
	answerLimit = 1 << 20
	// leastConfidence is the confidence, from 0 to 1, below which the vendor itself does not believe a price.
	leastConfidence = 0.8
)

// chains are the API's names of chains, by CAIP-2 id.
var chains = map[string]string{
	"eip155:1": "ethereum", "eip155:10": "optimism", "eip155:56": "bsc", "eip155:100": "xdai", "eip155:137": "polygon", "eip155:250": "fantom",
	"eip155:324": "era", "eip155:8217": "klaytn", "eip155:8453": "base", "eip155:42161": "arbitrum", "eip155:43114": "avax", "eip155:1313161554": "aurora",
}

// nativeAddress is how the API spells a native currency.
const nativeAddress = "0x0000000000000000000000000000000000000000"

// Client asks the API.
type Client struct {
	base string
	http *upstream.Client
}

// New returns a client of the API at base, without a slash at its end.
func New(base string) *Client { return &Client{base: base, http: upstream.New(timeout, answerLimit)} }

// Name is the source that prices carry.
func (*Client) Name() string { return "defillama" }

// Dollars asks for the assets of the chains that the API knows.
func (c *Client) Dollars(ctx context.Context, assets []prices.Asset) (map[prices.Asset]prices.Price, error) {
	asked := map[string]prices.Asset{}
	var coins []string
	for _, a := range assets {
		if coin, ok := coinOf(a); ok {
			asked[coin] = a
			coins = append(coins, coin)
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
		return nil, fmt.Errorf("answered HTTP %d", status)
	}
	return parse(body, asked)
}

func coinOf(a prices.Asset) (string, bool) {
	chain, ok := chains[a.Chain]
	if a.Address == evm.Native {
		return chain + ":" + nativeAddress, ok
	}
	return chain + ":" + a.Address.String(), ok
}

func parse(body []byte, asked map[string]prices.Asset) (map[prices.Asset]prices.Price, error) {
	var answer struct {
		Coins map[string]struct {
			Price      float64  `json:"price"`
			Timestamp  int64    `json:"timestamp"`
			Confidence *float64 `json:"confidence"`
		} `json:"coins"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("answered something else than prices: %w", err)
	}
	found := map[prices.Asset]prices.Price{}
	for coin, said := range answer.Coins {
		asset, ok := asked[coin]
		if !ok || said.Confidence != nil && *said.Confidence < leastConfidence {
			continue
		}
		found[asset] = prices.Price{Amount: said.Price, At: time.Unix(said.Timestamp, 0)}
	}
	return found, nil
}
