// Package lifi is a client of LI.FI's API: GET /v1/quote, which returns quote and transaction at once. It needs no key; a key raises the rate limit.
package lifi

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

// Codes of failures, in the body.
const (
	codeNoQuote      = 1002
	codeRateLimit    = 1005
	codeUnauthorized = 1010
	codeValidation   = 1011
)

// placeholderSender is the sender in requests for quotes, which require one: the account is sent only to build a
// transaction. The private key of the address is not known.
var placeholderSender = evm.MustAddress("0x000000000000000000000000000000000000dEaD")

// Vendor describes LI.FI. Transactions call its diamond, which is the spender too.
func Vendor() vendors.Vendor {
	return vendors.Vendor{
		URL:       "https://li.quest",
		Header:    header,
		Explain:   explain,
		Contracts: vendors.Pinned("lifi"),
		Calls:     aggregator.LIFI(),
		New:       func(api *vendors.API) vendors.Translator { return &translator{api} },
	}
}

func header(key string) http.Header {
	if key == "" {
		return nil
	}
	return http.Header{"X-Lifi-Api-Key": {key}}
}

type translator struct{ api *vendors.API }

// step is the decoded part of a quote.
type step struct {
	Action struct {
		FromToken struct {
			Address evm.Address `json:"address"`
		} `json:"fromToken"`
		ToToken struct {
			Address evm.Address `json:"address"`
		} `json:"toToken"`
		FromAmount wire.Amount `json:"fromAmount"`
	} `json:"action"`
	Estimate struct {
		ToAmount        wire.Amount `json:"toAmount"`
		ToAmountMin     wire.Amount `json:"toAmountMin"`
		ApprovalAddress evm.Address `json:"approvalAddress"`
		GasCosts        []struct {
			Estimate wire.Gas `json:"estimate"`
		} `json:"gasCosts"`
	} `json:"estimate"`
	TransactionRequest struct {
		To       evm.Address `json:"to"`
		Data     wire.Data   `json:"data"`
		Value    wire.Amount `json:"value"`
		GasLimit wire.Gas    `json:"gasLimit"`
	} `json:"transactionRequest"`
}

// Quote requests a quote for a placeholder account, without a simulation.
func (t *translator) Quote(ctx context.Context, a vendors.Request) (vendors.Quote, error) {
	q := query(a, placeholderSender)
	q.Set("skipSimulation", "true")
	s, err := t.ask(ctx, a, q)
	if err != nil {
		return vendors.Quote{}, err
	}
	var gas uint64
	for _, cost := range s.Estimate.GasCosts {
		gas += uint64(cost.Estimate)
	}
	return vendors.Quote{Out: s.Estimate.ToAmount.Int, Gas: gas, Spender: s.Estimate.ApprovalAddress}, nil
}

// Build requests a quote again, for the sender.
func (t *translator) Build(ctx context.Context, a vendors.Request, _ vendors.Quote) (vendors.Transaction, error) {
	s, err := t.ask(ctx, a, query(a, a.Sender))
	if err != nil {
		return vendors.Transaction{}, err
	}
	tx := s.TransactionRequest
	return vendors.Transaction{
		To: tx.To, Data: tx.Data, Value: tx.Value.Int, Gas: uint64(tx.GasLimit),
		Out: s.Estimate.ToAmount.Int, MinOut: s.Estimate.ToAmountMin.Int, Spender: s.Estimate.ApprovalAddress,
	}, nil
}

func (t *translator) ask(ctx context.Context, a vendors.Request, q url.Values) (step, error) {
	var s step
	if err := t.api.Get(ctx, "/v1/quote", q, &s); err != nil {
		return step{}, err
	}
	return s, a.Matches(s.Action.FromToken.Address, s.Action.ToToken.Address, s.Action.FromAmount.Int)
}

func query(a vendors.Request, sender evm.Address) url.Values {
	return url.Values{
		"fromChain": {a.ChainNumber()}, "toChain": {a.ChainNumber()}, "fromToken": {token(a.From)}, "toToken": {token(a.To)},
		"fromAmount": {a.Amount.String()}, "fromAddress": {sender.String()}, "slippage": {wire.Fraction(a.SlippageBPS)}, "order": {"CHEAPEST"},
	}
}

// token returns the address in the API: zero for the native currency.
func token(a evm.Address) string {
	if a == evm.Native {
		a = evm.Address{}
	}
	return a.String()
}

// explain classifies an error by its code, and by its text where one code covers all invalid parameters.
func explain(_ int, body []byte) error {
	var failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		return nil
	}
	text := strings.ToLower(failure.Message)
	switch {
	case failure.Code == codeNoQuote:
		return vendors.ErrNoLiquidity
	case failure.Code == codeRateLimit:
		return vendors.ErrRateLimited
	case failure.Code == codeUnauthorized:
		return vendors.ErrKey
	case failure.Code == codeValidation && strings.Contains(text, "token"):
		return vendors.ErrToken
	case failure.Code == codeValidation && strings.Contains(text, "chain"):
		return vendors.ErrChain
	}
	return nil
}
