package buy

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Explain converts an error of a provider to the fault for the caller; field is the name of the amount.
func Explain(field string, err error) error {
	var known *fault.Error
	var limit *ramp.LimitError
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &limit):
		return request.Invalid(faultv1.Reason_REASON_ONRAMP_LIMIT, field, "Invalid parameter: %s", limit)
	case errors.Is(err, ramp.ErrUnsupported):
		return Unsupported("", "No provider sells this with this payment method in this country")
	}
	return fault.New(codes.Unavailable, faultv1.Reason_REASON_ONRAMP_UNAVAILABLE, "", "On-ramp provider is temporarily unavailable").Because(err)
}

// Unsupported returns the error for something that no provider sells.
func Unsupported(field, format string, args ...any) error {
	return request.Invalid(faultv1.Reason_REASON_ONRAMP_UNSUPPORTED, field, format, args...)
}

// Invalid returns the error of a parameter; wanted says what it must be.
func Invalid(field, wanted string) error {
	return request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, field, "Invalid parameter: `%s` must be %s", field, wanted)
}

func notOfChain(field string) error {
	return request.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, field, "The address provided is invalid: it is not one of the chain's")
}
