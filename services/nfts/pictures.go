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
	// parallelPictures bounds how many pictures this process fetches at once.
	parallelPictures = 16
)

// ErrNoPicture means that there is no picture, or none that can be fetched and shown safely.
var ErrNoPicture = errors.New("no picture")

// images are the media types with which servers send pictures. The format is detected from the bytes.
var images = fetch.Want{MaxBytes: maxPicture, MediaTypes: []string{"image/*", "application/octet-stream", "binary/octet-stream", "text/plain", "text/xml", "application/xml"}}

// pictures loads the pictures of tokens and of URIs.
type pictures struct {
	metadata  *metadataCache
	documents *documentFetcher
	cache     *imageCache
}

func newPictures(s *metadataCache) *pictures {
	return &pictures{metadata: s, documents: newDocumentFetcher(s.documents.fetcher, s.documents.gateways, parallelPictures), cache: newImageCache()}
}

// Show returns the picture of a token. The error wraps [ErrNoPicture], wraps [ErrUnavailable] if the token's chain or the picture's server
// does not answer, or is ctx's.
func (p *pictures) Show(ctx context.Context, t Token) (picture.Picture, error) {
	if kept, known, err := p.cache.Find(t.String()); known {
		return kept, err
	}
	says, inTime := p.metadata.Read(ctx, t.Contract.ChainID, []Token{t})
	d, asked := says[t]
	switch {
	case ctx.Err() != nil:
		return picture.Picture{}, ctx.Err()
	case !inTime, !asked:
		return picture.Picture{}, ErrUnavailable
	case d == nil:
		return picture.Picture{}, ErrNoPicture
	}
	return p.cache.Open(ctx, t.String(), func(ctx context.Context) (picture.Picture, error) { return p.load(ctx, *d) })
}

// ShowURI returns the picture at a URI: http, https, ipfs, ar or data. It fails as Show does.
func (p *pictures) ShowURI(ctx context.Context, uri string) (picture.Picture, error) {
	return p.cache.Open(ctx, uri, func(ctx context.Context) (picture.Picture, error) { return p.fetch(ctx, uri) })
}

func (p *pictures) load(ctx context.Context, d metadata.Document) (picture.Picture, error) {
	if d.Drawing != "" {
		return picture.Read([]byte(d.Drawing))
	}
	return p.fetch(ctx, d.Picture)
}

func (p *pictures) fetch(ctx context.Context, uri string) (picture.Picture, error) {
	b, err := p.documents.Open(ctx, uri, images)
	if err != nil {
		return picture.Picture{}, err
	}
	return picture.Read(b)
}
