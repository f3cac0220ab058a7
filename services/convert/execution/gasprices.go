package execution

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// priceLifetime is how long a chain's prices are used: a block of most chains.
	priceLifetime = 2 * time.Second
	// knownChains bounds how many chains are cached.
	knownChains = 1_000
	// historyBlocks is how many recent blocks are read for priority fees.
	historyBlocks = 20
)

// errNoWord is the error of an answer shorter than one word.
var errNoWord = errors.New("the contract's answer is too short")

// Prices are gas prices in wei, by urgency. On chains with a base fee (EIP-1559) each is the maximum fee to offer: the
// highest base fee that is possible until then, plus the usual priority fee.
type Prices struct {
	// Slow is for low urgency, Standard for one of the next blocks, Fast for the next block, Instant for the next block even if it is full.
	Slow, Standard, Fast, Instant *uint256.Int
	// Expected is what a transaction pays now.
	Expected *uint256.Int
}

// GasPrices reads and caches gas prices. It is safe for concurrent use.
type GasPrices struct {
	connect func(chainID string) chainclient.Transport
	known   *cache.Cache[string, Prices]
	flights routine.Flights
}

// NewGasPrices returns a reader that reaches the nodes of a CAIP-2 chain through connect.
func NewGasPrices(connect func(chainID string) chainclient.Transport) *GasPrices {
	return &GasPrices{connect: connect, known: cache.New(cache.Options[string, Prices]{
		MaxEntries: knownChains, Lifetime: priceLifetime,
	})}
}

// On returns the prices of the chain with a CAIP-2 id, at most two seconds old. Concurrent callers share one read.
func (g *GasPrices) On(ctx context.Context, chainID string) (Prices, error) {
	if p, ok := g.known.Get(chainID); ok {
		return p, nil
	}
	flight := g.flights.DoChan(ctx, chainID, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		p, err := readPrices(ctx, g.connect(chainID))
		if err == nil {
			g.known.Set(chainID, p)
		}
		return p, err
	})
	select {
	case <-ctx.Done():
		return Prices{}, ctx.Err()
	case r := <-flight:
		p, _ := r.Val.(Prices)
		return p, r.Err
	}
}

func readPrices(ctx context.Context, send chainclient.Transport) (Prices, error) {
	results, err := send.Batch(ctx,
		chainclient.Call{Method: "eth_gasPrice", Params: []any{}},
		chainclient.Call{Method: "eth_feeHistory", Params: []any{fmt.Sprintf("%#x", historyBlocks), "latest", []int{10, 50, 90}}},
	)
	if err != nil {
		return Prices{}, err
	}
	suggested, err := quantity(results[0])
	if err != nil {
		return Prices{}, err
	}
	if h, ok := readHistory(results[1]); ok {
		return h.prices(suggested), nil
	}
	return legacyPrices(suggested), nil
}

// legacyPrices returns the prices of a chain without a base fee.
func legacyPrices(suggested *uint256.Int) Prices {
	return Prices{
		Slow: suggested, Standard: suggested, Expected: suggested,
		Fast: percent(suggested, 125), Instant: percent(suggested, 150),
	}
}

// history holds the fees of recent blocks.
type history struct {
	// base is the next block's base fee.
	base *uint256.Int
	// tips are the priority fees at the 10th, 50th and 90th percentile of gas, each the median over blocks with transactions; nil if none had any.
	tips []*uint256.Int
}

// readHistory decodes eth_feeHistory; false if the chain has no base fee, or the node no history.
func readHistory(r chainclient.Result) (history, bool) {
	raw, err := r.JSON()
	if err != nil {
		return history{}, false
	}
	var answer struct {
		BaseFees []*uint256.Int   `json:"baseFeePerGas"`
		Used     []float64        `json:"gasUsedRatio"`
		Tips     [][]*uint256.Int `json:"reward"`
	}
	if json.Unmarshal(raw, &answer) != nil || len(answer.BaseFees) == 0 {
		return history{}, false
	}
	h := history{base: answer.BaseFees[len(answer.BaseFees)-1]}
	if h.base == nil || h.base.IsZero() || !believable(h.base) {
		return history{}, false
	}
	for percentile := range 3 {
		var paid []*uint256.Int
		for block, tips := range answer.Tips {
			if block < len(answer.Used) && answer.Used[block] > 0 && percentile < len(tips) && believable(tips[percentile]) {
				paid = append(paid, tips[percentile])
			}
		}
		if len(paid) == 0 {
			return h, true
		}
		slices.SortFunc(paid, (*uint256.Int).Cmp)
		h.tips = append(h.tips, paid[len(paid)/2])
	}
	return h, true
}

// prices adds the tips to the highest base fee after zero, two, four and six full blocks, with an eighth more per block
// (EIP-1559). If no block had transactions, the tip is the node's suggestion.
func (h history) prices(suggested *uint256.Int) Prices {
	tips := h.tips
	if len(tips) < 3 {
		tip := new(uint256.Int)
		if suggested.Gt(h.base) {
			tip.Sub(suggested, h.base)
		}
		tips = []*uint256.Int{tip, tip, tip}
	}
	offer := func(part uint64, tip *uint256.Int) *uint256.Int {
		return new(uint256.Int).Add(percent(h.base, part), tip)
	}
	return Prices{
		Slow: offer(100, tips[0]), Standard: offer(125, tips[1]), Fast: offer(160, tips[2]), Instant: offer(200, tips[2]),
		Expected: offer(100, tips[1]),
	}
}

// percent returns a percentage of n, rounded up.
func percent(n *uint256.Int, part uint64) *uint256.Int {
	product := new(uint256.Int).Mul(n, uint256.NewInt(part))
	return product.Div(product.AddUint64(product, 99), uint256.NewInt(100))
}

// believable reports whether a price has at most 128 bits.
func believable(price *uint256.Int) bool { return price != nil && price.BitLen() <= 128 }

// errPrice is the error of an implausible gas price.
var errPrice = errors.New("the node suggests an implausible gas price")

func quantity(r chainclient.Result) (*uint256.Int, error) {
	n, err := r.Quantity()
	if err != nil {
		return nil, err
	}
	price, overflow := uint256.FromBig(n)
	if overflow || !believable(price) {
		return nil, errPrice
	}
	return price, nil
}
