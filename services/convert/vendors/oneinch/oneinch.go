// Package oneinch is a client of 1inch's Swap API v6.1 (classic swap): GET /swap/v6.1/{chain}/quote and /swap, with a bearer key.
package oneinch

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/wire"
	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Vendor describes 1inch. Transactions call its router, which is the spender too.
func Vendor() vendors.Vendor {
	return vendors.Vendor{
		URL:               "https://api.1inch.dev",
		NeedsKey:          true,
		RequestsPerSecond: 1,
		Header:            func(key string) http.Header { return http.Header{"Authorization": {"Bearer " + key}} },
		Explain:           explain,
		Contracts:         vendors.Pinned("1inch"),
		Calls:             aggregator.OneInch(),
		New:               func(api *vendors.API) vendors.Translator { return &translator{api} },
	}
}

type translator struct{ api *vendors.API }

// Quote requests /quote.
func (t *translator) Quote(ctx context.Context, a vendors.Request) (vendors.Quote, error) {
	var answer struct {
		tokens
		DstAmount wire.Amount `json:"dstAmount"`
		Gas       wire.Gas    `json:"gas"`
	}
	if err := t.api.Get(ctx, path(a, "quote"), query(a), &answer); err != nil {
		return vendors.Quote{}, err
	}
	if err := answer.about(a); err != nil {
		return vendors.Quote{}, err
	}
	return vendors.Quote{Out: answer.DstAmount.Int, Gas: uint64(answer.Gas)}, nil
}

// Build requests /swap, without a check of balance and allowance, which may follow later.
func (t *translator) Build(ctx context.Context, a vendors.Request, _ vendors.Quote) (vendors.Transaction, error) {
	q := query(a)
	q.Set("from", a.Sender.String())
	q.Set("origin", a.Sender.String())
	q.Set("slippage", wire.Percent(a.SlippageBPS))
	q.Set("disableEstimate", "true")
	// The router's functions for single pools do not name the bought token.
	q.Set("compatibility", "true")
	var answer struct {
		tokens
		DstAmount wire.Amount `json:"dstAmount"`
		Tx        struct {
			To    evm.Address `json:"to"`
			Data  wire.Data   `json:"data"`
			Value wire.Amount `json:"value"`
			Gas   wire.Gas    `json:"gas"`
		} `json:"tx"`
	}
	if err := t.api.Get(ctx, path(a, "swap"), q, &answer); err != nil {
		return vendors.Transaction{}, err
	}
	if err := answer.about(a); err != nil {
		return vendors.Transaction{}, err
	}
	return vendors.Transaction{
		To: answer.Tx.To, Data: answer.Tx.Data, Value: answer.Tx.Value.Int, Gas: uint64(answer.Tx.Gas), Out: answer.DstAmount.Int, Spender: answer.Tx.To,
	}, nil
}

// tokens are the tokens of a response, which does not repeat the amount.
type tokens struct {
	SrcToken struct {
		Address evm.Address `json:"address"`
	} `json:"srcToken"`
	DstToken struct {
		Address evm.Address `json:"address"`
	} `json:"dstToken"`
}

func (t tokens) about(a vendors.Request) error {
	return a.Matches(t.SrcToken.Address, t.DstToken.Address, a.Amount)
}

func path(a vendors.Request, method string) string {
	return "/swap/v6.1/" + a.ChainNumber() + "/" + method
}

func query(a vendors.Request) url.Values {
	q := url.Values{
		"src": {a.From.String()}, "dst": {a.To.String()}, "amount": {a.Amount.String()}, "includeGas": {"true"}, "includeTokensInfo": {"true"},
	}
	if a.GasPrice != nil {
		q.Set("gasPrice", a.GasPrice.String())
	}
	return q
}

// explain classifies an error by its description: it has no code.
func explain(status int, body []byte) error {
	var failure struct {
		Description string `json:"description"`
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		return nil
	}
	text := strings.ToLower(failure.Description)
	switch {
	case strings.Contains(text, "insufficient liquidity"):
		return vendors.ErrNoLiquidity
	case strings.Contains(text, "token"):
		return vendors.ErrToken
	case status == http.StatusNotFound:
		return vendors.ErrChain
	}
	return nil
}
