// Package kyberswap is a client of KyberSwap's Aggregator API v1: GET /{chain}/api/v1/routes, and POST /{chain}/api/v1/route/build with the unchanged
// route. It needs no key; a configured key is sent as the client id, which raises the rate limit.
package kyberswap

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/wire"
	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// client is the default client id.
const client = "hawser"

// slippageCap is the largest slippage in basis points that is accepted without IgnoreCappedSlippage.
const slippageCap = 2_000

// chains are the API's names of chains, by CAIP-2 id.
var chains = map[string]string{
	"eip155:1": "ethereum", "eip155:10": "optimism", "eip155:56": "bsc", "eip155:137": "polygon", "eip155:250": "fantom", "eip155:324": "zksync",
	"eip155:8453": "base", "eip155:42161": "arbitrum", "eip155:43114": "avalanche", "eip155:59144": "linea", "eip155:534352": "scroll",
}

// Codes of failures, in the body.
const (
	codeFine          = 0
	codeNoRoute       = 4008
	codeTooMuch       = 4009
	codeNoPool        = 4010
	codeUnknownToken  = 4011
	codeWrappedAbsent = 4221
	codeMoved         = 4222
)

// Vendor describes KyberSwap. Transactions call MetaAggregationRouterV2, which is the spender too.
func Vendor() vendors.Vendor {
	return vendors.Vendor{
		URL:       "https://aggregator-api.kyberswap.com",
		Header:    func(key string) http.Header { return http.Header{"X-Client-Id": {cmp.Or(key, client)}} },
		Explain:   explain,
		Contracts: vendors.Pinned("kyberswap"),
		Calls:     aggregator.KyberSwap(),
		New:       func(api *vendors.API) vendors.Translator { return &translator{api} },
	}
}

type translator struct{ api *vendors.API }

// Quote requests a route, which Build sends back unchanged.
func (t *translator) Quote(ctx context.Context, a vendors.Request) (vendors.Quote, error) {
	chain, ok := chains[a.ChainID]
	if !ok {
		return vendors.Quote{}, vendors.ErrChain
	}
	var answer struct {
		Code int `json:"code"`
		Data struct {
			RouteSummary  json.RawMessage `json:"routeSummary"`
			RouterAddress evm.Address     `json:"routerAddress"`
		} `json:"data"`
	}
	if err := t.api.Get(ctx, "/"+chain+"/api/v1/routes", query(a), &answer); err != nil {
		return vendors.Quote{}, err
	}
	if answer.Code != codeFine {
		return vendors.Quote{}, cmp.Or(kind(answer.Code), vendors.ErrRejected)
	}
	var route struct {
		TokenIn   evm.Address `json:"tokenIn"`
		TokenOut  evm.Address `json:"tokenOut"`
		AmountIn  wire.Amount `json:"amountIn"`
		AmountOut wire.Amount `json:"amountOut"`
		Gas       wire.Gas    `json:"gas"`
	}
	if err := json.Unmarshal(answer.Data.RouteSummary, &route); err != nil {
		return vendors.Quote{}, vendors.ErrBroken
	}
	if err := a.Matches(route.TokenIn, route.TokenOut, route.AmountIn.Int); err != nil {
		return vendors.Quote{}, err
	}
	return vendors.Quote{Out: route.AmountOut.Int, Gas: uint64(route.Gas), Spender: answer.Data.RouterAddress, Raw: answer.Data.RouteSummary}, nil
}

// order is the body of a build.
type order struct {
	RouteSummary      json.RawMessage `json:"routeSummary"`
	Sender            string          `json:"sender"`
	Recipient         string          `json:"recipient"`
	SlippageTolerance uint32          `json:"slippageTolerance"`
	Deadline          int64           `json:"deadline,omitempty"`
	Source            string          `json:"source"`
	// IgnoreCappedSlippage is required for a slippage above slippageCap.
	IgnoreCappedSlippage bool `json:"ignoreCappedSlippage,omitempty"`
}

// Build requests the call data of a route.
func (t *translator) Build(ctx context.Context, a vendors.Request, q vendors.Quote) (vendors.Transaction, error) {
	if len(q.Raw) == 0 {
		return vendors.Transaction{}, fmt.Errorf("%w: the quote lacks its route", vendors.ErrRejected)
	}
	o := order{RouteSummary: q.Raw, Sender: a.Sender.String(), Recipient: a.Sender.String(), SlippageTolerance: a.SlippageBPS, Source: client}
	o.IgnoreCappedSlippage = a.SlippageBPS > slippageCap
	if !a.Deadline.IsZero() {
		o.Deadline = a.Deadline.Unix()
	}
	var answer struct {
		Code int `json:"code"`
		Data struct {
			AmountIn         wire.Amount `json:"amountIn"`
			AmountOut        wire.Amount `json:"amountOut"`
			Gas              wire.Gas    `json:"gas"`
			Data             wire.Data   `json:"data"`
			RouterAddress    evm.Address `json:"routerAddress"`
			TransactionValue wire.Amount `json:"transactionValue"`
		} `json:"data"`
	}
	if err := t.api.Post(ctx, "/"+chains[a.ChainID]+"/api/v1/route/build", o, &answer); err != nil {
		return vendors.Transaction{}, err
	}
	if answer.Code != codeFine {
		return vendors.Transaction{}, cmp.Or(kind(answer.Code), vendors.ErrRejected)
	}
	built := answer.Data
	return vendors.Transaction{
		To: built.RouterAddress, Data: built.Data, Value: built.TransactionValue.Int, Gas: uint64(built.Gas), Out: built.AmountOut.Int, Spender: built.RouterAddress,
	}, a.Matches(a.From, a.To, built.AmountIn.Int)
}

func query(a vendors.Request) url.Values {
	q := url.Values{"tokenIn": {a.From.String()}, "tokenOut": {a.To.String()}, "amountIn": {a.Amount.String()}, "gasInclude": {"true"}}
	if a.GasPrice != nil {
		q.Set("gasPrice", a.GasPrice.String())
	}
	return q
}

// explain classifies an error by its code. An unknown chain has no code: its path does not exist.
func explain(status int, body []byte) error {
	var failure struct {
		Code int `json:"code"`
	}
	if err := json.Unmarshal(body, &failure); err == nil && kind(failure.Code) != nil {
		return kind(failure.Code)
	}
	if status == http.StatusNotFound {
		return vendors.ErrChain
	}
	return nil
}

func kind(code int) error {
	switch code {
	case codeNoRoute, codeTooMuch, codeNoPool:
		return vendors.ErrNoLiquidity
	case codeUnknownToken, codeWrappedAbsent:
		return vendors.ErrToken
	case codeMoved:
		return vendors.ErrMoved
	}
	return nil
}
