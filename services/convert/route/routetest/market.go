// Package routetest generates markets of pools, for tests and for comparisons with other routers.
package routetest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
)

// Market is a market in the format in which programs exchange it. Amounts are decimal text, in base units.
type Market struct {
	Tokens  []Token        `json:"tokens"`
	V2      []Pair         `json:"v2"`
	V3      []Concentrated `json:"v3"`
	Queries []Query        `json:"queries"`
}

// Token is one token; its ID is its index.
type Token struct {
	ID       int    `json:"id"`
	Symbol   string `json:"sym"`
	Decimals int    `json:"dec"`
	// Price is in dollars per whole unit.
	Price   float64 `json:"price"`
	Address string  `json:"addr"`
}

// Pair is a pool of Uniswap v2 with the fee of 0.3%.
type Pair struct {
	Token0   int    `json:"t0"`
	Token1   int    `json:"t1"`
	Reserve0 string `json:"r0"`
	Reserve1 string `json:"r1"`
}

// Concentrated is a pool of Uniswap v3.
type Concentrated struct {
	Token0    int    `json:"t0"`
	Token1    int    `json:"t1"`
	Fee       uint32 `json:"fee"`
	Spacing   int32  `json:"sp"`
	SqrtPrice string `json:"sqrtP"`
	Tick      int32  `json:"tick"`
	Liquidity string `json:"liq"`
	Ticks     []Tick `json:"ticks"`
}

// Tick is an initialised tick and the liquidity that is added above it.
type Tick struct {
	Index int32
	Net   string
}

// Query is a plausible trade.
type Query struct {
	In     int     `json:"in"`
	Out    int     `json:"out"`
	Amount string  `json:"amt"`
	USD    float64 `json:"usd"`
	Class  string  `json:"cls"`
}

// MarshalJSON writes the tick as a pair of index and text.
func (t Tick) MarshalJSON() ([]byte, error) { return json.Marshal([]any{t.Index, t.Net}) }

// UnmarshalJSON parses the format of [Tick.MarshalJSON].
func (t *Tick) UnmarshalJSON(text []byte) error {
	var pair [2]json.RawMessage
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	index, err := strconv.ParseInt(string(pair[0]), 10, 32)
	if err != nil {
		return err
	}
	t.Index = int32(index)
	return json.Unmarshal(pair[1], &t.Net)
}

// Build converts the market to a graph: first the pairs, then the concentrated pools, all of one venue.
func (m *Market) Build() (*route.Graph, error) {
	pools := make([]route.Pool, 0, len(m.V2)+len(m.V3))
	for i, p := range m.V2 {
		model, err := p.model()
		if err != nil {
			return nil, fmt.Errorf("v2 pool %d: %w", i, err)
		}
		pools = append(pools, route.Pool{Token0: route.Token(p.Token0), Token1: route.Token(p.Token1), Model: model, GasHop: 80_000})
	}
	for i, p := range m.V3 {
		model, err := p.model()
		if err != nil {
			return nil, fmt.Errorf("v3 pool %d: %w", i, err)
		}
		pools = append(pools, route.Pool{Token0: route.Token(p.Token0), Token1: route.Token(p.Token1), Model: model, GasHop: 110_000})
	}
	return route.NewGraph(len(m.Tokens), pools)
}

// Request converts the query to a request of the router.
func (q Query) Request() (route.Request, error) {
	amount, err := uint256.FromDecimal(q.Amount)
	if err != nil {
		return route.Request{}, err
	}
	return route.Request{From: route.Token(q.In), To: route.Token(q.Out), Amount: *amount}, nil
}

func (p Pair) model() (route.Model, error) {
	reserve0, err := uint256.FromDecimal(p.Reserve0)
	if err != nil {
		return nil, err
	}
	reserve1, err := uint256.FromDecimal(p.Reserve1)
	if err != nil {
		return nil, err
	}
	return route.NewConstantProduct(reserve0, reserve1, 997, 1000)
}

func (p Concentrated) model() (route.Model, error) {
	s := route.ConcentratedState{Fee: p.Fee, Spacing: p.Spacing, Tick: p.Tick, Ticks: make([]route.Tick, len(p.Ticks))}
	if err := s.SqrtPrice.SetFromDecimal(p.SqrtPrice); err != nil {
		return nil, err
	}
	if err := s.Liquidity.SetFromDecimal(p.Liquidity); err != nil {
		return nil, err
	}
	for i, t := range p.Ticks {
		digits, negative := strings.CutPrefix(t.Net, "-")
		s.Ticks[i].Index = t.Index
		if err := s.Ticks[i].Net.SetFromDecimal(digits); err != nil {
			return nil, err
		}
		if negative {
			s.Ticks[i].Net.Neg(&s.Ticks[i].Net)
		}
	}
	return route.NewConcentrated(s)
}
