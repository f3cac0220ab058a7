package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Errors of quotes, approvals and transactions.
var (
	// ErrUnknownSource: the source or router that a quote's id names is not configured.
	ErrUnknownSource = errors.New("the quote's source is not set up here")
	// ErrUnavailable: the chain cannot be read.
	ErrUnavailable = errors.New("no node of the chain answers")
	// ErrUnread: the chain's nodes answer, and do not say what is asked, as on a rollup whose contract for data fees fails.
	ErrUnread = errors.New("the nodes of the chain do not say")
	// ErrVendor: the source of a quote does not answer.
	ErrVendor = errors.New("the source of the quote does not answer")
	// ErrBalance: the account's balance is less than the amount.
	ErrBalance = errors.New("the account holds less than the amount")
	// ErrAllowance: the spender's allowance is less than the amount.
	ErrAllowance = errors.New("the spender may take less than the amount")
	// ErrPriceMoved: the swap would pay less than the minimum of the request.
	ErrPriceMoved = errors.New("the price moved")
	// ErrPermit: the token or the router takes no signed approvals.
	ErrPermit = errors.New("no permit is possible")
)

// UnsupportedError is the error of a chain without swaps.
type UnsupportedError struct{ ChainID string }

// Error names the chain.
func (e *UnsupportedError) Error() string { return "no swaps on " + e.ChainID }

// TakesFeeError is the error of a token that deducts a fee from transfers, so that a quote would not be paid in full.
type TakesFeeError struct {
	Token evm.Address
	// BPS is the fee in basis points.
	BPS uint32
}

// Error names the token and its fee.
func (e *TakesFeeError) Error() string {
	return fmt.Sprintf("token %s keeps %d bps of a transfer", e.Token, e.BPS)
}

// NotTokenError is the error of an address that is not an ERC-20 contract.
type NotTokenError struct {
	Token evm.Address
	Cause error
}

// Error names the address.
func (e *NotTokenError) Error() string { return fmt.Sprintf("%s is no token: %v", e.Token, e.Cause) }

// Unwrap returns the cause.
func (e *NotTokenError) Unwrap() error { return e.Cause }

// RevertsError is the error of a transaction that failed in its simulation.
type RevertsError struct{ Why string }

// Error returns the reason.
func (e *RevertsError) Error() string { return e.Why }

// tokenError turns a failed read of a contract into [ErrUnavailable] if no node answered, else into a [NotTokenError].
func tokenError(token evm.Address, err error) error {
	if isUnanswered(err) {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return &NotTokenError{token, err}
}

// readError turns a failed read into [ErrUnavailable] if no node answered, else into [ErrUnread]. Both name what was read.
func readError(what string, err error) error {
	if isUnanswered(err) {
		return fmt.Errorf("%w: %s: %w", ErrUnavailable, what, err)
	}
	return fmt.Errorf("%w the %s: %w", ErrUnread, what, err)
}

// isUnanswered reports whether an error means that no node answered.
func isUnanswered(err error) bool {
	_, unreachable := errors.AsType[*chainclient.TransportError](err)
	return unreachable || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// Refusal returns the public error for a failure that the caller can correct, and nil for any other.
func Refusal(err error) *fault.Error {
	if e, ok := errors.AsType[*UnsupportedError](err); ok {
		return request.Invalid(faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId", "Conversion parameter error: Chain ID %s is not supported", e.ChainID)
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

// parameter returns a refusal with the text that clients of the API expect.
func parameter(reason faultv1.Reason, field, format string, args ...any) *fault.Error {
	return request.Invalid(reason, field, "Conversion parameter error: "+format, args...)
}

// IsUnavailable reports whether an error is a temporary one of the chain's nodes or of this service.
func IsUnavailable(err error) bool {
	temporary := []error{context.DeadlineExceeded, ErrUnavailable, ErrUnread, ErrVendor, pools.ErrUnreachable, pools.ErrClosed}
	return slices.ContainsFunc(temporary, func(known error) bool { return errors.Is(err, known) })
}
