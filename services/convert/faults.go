package convert

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Why there is no swap.
var (
	// ErrUnknownSource: no such source or router is set up here.
	ErrUnknownSource = errors.New("the quote's source is not set up here")
	// ErrUnavailable: the chain cannot be read.
	ErrUnavailable = errors.New("no node of the chain answers")
	// ErrBalance: the account holds less than the amount.
	ErrBalance = errors.New("the account holds less than the amount")
	// ErrAllowance: the spender may take less than the amount.
	ErrAllowance = errors.New("the spender may take less than the amount")
	// ErrPriceMoved: the swap would pay less than was promised.
	ErrPriceMoved = errors.New("the price moved")
	// ErrPermit: the token knows no permits, or the route cannot carry one.
	ErrPermit = errors.New("no permit is possible")
)

// UnsupportedError says that swaps are not supported on a chain.
type UnsupportedError struct{ ChainID string }

// Error names the chain.
func (e *UnsupportedError) Error() string { return "no swaps on " + e.ChainID }

// TakesFeeError says that a token keeps a part of what is moved, so that no quote would be paid.
type TakesFeeError struct {
	Token evm.Address
	// BPS is the part, in hundredths of a percent.
	BPS uint32
}

// Error names the token and its fee.
func (e *TakesFeeError) Error() string {
	return fmt.Sprintf("token %s keeps %d bps of a transfer", e.Token, e.BPS)
}

// NotTokenError says that an address is no ERC-20 contract.
type NotTokenError struct {
	Token evm.Address
	Cause error
}

// Error names the address.
func (e *NotTokenError) Error() string { return fmt.Sprintf("%s is no token: %v", e.Token, e.Cause) }

// Unwrap returns the cause.
func (e *NotTokenError) Unwrap() error { return e.Cause }

// RevertsError says that the transaction would fail, and why.
type RevertsError struct{ Why string }

// Error says why.
func (e *RevertsError) Error() string { return e.Why }

// explain words a failure for the caller.
func explain(err error) error {
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return f
	}
	if f := refusal(err); f != nil {
		return f.Because(err)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fault.From(context.Canceled)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrUnavailable), errors.Is(err, pools.ErrUnreachable),
		errors.Is(err, pools.ErrClosed):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "The convert provider is temporarily unavailable").Because(err)
	}
	return fault.From(err)
}

// refusal words what the caller can do something about; nil for what it cannot.
func refusal(err error) *fault.Error {
	if e, ok := errors.AsType[*UnsupportedError](err); ok {
		return apiparse.Invalid(faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId", "Conversion parameter error: Chain ID %s is not supported", e.ChainID)
	}
	if e, ok := errors.AsType[*TakesFeeError](err); ok {
		return parameter(faultv1.Reason_REASON_TOKEN_TAKES_FEE, "", "token %s keeps %d.%02d percent of what is moved, so that the quote would not be paid", e.Token, e.BPS/100, e.BPS%100)
	}
	if e, ok := errors.AsType[*NotTokenError](err); ok {
		return parameter(faultv1.Reason_REASON_CONVERSION_INVALID, "", "token %s is not supported", e.Token)
	}
	if e, ok := errors.AsType[*RevertsError](err); ok {
		return parameter(faultv1.Reason_REASON_TRANSACTION_REVERTS, "", "the transaction would fail: %s", e.Why)
	}
	for _, known := range refusals {
		if errors.Is(err, known.err) {
			return parameter(known.reason, known.field, "%s", known.text)
		}
	}
	return nil
}

var refusals = []struct {
	err    error
	reason faultv1.Reason
	field  string
	text   string
}{
	{pools.ErrUnsupported, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId", "the chain is not supported"},
	{route.ErrNoRoute, faultv1.Reason_REASON_ROUTE_ABSENT, "", "no pools lead from the sold token to the bought one"},
	{route.ErrNoLiquidity, faultv1.Reason_REASON_LIQUIDITY_INSUFFICIENT, "amount", "insufficient liquidity for the amount"},
	{route.ErrDust, faultv1.Reason_REASON_AMOUNT_INVALID, "amount", "the amount is so small that nothing is paid for it"},
	{ErrUnknownSource, faultv1.Reason_REASON_CONVERSION_INVALID, "quoteId", "the quote's source is not set up here"},
	{ErrBalance, faultv1.Reason_REASON_BALANCE_INSUFFICIENT, "amount", "insufficient balance"},
	{ErrAllowance, faultv1.Reason_REASON_ALLOWANCE_INSUFFICIENT, "amount", "insufficient allowance"},
	{ErrPriceMoved, faultv1.Reason_REASON_PRICE_MOVED, "toAmountMin", "the price moved and the swap would pay less than was promised"},
	{ErrPermit, faultv1.Reason_REASON_PERMIT_UNSUPPORTED, "from", "no permit is possible for this token and route"},
	{execution.ErrNoPermit, faultv1.Reason_REASON_PERMIT_UNSUPPORTED, "from", "no permit is possible for this token and route"},
	{execution.ErrPermitRefused, faultv1.Reason_REASON_PERMIT_UNSUPPORTED, "permit", "the route cannot carry a permit"},
}

// parameter words a refusal as clients of the API know it.
func parameter(reason faultv1.Reason, field, format string, args ...any) *fault.Error {
	return apiparse.Invalid(reason, field, "Conversion parameter error: "+format, args...)
}
