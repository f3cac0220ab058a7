package convert

import (
	"github.com/holiman/uint256"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// usualSlippageBPS is accepted of whoever says nothing.
	usualSlippageBPS = 100
	// maxSlippageBPS is the most that may be accepted.
	maxSlippageBPS = 5000
)

// readQuotes turns a request for quotes into a swap, or says what is wrong with it.
func readQuotes(r *convertv1.ListQuotesRequest) (Swap, error) {
	for _, required := range []struct{ field, value string }{{"amount", r.GetAmount()}, {"from", r.GetFrom()}, {"to", r.GetTo()}} {
		if required.value == "" {
			return Swap{}, apiparse.Missing(required.field)
		}
	}
	s, err := readPair(r.GetFrom(), r.GetTo())
	if err != nil {
		return Swap{}, err
	}
	if s.Amount, err = readAmount("amount", r.GetAmount()); err != nil {
		return Swap{}, err
	}
	if r.GetGasPrice() != "" {
		if s.GasPrice, err = readAmount("gasPrice", r.GetGasPrice()); err != nil {
			return Swap{}, err
		}
	}
	if s.User, err = readUser(s.ChainID, r.GetUserAddress()); err != nil {
		return Swap{}, err
	}
	s.Batch, s.AnySpender, s.SlippageBPS = r.GetBatch(), r.GetSpender() != "", usualSlippageBPS
	if r.SlippageBps != nil {
		s.SlippageBPS = r.GetSlippageBps()
	}
	return s, nil
}

// readBuild turns a request for a transaction into a swap.
func readBuild(r *convertv1.BuildTransactionRequest) (s Swap, err error) {
	if s, err = readPair(r.GetFrom(), r.GetTo()); err != nil {
		return Swap{}, err
	}
	if s.Amount, err = readAmount("amount", r.GetAmount()); err != nil {
		return Swap{}, err
	}
	user, err := apiparse.AccountID("userAddress", r.GetUserAddress())
	if err != nil {
		return Swap{}, err
	}
	if user.ChainID != s.ChainID {
		return Swap{}, otherChain("userAddress")
	}
	if s.User, err = somebody(user.Address); err != nil {
		return Swap{}, err
	}
	if s.SlippageBPS, err = readSlippage(r.GetEip155()); err != nil {
		return Swap{}, err
	}
	if text := r.GetEip155().GetPermit(); text != "" {
		if s.Permit, err = execution.ParsePermit(text); err != nil {
			return Swap{}, apiparse.Invalid(faultv1.Reason_REASON_CONVERSION_INVALID, "permit", "Conversion parameter error: %s", err)
		}
	}
	if s.Only, err = readQuoteID(r.GetQuoteId()); err != nil {
		return Swap{}, err
	}
	s.Batch = r.GetBatch()
	if text := r.GetToAmountMin(); text != "" && text != nothing {
		s.Floor, err = readAmount("toAmountMin", text)
	}
	return s, err
}

// nothing is what slippage leaves of one unit, where it is rounded down.
const nothing = "0"

func readSlippage(terms *convertv1.SwapTerms) (uint32, error) {
	if terms == nil || terms.Slippage == nil && terms.SlippageBps == nil {
		return 0, apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "slippage", "slippage parameter is necessary for the swap transaction")
	}
	const bpsPerPercent = 100
	bps := uint64(terms.GetSlippage()) * bpsPerPercent
	if terms.SlippageBps != nil {
		bps = uint64(terms.GetSlippageBps())
	}
	if bps > maxSlippageBPS {
		return 0, apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "slippage", "Invalid parameter: `slippage` must be at most 50 percent")
	}
	return uint32(bps), nil
}

// readPair reads the sold and the bought token.
func readPair(from, to string) (Swap, error) {
	sold, err := apiparse.AccountID("from", from)
	if err != nil {
		return Swap{}, err
	}
	bought, err := apiparse.AccountID("to", to)
	if err != nil {
		return Swap{}, err
	}
	if sold.ChainID != bought.ChainID {
		return Swap{}, otherChain("chainId")
	}
	if sold == bought {
		return Swap{}, apiparse.Invalid(faultv1.Reason_REASON_CONVERSION_INVALID, "to", "Conversion parameter error: the sold and the bought token are the same")
	}
	return Swap{ChainID: sold.ChainID, From: sold.Address, To: bought.Address}, nil
}

func otherChain(field string) error {
	return apiparse.Invalid(faultv1.Reason_REASON_CONVERSION_INVALID, field,
		"Invalid parameter: `from` and `to` chain IDs must have the same value")
}

// readUser reads an address, or a CAIP-10 id on the chain; nothing is nobody.
func readUser(chainID, text string) (evm.Address, error) {
	if text == "" {
		return evm.Address{}, nil
	}
	if user, err := evm.ParseAddress(text); err == nil {
		return user, nil
	}
	user, err := apiparse.AccountID("userAddress", text)
	if err == nil && user.ChainID != chainID {
		err = otherChain("userAddress")
	}
	return user.Address, err
}

// somebody refuses the zero address, which nobody has the key of and which means nobody in a [Swap].
func somebody(user evm.Address) (evm.Address, error) {
	if user == (evm.Address{}) {
		return user, apiparse.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, "userAddress", "The address provided is invalid")
	}
	return user, nil
}

func readAmount(field, text string) (*uint256.Int, error) {
	n, err := apiparse.Amount(field, text)
	if err != nil {
		return nil, err
	}
	return uint256.MustFromBig(n), nil
}

// readQuoteID reads a quote's id; nothing is nil.
func readQuoteID(text string) (*SourceID, error) {
	if text == "" {
		return nil, nil
	}
	id, err := ParseSourceID(text)
	if err != nil {
		return nil, apiparse.Invalid(faultv1.Reason_REASON_CONVERSION_INVALID, "quoteId", "Conversion parameter error: the quote's id is unknown")
	}
	return &id, nil
}

// Approval is a spender's allowance that somebody wants to set.
type Approval struct {
	Token apiparse.Account
	// Bought is the token that the swap is for.
	Bought evm.Address
	Owner  evm.Address
	// Amount is in base units; nil: as much as the owner holds.
	Amount *uint256.Int
	// Only is the quote that it is for; nil: the chain's primary router.
	Only *SourceID
}

// readApproval turns a request for an approval into one.
func readApproval(r *convertv1.BuildApproveRequest) (a Approval, err error) {
	for _, required := range []struct{ field, value string }{{"from", r.GetFrom()}, {"to", r.GetTo()}} {
		if required.value == "" {
			return a, apiparse.Missing(required.field)
		}
	}
	s, err := readPair(r.GetFrom(), r.GetTo())
	if err != nil {
		return a, err
	}
	a.Token = apiparse.Account{ChainID: s.ChainID, Address: s.From}
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
		return a, apiparse.Missing("amount")
	}
	a.Only, err = readQuoteID(r.GetQuoteId())
	return a, err
}

// readPermit turns a request for a signed approval into one.
func readPermit(r *convertv1.GetPermitRequest) (a Approval, err error) {
	for _, required := range []struct{ field, value string }{{"from", r.GetFrom()}, {"amount", r.GetAmount()}, {"userAddress", r.GetUserAddress()}} {
		if required.value == "" {
			return a, apiparse.Missing(required.field)
		}
	}
	if a.Token, err = apiparse.AccountID("from", r.GetFrom()); err != nil {
		return a, err
	}
	if a.Amount, err = readAmount("amount", r.GetAmount()); err != nil {
		return a, err
	}
	if a.Owner, err = readUser(a.Token.ChainID, r.GetUserAddress()); err != nil {
		return a, err
	}
	if a.Owner, err = somebody(a.Owner); err != nil {
		return a, err
	}
	a.Only, err = readQuoteID(r.GetQuoteId())
	return a, err
}
