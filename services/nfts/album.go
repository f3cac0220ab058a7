package nfts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/nfts/picture"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// picturesBytes bounds all pictures that are kept, in bytes.
const picturesBytes = 32 << 20

// album keeps pictures, and, for a shorter time, that there is none: one without bytes.
type album struct {
	kept    *otter.Cache[string, picture.Picture]
	flights routine.Flights
}

func newAlbum() *album {
	return &album{kept: otter.Must(&otter.Options[string, picture.Picture]{
		MaximumWeight: picturesBytes,
		Weigher:       func(key string, p picture.Picture) uint32 { return uint32(128 + len(key) + len(p.Bytes)) },
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[string, picture.Picture]) time.Duration {
			if len(e.Value.Bytes) == 0 {
				return keepFailed
			}
			return keepRead
		}),
	})}
}

// Find returns what is kept under a key; the error is [ErrNoPicture] where that is nothing.
func (a *album) Find(key string) (p picture.Picture, known bool, err error) {
	kept, known := a.kept.GetIfPresent(key)
	if known && len(kept.Bytes) == 0 {
		err = ErrNoPicture
	}
	return kept, known, err
}

// Open returns the picture under a key, which load gets where it is not kept. Callers who want the same at the same time share one loading,
// which goes on when one of them leaves. The error is [ErrNoPicture], wraps [ErrUnavailable] when the picture's turn did not come, or is ctx's.
func (a *album) Open(ctx context.Context, key string, load func(context.Context) (picture.Picture, error)) (picture.Picture, error) {
	flight := a.flights.DoChan(ctx, key, func() (any, error) {
		if kept, known, err := a.Find(key); known { // a loading ended since the caller looked
			return kept, err
		}
		loaded, err := load(context.WithoutCancel(ctx))
		if errors.Is(err, errBusy) {
			return picture.Picture{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		if err != nil || len(loaded.Bytes) == 0 {
			loaded, err = picture.Picture{}, ErrNoPicture
		}
		a.kept.Set(key, loaded)
		return loaded, err
	})
	select {
	case <-ctx.Done():
		return picture.Picture{}, ctx.Err()
	case result := <-flight:
		shown, _ := result.Val.(picture.Picture)
		return shown, result.Err
	}
}
