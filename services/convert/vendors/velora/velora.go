// Package velora is a client of Velora's (formerly ParaSwap's) Market API 6.2: GET /prices, and POST /transactions/{chain} with the unchanged price route.
// It needs no key.
package velora

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/wire"
	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Vendor describes Velora. Transactions call Augustus v6.2, which is the spender too.
func Vendor() vendors.Vendor {
	return vendors.Vendor{
		URL:       "https://api.paraswap.io",
		Header:    header,
		Explain:   explain,
		Contracts: vendors.Pinned("velora"),
		Calls:     aggregator.Velora(),
		New:       func(api *vendors.API) vendors.Translator { return &translator{api} },
	}
}

// header returns the header with a partner's key.
func header(key string) http.Header {
	if key == "" {
		return nil
	}
	return http.Header{"X-Api-Key": {key}}
}

// method is the function of Augustus v6.2 that is requested: the others are each for one kind of pool.
const method = "swapExactAmountIn"

type translator struct{ api *vendors.API }

// route is the decoded part of a price route.
type route struct {
	SrcToken           evm.Address `json:"srcToken"`
	SrcAmount          wire.Amount `json:"srcAmount"`
	DestToken          evm.Address `json:"destToken"`
	DestAmount         wire.Amount `json:"destAmount"`
	GasCost            wire.Gas    `json:"gasCost"`
	TokenTransferProxy evm.Address `json:"tokenTransferProxy"`
}

// Quote requests a price route, which Build sends back unchanged.
func (t *translator) Quote(ctx context.Context, a vendors.Request) (vendors.Quote, error) {
	var answer struct {
		PriceRoute json.RawMessage `json:"priceRoute"`
	}
	if err := t.api.Get(ctx, "/prices", query(a), &answer); err != nil {
		return vendors.Quote{}, err
	}
	r, err := read(a, answer.PriceRoute)
	if err != nil {
		return vendors.Quote{}, err
	}
	return vendors.Quote{Out: r.DestAmount.Int, Gas: uint64(r.GasCost), Spender: r.TokenTransferProxy, Raw: answer.PriceRoute}, nil
}

// order is the body of a build.
type order struct {
	PriceRoute   json.RawMessage `json:"priceRoute"`
	SrcToken     string          `json:"srcToken"`
	SrcDecimals  uint8           `json:"srcDecimals"`
	SrcAmount    string          `json:"srcAmount"`
	DestToken    string          `json:"destToken"`
	DestDecimals uint8           `json:"destDecimals"`
	Slippage     uint32          `json:"slippage"`
	UserAddress  string          `json:"userAddress"`
	Deadline     int64           `json:"deadline,omitempty"`
}

// Build requests the call data of a price route, without a check of balance and allowance, which may follow later.
func (t *translator) Build(ctx context.Context, a vendors.Request, q vendors.Quote) (vendors.Transaction, error) {
	if len(q.Raw) == 0 {
		return vendors.Transaction{}, fmt.Errorf("%w: the quote lacks its route", vendors.ErrRejected)
	}
	r, err := read(a, q.Raw)
	if err != nil {
		return vendors.Transaction{}, err
	}
	o := order{
		PriceRoute: q.Raw, SrcToken: a.From.String(), SrcDecimals: a.FromDecimals, SrcAmount: a.Amount.String(), DestToken: a.To.String(), DestDecimals: a.ToDecimals,
		Slippage: a.SlippageBPS, UserAddress: a.Sender.String(),
	}
	if !a.Deadline.IsZero() {
		o.Deadline = a.Deadline.Unix()
	}
	var answer struct {
		To    evm.Address `json:"to"`
		Data  wire.Data   `json:"data"`
		Value wire.Amount `json:"value"`
		Gas   wire.Gas    `json:"gas"`
	}
	if err := t.api.Post(ctx, "/transactions/"+a.ChainNumber()+"?ignoreChecks=true", o, &answer); err != nil {
		return vendors.Transaction{}, err
	}
	gas := answer.Gas
	if gas == 0 {
		gas = r.GasCost
	}
	return vendors.Transaction{
		To: answer.To, Data: answer.Data, Value: answer.Value.Int, Gas: uint64(gas), Out: r.DestAmount.Int, Spender: r.TokenTransferProxy,
	}, nil
}

func read(a vendors.Request, raw json.RawMessage) (route, error) {
	var r route
	if err := json.Unmarshal(raw, &r); err != nil {
		return route{}, vendors.ErrBroken
	}
	return r, a.Matches(r.SrcToken, r.DestToken, r.SrcAmount.Int)
}

// query returns the parameters, with the native currency in mixed case, as the API requires.
func query(a vendors.Request) url.Values {
	return url.Values{
		"srcToken": {a.From.String()}, "srcDecimals": {strconv.Itoa(int(a.FromDecimals))}, "destToken": {a.To.String()},
		"destDecimals": {strconv.Itoa(int(a.ToDecimals))}, "amount": {a.Amount.String()}, "side": {"SELL"}, "network": {a.ChainNumber()}, "version": {"6.2"},
		"includeContractMethods": {method},
	}
}

// explain classifies an error by its text: it has no code.
func explain(_ int, body []byte) error {
	var failure struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		return nil
	}
	text := strings.ToLower(failure.Error)
	switch {
	case strings.Contains(text, "enough liquidity"), strings.Contains(text, "max_impact"), strings.Contains(text, "too small"):
		return vendors.ErrNoLiquidity
	case strings.Contains(text, "token"):
		return vendors.ErrToken
	case strings.Contains(text, "chain"), strings.Contains(text, "network"):
		return vendors.ErrChain
	}
	return nil
}
