package run

import (
	"context"
	"errors"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Checks returns a readiness check that runs all given checks concurrently, so that a check that waits for a server
// does not delay the others. Its error joins their errors, in their order.
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
