package limit

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// From returns the caller of a call; false for the suite's own calls.
func From(ctx context.Context) (Caller, bool) {
	from := caller.From(ctx)
	return CallerOf(from.Project, from.Address), from != caller.Caller{}
}

// Spend takes 1 from a rate of the caller, or returns [Refusal]; what is the plural noun of what is limited. The
// suite's own calls are not limited.
func Spend(ctx context.Context, l Limiter, r Rate, what string) error {
	c, known := From(ctx)
	if !known {
		return nil
	}
	if delay := l.Take(ctx, c, r, 1); delay > 0 {
		return Refusal(what, delay)
	}
	return nil
}

// Acquire holds 1 of a share for the caller until release is called. It fails with RESOURCE_EXHAUSTED; what is the
// plural noun of what is limited.
func Acquire(ctx context.Context, l Limiter, s Share, what string) (release func(), err error) {
	c, _ := From(ctx)
	release, ok := l.Hold(ctx, c, s, 1)
	if !ok {
		return nil, fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "Too many %s at once. Try again later", what)
	}
	return release, nil
}

// Refusal returns the error of a caller over a rate; what is the plural noun of what is limited, delay how long to
// wait.
func Refusal(what string, delay time.Duration) *fault.Error {
	f := fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "Too many %s. Try again at %d", what, time.Now().Add(delay).Unix()+1)
	f.RetryAfter = delay
	return f
}
