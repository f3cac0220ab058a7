package factor

import (
	"context"
	"errors"
	"fmt"

	"github.com/hawser-dev/hawser/services/platform/seal"
)

// rewrapBatch is how many factors are read at once.
const rewrapBatch = 100

// Sealed is a factor with the project of its user.
type Sealed struct {
	Factor

	Project string
}

// Rewrap seals the halves of all factors with the current key encryption key, and returns how many it changed. It can
// be repeated. Factors that cannot be opened are left as they are; the error names the first of them.
func (w *Wallets) Rewrap(ctx context.Context) (changed int, err error) {
	var last *Sealed
	var first error
	var failed int
	for {
		batch, err := w.store.ListSealed(ctx, last, rewrapBatch)
		if err != nil {
			return changed, err
		}
		if len(batch) == 0 {
			break
		}
		for _, f := range batch {
			was := f.Factor
			isNew, err := w.rewrap(ctx, f)
			if errors.Is(err, seal.ErrUnavailable) || ctx.Err() != nil {
				return changed, errors.Join(err, ctx.Err())
			}
			if err != nil {
				if failed++; first == nil {
					first = fmt.Errorf("factor %s of user %s: %w", was.ID, was.UserID, err)
				}
				continue
			}
			if !isNew {
				continue
			}
			if err := w.store.Reseal(ctx, &was, f.Half, f.Record); err != nil {
				return changed, err
			}
			changed++
		}
		last = batch[len(batch)-1]
	}
	if failed > 0 {
		return changed, fmt.Errorf("%d factors are still sealed with another key: %w", failed, first)
	}
	return changed, nil
}

// rewrap seals the values of one factor, and reports whether they changed.
func (w *Wallets) rewrap(ctx context.Context, f *Sealed) (changed bool, err error) {
	if f.Half, changed, err = w.sealer.Rewrap(ctx, f.Half, boundTo(f.Project, &f.Factor, "half")); err != nil || f.Kind != Login {
		return changed, err
	}
	var recordChanged bool
	f.Record, recordChanged, err = w.sealer.Rewrap(ctx, f.Record, boundTo(f.Project, &f.Factor, "record"))
	return changed || recordChanged, err
}
