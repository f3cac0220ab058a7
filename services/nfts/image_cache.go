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

// picturesBytes bounds the cached pictures, in bytes.
const picturesBytes = 32 << 20

// imageCache caches pictures. A picture without bytes means that there is none, which is cached for a shorter time.
type imageCache struct {
	kept    *otter.Cache[string, picture.Picture]
	flights routine.Flights
}

func newImageCache() *imageCache {
	return &imageCache{kept: otter.Must(&otter.Options[string, picture.Picture]{
		MaximumWeight: picturesBytes,
		Weigher:       func(key string, p picture.Picture) uint32 { return uint32(128 + len(key) + len(p.Bytes)) },
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[string, picture.Picture]) time.Duration {
			if len(e.Value.Bytes) == 0 {
				return failureLifetime
			}
			return readLifetime
		}),
	})}
}

// Find returns the cached picture of a key; the error is [ErrNoPicture] if it is cached that there is none.
func (a *imageCache) Find(key string) (p picture.Picture, known bool, err error) {
	kept, known := a.kept.GetIfPresent(key)
	if known && len(kept.Bytes) == 0 {
		err = ErrNoPicture
	}
	return kept, known, err
}

// Open returns the picture of a key, and loads it if it is not cached. Concurrent callers share one load, which continues when one of them
// leaves. The error is [ErrNoPicture], wraps [ErrUnavailable] if too many pictures are being fetched, or is ctx's.
func (a *imageCache) Open(ctx context.Context, key string, load func(context.Context) (picture.Picture, error)) (picture.Picture, error) {
	flight := a.flights.DoChan(ctx, key, func() (any, error) {
		if kept, known, err := a.Find(key); known { // another load has just ended
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
