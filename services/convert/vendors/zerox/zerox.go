// Package zerox is a client of 0x's Swap API v2 with AllowanceHolder: GET /swap/allowance-holder/price and /quote, with a key.
package zerox

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/wire"
	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Vendor describes 0x. Transactions call AllowanceHolder, which is the spender too; its address differs on chains without the Cancun fork.
func Vendor() vendors.Vendor {
	return vendors.Vendor{
		URL:               "https://api.0x.org",
		NeedsKey:          true,
		RequestsPerSecond: 5,
		Header:            func(key string) http.Header { return http.Header{"0x-Api-Key": {key}, "0x-Version": {"v2"}} },
		Explain:           explain,
		Contracts:         vendors.Pinned("0x"),
		Calls:             aggregator.ZeroX(),
		New:               func(api *vendors.API) vendors.Translator { return &translator{api} },
	}
}

type translator struct{ api *vendors.API }

// offer is the common part of a price and a quote. Without liquidity only the first field is present.
type offer struct {
	LiquidityAvailable *bool       `json:"liquidityAvailable"`
	SellToken          evm.Address `json:"sellToken"`
	BuyToken           evm.Address `json:"buyToken"`
	SellAmount         wire.Amount `json:"sellAmount"`
	BuyAmount          wire.Amount `json:"buyAmount"`
	MinBuyAmount       wire.Amount `json:"minBuyAmount"`
	AllowanceTarget    evm.Address `json:"allowanceTarget"`
	Gas                wire.Gas    `json:"gas"`
	Transaction        struct {
		To    evm.Address `json:"to"`
		Data  wire.Data   `json:"data"`
		Value wire.Amount `json:"value"`
		Gas   wire.Gas    `json:"gas"`
	} `json:"transaction"`
}

// Quote requests /price, which needs no taker.
func (t *translator) Quote(ctx context.Context, a vendors.Request) (vendors.Quote, error) {
	o, err := t.ask(ctx, "price", a, query(a))
	if err != nil {
		return vendors.Quote{}, err
	}
	return vendors.Quote{Out: o.BuyAmount.Int, Gas: uint64(o.Gas), Spender: o.AllowanceTarget}, nil
}

// Build requests /quote.
func (t *translator) Build(ctx context.Context, a vendors.Request, _ vendors.Quote) (vendors.Transaction, error) {
	q := query(a)
	q.Set("taker", a.Sender.String())
	o, err := t.ask(ctx, "quote", a, q)
	if err != nil {
		return vendors.Transaction{}, err
	}
	tx := o.Transaction
	return vendors.Transaction{
		To: tx.To, Data: tx.Data, Value: tx.Value.Int, Gas: uint64(tx.Gas), Out: o.BuyAmount.Int, MinOut: o.MinBuyAmount.Int, Spender: o.AllowanceTarget,
	}, nil
}

func (t *translator) ask(ctx context.Context, method string, a vendors.Request, q url.Values) (offer, error) {
	var o offer
	if err := t.api.Get(ctx, "/swap/allowance-holder/"+method, q, &o); err != nil {
		return offer{}, err
	}
	if o.LiquidityAvailable == nil {
		return offer{}, vendors.ErrBroken
	}
	if !*o.LiquidityAvailable {
		return offer{}, vendors.ErrNoLiquidity
	}
	return o, a.Matches(o.SellToken, o.BuyToken, o.SellAmount.Int)
}

func query(a vendors.Request) url.Values {
	q := url.Values{
		"chainId": {a.ChainNumber()}, "sellToken": {a.From.String()}, "buyToken": {a.To.String()}, "sellAmount": {a.Amount.String()},
		"slippageBps": {strconv.FormatUint(uint64(a.SlippageBPS), 10)},
	}
	if a.GasPrice != nil {
		q.Set("gasPrice", a.GasPrice.String())
	}
	return q
}

// refusals are the names of errors about a token.
var refusals = []string{"TOKEN_NOT_SUPPORTED", "SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE", "BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE"}

func explain(_ int, body []byte) error {
	var failure struct {
		Name string `json:"name"`
		Data struct {
			Details []struct {
				Field string `json:"field"`
			} `json:"details"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		return nil
	}
	switch {
	case slices.Contains(refusals, failure.Name):
		return vendors.ErrToken
	case failure.Name == "SELL_AMOUNT_TOO_SMALL":
		return vendors.ErrNoLiquidity
	case failure.Name == "TAKER_NOT_AUTHORIZED_FOR_TRADE":
		// HTTP 403, but not because of the key.
		return vendors.ErrRejected
	}
	for _, detail := range failure.Data.Details {
		if detail.Field == "chainId" {
			return vendors.ErrChain
		}
	}
	return nil
}
