package convert

import (
	"github.com/holiman/uint256"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/convert/engine"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
)

const (
	// maxSlippageBPS is the largest slippage of a request, in basis points.
	maxSlippageBPS = 5000
	// permit2Spender is the spender of requests for quotes by callers that also sign permits of Permit2.
	permit2Spender = "permit2"
)

// readQuotes parses a request for quotes.
func readQuotes(r *convertv1.ListQuotesRequest) (engine.Swap, error) {
	for _, required := range []struct{ field, value string }{{"amount", r.GetAmount()}, {"from", r.GetFrom()}, {"to", r.GetTo()}} {
		if required.value == "" {
			return engine.Swap{}, request.Missing(required.field)
		}
	}
	s, err := readPair(r.GetFrom(), r.GetTo())
	if err != nil {
		return engine.Swap{}, err
	}
	if s.Amount, err = readAmount("amount", r.GetAmount()); err != nil {
		return engine.Swap{}, err
	}
	if r.GetGasPrice() != "" {
		if s.GasPrice, err = readAmount("gasPrice", r.GetGasPrice()); err != nil {
			return engine.Swap{}, err
		}
	}
	if s.User, err = readUser(s.ChainID, r.GetUserAddress()); err != nil {
		return engine.Swap{}, err
	}
	s.Batch, s.AnySpender, s.Permit2 = r.GetBatch(), r.GetSpender() != "", r.GetSpender() == permit2Spender
	s.SlippageBPS = engine.DefaultSlippageBPS
	if r.SlippageBps != nil {
		s.SlippageBPS = r.GetSlippageBps()
	}
	return s, nil
}

// readBuild parses a request for a transaction.
func readBuild(r *convertv1.BuildTransactionRequest) (s engine.Swap, err error) {
	if s, err = readPair(r.GetFrom(), r.GetTo()); err != nil {
		return engine.Swap{}, err
	}
	if s.Amount, err = readAmount("amount", r.GetAmount()); err != nil {
		return engine.Swap{}, err
	}
	user, err := request.AccountID("userAddress", r.GetUserAddress())
	if err != nil {
		return engine.Swap{}, err
	}
	if user.ChainID != s.ChainID {
		return engine.Swap{}, otherChain("userAddress")
	}
	if s.User, err = nonzero(user.Address); err != nil {
		return engine.Swap{}, err
	}
	if s.SlippageBPS, err = readSlippage(r.GetEip155()); err != nil {
		return engine.Swap{}, err
	}
	if text := r.GetEip155().GetPermit(); text != "" {
		if s.Permit, err = execution.ParsePermit(text); err != nil {
			return engine.Swap{}, request.Invalid(faultv1.Reason_REASON_CONVERSION_INVALID, "permit", "Conversion parameter error: %s", err)
		}
	}
	if s.Only, err = readQuoteID(r.GetQuoteId()); err != nil {
		return engine.Swap{}, err
	}
	s.Batch = r.GetBatch()
	if text := r.GetToAmountMin(); text != "" && text != nothing {
		s.Floor, err = readAmount("toAmountMin", text)
	}
	return s, err
}

// nothing is a minimum of zero. Clients send it that round down the minimum of one base unit. It is treated as absent.
const nothing = "0"

func readSlippage(terms *convertv1.SwapTerms) (uint32, error) {
	if terms == nil || terms.Slippage == nil && terms.SlippageBps == nil {
		return 0, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "slippage", "slippage parameter is necessary for the swap transaction")
	}
	const bpsPerPercent = 100
	bps := uint64(terms.GetSlippage()) * bpsPerPercent
	if terms.SlippageBps != nil {
		bps = uint64(terms.GetSlippageBps())
	}
	if bps > maxSlippageBPS {
		return 0, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "slippage", "Invalid parameter: `slippage` must be at most 50 percent")
	}
	return uint32(bps), nil
}

// readPair parses the CAIP-10 ids of the sold and the bought token.
func readPair(from, to string) (engine.Swap, error) {
	sold, err := request.AccountID("from", from)
	if err != nil {
		return engine.Swap{}, err
	}
	bought, err := request.AccountID("to", to)
	if err != nil {
		return engine.Swap{}, err
	}
	if sold.ChainID != bought.ChainID {
		return engine.Swap{}, otherChain("chainId")
	}
	if sold == bought {
		return engine.Swap{}, request.Invalid(faultv1.Reason_REASON_CONVERSION_INVALID, "to", "Conversion parameter error: the sold and the bought token are the same")
	}
	return engine.Swap{ChainID: sold.ChainID, From: sold.Address, To: bought.Address}, nil
}

func otherChain(field string) error {
	return request.Invalid(faultv1.Reason_REASON_CONVERSION_INVALID, field,
		"Invalid parameter: `from` and `to` chain IDs must have the same value")
}

// readUser parses an address, or a CAIP-10 id on the chain; an empty text is the zero address.
func readUser(chainID, text string) (evm.Address, error) {
	if text == "" {
		return evm.Address{}, nil
	}
	if user, err := evm.ParseAddress(text); err == nil {
		return user, nil
	}
	user, err := request.AccountID("userAddress", text)
	if err == nil && user.ChainID != chainID {
		err = otherChain("userAddress")
	}
	return user.Address, err
}

// nonzero refuses the zero address, which means no account in an [engine.Swap].
func nonzero(user evm.Address) (evm.Address, error) {
	if user == (evm.Address{}) {
		return user, request.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, "userAddress", "The address provided is invalid")
	}
	return user, nil
}

func readAmount(field, text string) (*uint256.Int, error) {
	n, err := request.Amount(field, text)
	if err != nil {
		return nil, err
	}
	return uint256.MustFromBig(n), nil
}

// readQuoteID parses a quote's id; nil for an empty text.
func readQuoteID(text string) (*engine.SourceID, error) {
	if text == "" {
		return nil, nil
	}
	id, err := engine.ParseSourceID(text)
	if err != nil {
		return nil, request.Invalid(faultv1.Reason_REASON_CONVERSION_INVALID, "quoteId", "Conversion parameter error: the quote's id is unknown")
	}
	return &id, nil
}

// readApproval parses a request for an approval.
func readApproval(r *convertv1.BuildApproveRequest) (a engine.Approval, err error) {
	for _, required := range []struct{ field, value string }{{"from", r.GetFrom()}, {"to", r.GetTo()}} {
		if required.value == "" {
			return a, request.Missing(required.field)
		}
	}
	s, err := readPair(r.GetFrom(), r.GetTo())
	if err != nil {
		return a, err
	}
	a.Token = request.Account{ChainID: s.ChainID, Address: s.From}
	a.Bought = s.To
	if r.GetAmount() != "" {
		if a.Amount, err = readAmount("amount", r.GetAmount()); err != nil {
			return a, err
		}
	}
	if a.Owner, err = readUser(s.ChainID, r.GetUserAddress()); err != nil {
		return a, err
	}
	if a.Amount == nil && a.Owner == (evm.Address{}) {
		return a, request.Missing("amount")
	}
	a.Only, err = readQuoteID(r.GetQuoteId())
	return a, err
}

// readPermit parses a request for a signed approval.
func readPermit(r *convertv1.GetPermitRequest) (a engine.Approval, err error) {
	for _, required := range []struct{ field, value string }{{"from", r.GetFrom()}, {"amount", r.GetAmount()}, {"userAddress", r.GetUserAddress()}} {
		if required.value == "" {
			return a, request.Missing(required.field)
		}
	}
	if a.Token, err = request.AccountID("from", r.GetFrom()); err != nil {
		return a, err
	}
	if a.Amount, err = readAmount("amount", r.GetAmount()); err != nil {
		return a, err
	}
	if a.Owner, err = readUser(a.Token.ChainID, r.GetUserAddress()); err != nil {
		return a, err
	}
	if a.Owner, err = nonzero(a.Owner); err != nil {
		return a, err
	}
	a.Only, err = readQuoteID(r.GetQuoteId())
	return a, err
}
