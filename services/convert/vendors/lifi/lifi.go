// Package lifi is a client of LI.FI's API: GET /v1/quote, which returns quote and transaction at once. It needs no key; a key raises the rate limit.
package lifi

import (
	"context"
	"encoding/json"
	"math/big"
	"net/http"
	"net/url"
	"strings"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/wire"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
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
		Calls:     calls(),
		New:       func(api *vendors.API) vendors.Translator { return &translator{api} },
	}
}

func header(key string) http.Header {
	if key == "" {
		return nil
	}
	return http.Header{"X-Lifi-Api-Key": {key}}
}

// The diamond's functions for swaps on one chain, and which side of each is the native currency.
const (
	swapData = "(address,address,address,address,uint256,bytes,bool)"
	one      = "(bytes32,string,string,address,uint256," + swapData + ")"
	several  = "(bytes32,string,string,address,uint256," + swapData + "[])"
)

func calls() []vendors.Call {
	all := []vendors.Call{{Function: calldata.Parse("swapTokensGeneric" + several), Terms: terms(false, nil)}}
	for name, native := range map[string][2]bool{"ERC20ToERC20": {}, "ERC20ToNative": {false, true}, "NativeToERC20": {true, false}} {
		all = append(all,
			vendors.Call{Function: calldata.Parse("swapTokensSingleV3" + name + one), Terms: terms(true, &native)},
			vendors.Call{Function: calldata.Parse("swapTokensMultipleV3" + name + several), Terms: terms(false, &native)})
	}
	return all
}

// terms returns the decoder of one function. Native says whether the sold and the bought token are the native currency; nil if the function takes any.
func terms(single bool, native *[2]bool) func(calldata.Value, *big.Int) (vendors.Terms, bool) {
	return func(v calldata.Value, value *big.Int) (vendors.Terms, bool) {
		swaps := []calldata.Value{v.At(5)}
		if !single {
			swaps = nil
			for i := range v.At(5).Len() {
				swaps = append(swaps, v.At(5).At(i))
			}
		}
		if len(swaps) == 0 {
			return vendors.Terms{}, false
		}
		from, to := swaps[0].At(2).Address(), swaps[len(swaps)-1].At(3).Address()
		amount := deposits(swaps, single, from)
		if amount != nil && isNative(from) {
			amount = value
		}
		t := vendors.Terms{From: from, To: to, Receiver: v.At(3).Address(), Amount: amount, MinOut: v.At(4).Int()}
		fits := native == nil || *native == [2]bool{isNative(from), isNative(to)}
		// The diamond pays the zero address if the receiver is zero.
		return t, amount != nil && fits && t.Receiver != (evm.Address{})
	}
}

// deposits returns the amount of the sold token that is taken; nil if another token is taken as well.
func deposits(swaps []calldata.Value, single bool, from evm.Address) *big.Int {
	sum := new(big.Int)
	for _, s := range swaps {
		if !single && !s.At(6).Bool() {
			continue
		}
		if s.At(2).Address() != from {
			return nil
		}
		sum.Add(sum, s.At(4).Int())
	}
	return sum
}

func isNative(a evm.Address) bool { return a == evm.Address{} || a == evm.Native }

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
