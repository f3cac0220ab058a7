// Package lifi speaks LI.FI's API: GET /v1/quote, which quotes and builds at once. It needs no key; one raises the rate limit.
package lifi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/wire"
	"github.com/hawser-dev/hawser/services/evm"
)

// Codes of failures, in the body.
const (
	codeNoQuote      = 1002
	codeRateLimit    = 1005
	codeUnauthorized = 1010
	codeValidation   = 1011
)

// nobody stands for the sender that a quote demands: who swaps is not told before there is a transaction to build. Nobody has its key.
var nobody = evm.MustAddress("0x000000000000000000000000000000000000dEaD")

// Vendor is what is known of LI.FI. Its diamond is called, and is given the allowance.
func Vendor() vendors.Vendor {
	return vendors.Vendor{
		URL:       "https://li.quest",
		Header:    header,
		Explain:   explain,
		Contracts: vendors.Pinned("lifi"),
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

// step is what is read of a quote.
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

// Quote asks on behalf of nobody, whose transaction is not tried out.
func (t *translator) Quote(ctx context.Context, a vendors.Ask) (vendors.Quote, error) {
	q := query(a, nobody)
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

// Build asks again, on behalf of the sender.
func (t *translator) Build(ctx context.Context, a vendors.Ask, _ vendors.Quote) (vendors.Transaction, error) {
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

func (t *translator) ask(ctx context.Context, a vendors.Ask, q url.Values) (step, error) {
	var s step
	if err := t.api.Get(ctx, "/v1/quote", q, &s); err != nil {
		return step{}, err
	}
	return s, a.Answers(s.Action.FromToken.Address, s.Action.ToToken.Address, s.Action.FromAmount.Int)
}

func query(a vendors.Ask, sender evm.Address) url.Values {
	return url.Values{
		"fromChain": {a.ChainNumber()}, "toChain": {a.ChainNumber()}, "fromToken": {token(a.From)}, "toToken": {token(a.To)},
		"fromAmount": {a.Amount.String()}, "fromAddress": {sender.String()}, "slippage": {wire.Fraction(a.SlippageBPS)}, "order": {"CHEAPEST"},
	}
}

// token spells the chain's own currency as the zero address.
func token(a evm.Address) string {
	if a == evm.Native {
		a = evm.Address{}
	}
	return a.String()
}

// explain reads the code of an error. One code stands for every parameter that is wrong; only the text tells which.
func explain(_ int, body []byte) error {
	var failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(body, &failure); err != nil {
		return nil
	}
	said := strings.ToLower(failure.Message)
	switch {
	case failure.Code == codeNoQuote:
		return vendors.ErrNoLiquidity
	case failure.Code == codeRateLimit:
		return vendors.ErrRateLimited
	case failure.Code == codeUnauthorized:
		return vendors.ErrKey
	case failure.Code == codeValidation && strings.Contains(said, "token"):
		return vendors.ErrToken
	case failure.Code == codeValidation && strings.Contains(said, "chain"):
		return vendors.ErrChain
	}
	return nil
}
