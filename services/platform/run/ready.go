package run

import (
	"context"
	"errors"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Checks returns a readiness check that makes all of the given ones at once, so that one which waits for a server takes no time from the others. Its error
// joins theirs, in their order.
func Checks(all ...func(ctx context.Context) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		errs := make([]error, len(all))
		var checking routine.WaitGroup
		for i, check := range all {
			checking.Go(ctx, func() { errs[i] = check(ctx) }, func(err error) { errs[i] = err })
		}
		checking.Wait()
		return errors.Join(errs...)
	}
}
