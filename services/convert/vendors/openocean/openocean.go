// Package openocean is a client of OpenOcean's Swap API v4: GET /v4/{chain}/quote and /swap. It needs no key.
package openocean

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/wire"
	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// leastSlippage is the smallest slippage that the API accepts, in basis points.
	leastSlippage = 5
	// usualGasPrice in wei is sent if none is known: the API requires one.
	usualGasPrice = "1000000000"
	// codeFine is the code of success, in the body.
	codeFine = 200
)

// Vendor describes OpenOcean. Transactions call its exchange, which is the spender too.
func Vendor() vendors.Vendor {
	return vendors.Vendor{
		URL:       "https://open-api.openocean.finance",
		KeyURL:    "https://open-api-pro.openocean.finance",
		Header:    header,
		Explain:   func(_ int, body []byte) error { return explain(body) },
		Contracts: vendors.Pinned("openocean"),
		Calls:     aggregator.OpenOcean(),
		New:       func(api *vendors.API) vendors.Translator { return &translator{api} },
	}
}

// header returns the header with a customer's key.
func header(key string) http.Header {
	if key == "" {
		return nil
	}
	return http.Header{"Apikey": {key}}
}

type translator struct{ api *vendors.API }

// offer is the common part of a quote and a swap.
type offer struct {
	InToken struct {
		Address evm.Address `json:"address"`
	} `json:"inToken"`
	OutToken struct {
		Address evm.Address `json:"address"`
	} `json:"outToken"`
	InAmount     wire.Amount `json:"inAmount"`
	OutAmount    wire.Amount `json:"outAmount"`
	MinOutAmount wire.Amount `json:"minOutAmount"`
	EstimatedGas wire.Gas    `json:"estimatedGas"`
	To           evm.Address `json:"to"`
	Value        wire.Amount `json:"value"`
	Data         wire.Data   `json:"data"`
}

// Quote requests /quote.
func (t *translator) Quote(ctx context.Context, a vendors.Request) (vendors.Quote, error) {
	o, err := t.ask(ctx, "quote", a, query(a))
	if err != nil {
		return vendors.Quote{}, err
	}
	return vendors.Quote{Out: o.OutAmount.Int, Gas: uint64(o.EstimatedGas)}, nil
}

// Build requests /swap.
func (t *translator) Build(ctx context.Context, a vendors.Request, _ vendors.Quote) (vendors.Transaction, error) {
	if a.SlippageBPS < leastSlippage {
		return vendors.Transaction{}, fmt.Errorf("%w: the slippage is under %d bps", vendors.ErrRejected, leastSlippage)
	}
	q := query(a)
	q.Set("account", a.Sender.String())
	q.Set("slippage", wire.Percent(a.SlippageBPS))
	o, err := t.ask(ctx, "swap", a, q)
	if err != nil {
		return vendors.Transaction{}, err
	}
	return vendors.Transaction{
		To: o.To, Data: o.Data, Value: o.Value.Int, Gas: uint64(o.EstimatedGas), Out: o.OutAmount.Int, MinOut: o.MinOutAmount.Int, Spender: o.To,
	}, nil
}

// ask sends a request. It decodes the envelope first: in a failure the data is missing or of another type.
func (t *translator) ask(ctx context.Context, method string, a vendors.Request, q url.Values) (offer, error) {
	var envelope json.RawMessage
	if err := t.api.Get(ctx, "/v4/"+a.ChainNumber()+"/"+method, q, &envelope); err != nil {
		return offer{}, err
	}
	var answer struct {
		Code int             `json:"code"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(envelope, &answer); err != nil {
		return offer{}, vendors.ErrBroken
	}
	if answer.Code != codeFine {
		return offer{}, cmp.Or(explain(envelope), vendors.ErrBroken)
	}
	var o offer
	if err := json.Unmarshal(answer.Data, &o); err != nil {
		return offer{}, vendors.ErrBroken
	}
	return o, a.Matches(o.InToken.Address, o.OutToken.Address, o.InAmount.Int)
}

func query(a vendors.Request) url.Values {
	price := usualGasPrice
	if a.GasPrice != nil {
		price = a.GasPrice.String()
	}
	return url.Values{
		"inTokenAddress": {a.From.String()}, "outTokenAddress": {a.To.String()}, "amountDecimals": {a.Amount.String()}, "gasPriceDecimals": {price},
	}
}

// explain classifies an error by its text: its code is 500 for most failures.
func explain(body []byte) error {
	var failure struct {
		Code    int    `json:"code"`
		Error   string `json:"error"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		return nil
	}
	text := strings.ToLower(failure.Error + " " + failure.Message)
	switch {
	case failure.Code == http.StatusTooManyRequests:
		return vendors.ErrRateLimited
	case strings.Contains(text, "liquidity"), strings.Contains(text, "route"):
		return vendors.ErrNoLiquidity
	case strings.Contains(text, "token"):
		return vendors.ErrToken
	case strings.Contains(text, "chain"):
		return vendors.ErrChain
	}
	return nil
}
