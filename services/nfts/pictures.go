package nfts

import (
	"context"
	"errors"

	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/nfts/picture"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

const (
	// maxPicture bounds one picture, in bytes.
	maxPicture = 8 << 20
	// picturesAtOnce bounds how many pictures this process fetches at the same time.
	picturesAtOnce = 16
)

// ErrNoPicture says that there is no picture, or none that can be fetched and shown safely.
var ErrNoPicture = errors.New("no picture")

// images are the media types that servers give pictures; what a picture is, its bytes say.
var images = fetch.Want{MaxBytes: maxPicture, MediaTypes: []string{"image/*", "application/octet-stream", "binary/octet-stream", "text/plain", "text/xml", "application/xml"}}

// pictures shows the pictures of tokens, and what lies under other URIs.
type pictures struct {
	shelf *shelf
	desk  *desk
	album *album
}

func newPictures(s *shelf) *pictures {
	return &pictures{shelf: s, desk: newDesk(s.desk.fetcher, s.desk.gateways, picturesAtOnce), album: newAlbum()}
}

// Show returns the picture of a token. The error wraps [ErrNoPicture], or [ErrUnavailable] when the token's chain, or the picture's server,
// cannot be asked now, or is ctx's.
func (p *pictures) Show(ctx context.Context, t Token) (picture.Picture, error) {
	if kept, known, err := p.album.Find(t.String()); known {
		return kept, err
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
	return p.album.Open(ctx, t.String(), func(ctx context.Context) (picture.Picture, error) { return p.load(ctx, *d) })
}

// ShowURI returns the picture under a URI: http, https, ipfs, ar or data. It fails as Show does.
func (p *pictures) ShowURI(ctx context.Context, uri string) (picture.Picture, error) {
	return p.album.Open(ctx, uri, func(ctx context.Context) (picture.Picture, error) { return p.fetch(ctx, uri) })
}

func (p *pictures) load(ctx context.Context, d metadata.Document) (picture.Picture, error) {
	if d.Drawing != "" {
		return picture.Read([]byte(d.Drawing))
	}
	return p.fetch(ctx, d.Picture)
}

func (p *pictures) fetch(ctx context.Context, uri string) (picture.Picture, error) {
	b, err := p.desk.Open(ctx, uri, images)
	if err != nil {
		return picture.Picture{}, err
	}
	return picture.Read(b)
}
