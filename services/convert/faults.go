package convert

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/convert/engine"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// explain returns the public error for a failure of the engine.
func explain(err error) error {
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return f
	}
	if f := engine.Refusal(err); f != nil {
		return f.Because(err)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fault.From(context.Canceled)
	case engine.IsUnavailable(err):
		return fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "The convert provider is temporarily unavailable").Because(err)
	}
	return fault.From(err)
}
