package nfts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/nfts/picture"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

const (
	// maxPicture bounds one picture, in bytes; picturesBytes, all that are kept.
	maxPicture, picturesBytes = 8 << 20, 32 << 20
	// picturesAtOnce bounds how many pictures this process fetches at the same time.
	picturesAtOnce = 16
)

// ErrNoPicture says that a token has no picture, or none that can be fetched and shown safely.
var ErrNoPicture = errors.New("no picture")

// images are the media types that servers give pictures; what a picture is, its bytes say.
var images = fetch.Want{MaxBytes: maxPicture, MediaTypes: []string{"image/*", "application/octet-stream", "binary/octet-stream", "text/plain", "text/xml", "application/xml"}}

// pictures shows the pictures of tokens.
type pictures struct {
	shelf *shelf
	desk  *desk
	// kept holds no bytes for a picture that could not be shown.
	kept    *otter.Cache[Token, picture.Picture]
	flights singleflight.Group
}

func newPictures(s *shelf) *pictures {
	return &pictures{shelf: s, desk: newDesk(s.desk.fetcher, s.desk.gateways, picturesAtOnce), kept: otter.Must(&otter.Options[Token, picture.Picture]{
		MaximumWeight: picturesBytes,
		Weigher:       func(_ Token, p picture.Picture) uint32 { return uint32(128 + len(p.Bytes)) },
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[Token, picture.Picture]) time.Duration {
			if len(e.Value.Bytes) == 0 {
				return keepFailed
			}
			return keepRead
		}),
	})}
}

// Show returns the picture of a token. The error wraps [ErrNoPicture], or [ErrUnavailable] when the token's chain, or the picture's server,
// cannot be asked now, or is ctx's.
func (p *pictures) Show(ctx context.Context, t Token) (picture.Picture, error) {
	if kept, ok := p.kept.GetIfPresent(t); ok {
		return shown(kept)
	}
	says, inTime := p.shelf.Read(ctx, t.Contract.ChainID, []Token{t})
	d, asked := says[t]
	switch {
	case ctx.Err() != nil:
		return picture.Picture{}, ctx.Err()
	case !inTime, !asked:
		return picture.Picture{}, ErrUnavailable
	case d == nil:
		return picture.Picture{}, ErrNoPicture
	}
	flight := p.flights.DoChan(t.String(), func() (any, error) {
		if kept, ok := p.kept.GetIfPresent(t); ok { // a fetch ended since the caller looked
			return kept, nil
		}
		shown, err := p.load(context.WithoutCancel(ctx), *d)
		if errors.Is(err, errBusy) {
			return picture.Picture{}, err
		}
		if err != nil {
			shown = picture.Picture{}
		}
		p.kept.Set(t, shown)
		return shown, nil
	})
	select {
	case <-ctx.Done():
		return picture.Picture{}, ctx.Err()
	case result := <-flight:
		if result.Err != nil {
			return picture.Picture{}, fmt.Errorf("%w: %w", ErrUnavailable, result.Err)
		}
		return shown(result.Val.(picture.Picture))
	}
}

func shown(p picture.Picture) (picture.Picture, error) {
	if len(p.Bytes) == 0 {
		return picture.Picture{}, ErrNoPicture
	}
	return p, nil
}

func (p *pictures) load(ctx context.Context, d metadata.Document) (picture.Picture, error) {
	if d.Drawing != "" {
		return picture.Read([]byte(d.Drawing))
	}
	b, err := p.desk.Open(ctx, d.Picture, images)
	if err != nil {
		return picture.Picture{}, err
	}
	return picture.Read(b)
}
