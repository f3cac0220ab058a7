package nfts

import (
	"context"
	"errors"
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
)

// ErrNoPicture says that a token has no picture, or none that can be fetched and shown safely.
var ErrNoPicture = errors.New("no picture")

// images are the media types that servers give pictures; what a picture is, its bytes say.
var images = fetch.Want{MaxBytes: maxPicture, MediaTypes: []string{"image/*", "application/octet-stream", "binary/octet-stream", "text/plain", "text/xml", "application/xml"}}

// pictures shows the pictures of tokens.
type pictures struct {
	shelf *shelf
	// kept holds no bytes for a picture that could not be shown.
	kept    *otter.Cache[Token, picture.Picture]
	flights singleflight.Group
}

func newPictures(s *shelf) *pictures {
	return &pictures{shelf: s, kept: otter.Must(&otter.Options[Token, picture.Picture]{
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

// Show returns the picture of a token. The error wraps [ErrNoPicture], or [ErrUnavailable] when the token's chain cannot be asked, or is ctx's.
func (p *pictures) Show(ctx context.Context, t Token) (picture.Picture, error) {
	if kept, ok := p.kept.GetIfPresent(t); ok {
		return shown(kept)
	}
	says, inTime := p.shelf.Read(ctx, t.Contract.ChainID, []Token{t})
	d, asked := says[t]
	switch {
	case !inTime:
		return picture.Picture{}, ctx.Err()
	case !asked:
		return picture.Picture{}, ErrUnavailable
	case d == nil:
		return picture.Picture{}, ErrNoPicture
	}
	flight := p.flights.DoChan(t.String(), func() (any, error) {
		if kept, ok := p.kept.GetIfPresent(t); ok { // a fetch ended since the caller looked
			return kept, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
		defer cancel()
		shown, err := p.load(ctx, *d)
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
	source, err := p.shelf.gateways.Locate(d.Picture, maxPicture)
	if err != nil {
		return picture.Picture{}, err
	}
	b, err := p.shelf.open(ctx, source, images)
	if err != nil {
		return picture.Picture{}, err
	}
	return picture.Read(b)
}
