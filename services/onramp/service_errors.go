package onramp

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/ramp"
)

// explain converts an error of a provider to the fault that the caller gets; field is the name of the amount.
func explain(field string, err error) error {
	var known *fault.Error
	var limit *ramp.LimitError
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &limit):
		return apiparse.Invalid(faultv1.Reason_REASON_ONRAMP_LIMIT, field, "Invalid parameter: %s", limit)
	case errors.Is(err, ramp.ErrUnsupported):
		return unsupported("", "Nobody here sells that, there, for this way of paying")
	}
	return fault.New(codes.Unavailable, faultv1.Reason_REASON_ONRAMP_UNAVAILABLE, "", "On-ramp provider is temporarily unavailable").Because(err)
}

func unknownProvider(name string) error {
	return apiparse.Invalid(faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "Provider %s is not supported", clip(name))
}

func unknownOrder() error {
	return fault.New(codes.NotFound, faultv1.Reason_REASON_ORDER_UNKNOWN, "id", "There is no such order")
}
