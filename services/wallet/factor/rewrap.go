package factor

import (
	"context"
)

// rewrapBatch is how many factors are read at once.
const rewrapBatch = 100

// Sealed is a factor with the project of its user.
type Sealed struct {
	Factor

	Project string
}

// Rewrap seals the halves of all factors with the current key encryption key, and returns how many it changed. It can be repeated.
func (w *Wallets) Rewrap(ctx context.Context) (changed int, err error) {
	var last *Sealed
	for {
		batch, err := w.store.ListSealed(ctx, last, rewrapBatch)
		if err != nil || len(batch) == 0 {
			return changed, err
		}
		for _, f := range batch {
			was := f.Factor
			isNew, err := w.rewrap(ctx, f)
			if err != nil {
				return changed, err
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
