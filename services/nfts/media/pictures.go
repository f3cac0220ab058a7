package media

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/nfts/picture"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// picturesBytes bounds the cached pictures, in bytes.
const picturesBytes = 32 << 20

// imageCache caches pictures. A picture without bytes records that there is no picture; it is cached for a shorter
// time.
type imageCache struct {
	kept    *cache.Cache[string, picture.Picture]
	flights *flights[picture.Picture]
}

func newImageCache() *imageCache {
	return &imageCache{flights: newFlights[picture.Picture](), kept: cache.New(cache.Options[string, picture.Picture]{
		MaxWeight: picturesBytes,
		Weigh:     func(key string, p picture.Picture) uint32 { return uint32(128 + len(key) + len(p.Bytes)) },
		LifetimeOf: func(p picture.Picture) time.Duration {
			if len(p.Bytes) == 0 {
				return failureLifetime
			}
			return readLifetime
		},
	})}
}

// find returns the cached picture of a key; the error is [ErrNoPicture] if it is cached that there is none.
func (a *imageCache) find(key string) (p picture.Picture, known bool, err error) {
	kept, known := a.kept.Get(key)
	if known && len(kept.Bytes) == 0 {
		err = ErrNoPicture
	}
	return kept, known, err
}

// Open returns the picture of a key, and loads it if it is not cached. Concurrent callers share one load, which ends when none of them waits. The error
// is [ErrNoPicture], wraps [ErrUnavailable] if too many pictures are being fetched, or is that of ctx.
func (a *imageCache) Open(ctx context.Context, key string, by turn, load func(context.Context, *party) (picture.Picture, error)) (picture.Picture, error) {
	if kept, known, err := a.find(key); known {
		return kept, err
	}
	return a.flights.do(ctx, key, by, func(ctx context.Context, of *party) (picture.Picture, error) {
		if kept, known, err := a.find(key); known { // another load has just ended
			return kept, err
		}
		loaded, err := load(ctx, of)
		if errors.Is(err, errBusy) || ctx.Err() != nil {
			return picture.Picture{}, fmt.Errorf("%w: %w", ErrUnavailable, errBusy)
		}
		if err != nil || len(loaded.Bytes) == 0 {
			loaded, err = picture.Picture{}, ErrNoPicture
		}
		a.kept.Set(key, loaded)
		return loaded, err
	})
}

const (
	// maxPicture bounds one picture, in bytes.
	maxPicture = 8 << 20
	// parallelPictures bounds how many pictures this process fetches at once.
	parallelPictures = 16
)

// ErrNoPicture means that there is no picture, or that it cannot be fetched and shown safely.
var ErrNoPicture = errors.New("no picture")

// images are the media types with which servers send pictures. The format is detected from the bytes.
var images = fetch.Want{MaxBytes: maxPicture, MediaTypes: []string{"image/*", "application/octet-stream", "binary/octet-stream", "text/plain", "text/xml", "application/xml"}}

// Pictures loads the pictures of tokens and of URIs.
type Pictures struct {
	Metadata  *Metadata
	documents *documentFetcher
	cache     *imageCache
}

// NewPictures returns an empty cache.
func NewPictures(s *Metadata) *Pictures {
	return &Pictures{Metadata: s, documents: newDocumentFetcher(s.documents.fetcher, s.documents.gateways, s.documents.memory, parallelPictures), cache: newImageCache()}
}

// Show returns the picture of a token, and the metadata that names it, which may be up to [readLifetime] old. The error
// wraps [ErrNoPicture], also if the picture's server does not answer, wraps [ErrUnavailable] if the token's chain does
// not answer or too much is being fetched, or is that of ctx.
func (p *Pictures) Show(ctx context.Context, t asset.Token) (picture.Picture, *metadata.Document, error) {
	documents, inTime := p.Metadata.Read(ctx, t.Contract.ChainID, []asset.Token{t})
	d, found := documents[t]
	switch {
	case ctx.Err() != nil:
		return picture.Picture{}, nil, ctx.Err()
	case !inTime, !found:
		return picture.Picture{}, nil, ErrUnavailable
	case d == nil:
		return picture.Picture{}, nil, ErrNoPicture
	}
	shown, err := p.show(ctx, *d)
	return shown, d, err
}

// ShowURI returns the picture at a URI: http, https, ipfs, ar or data. It returns the errors of Show.
func (p *Pictures) ShowURI(ctx context.Context, uri string) (picture.Picture, error) {
	return p.show(ctx, metadata.Document{Picture: uri})
}

// show returns the picture of a document. It is cached by its source, because the document of a token may change.
func (p *Pictures) show(ctx context.Context, d metadata.Document) (picture.Picture, error) {
	source := sha256.Sum256([]byte(d.Picture + "\x00" + d.Drawing))
	by := turnOf(ctx)
	by.listing = nil
	if _, known, _ := p.cache.find(string(source[:])); !known && d.Drawing == "" && p.documents.skips(by, d.Picture) {
		return picture.Picture{}, ErrNoPicture
	}
	return p.cache.Open(ctx, string(source[:]), by, func(ctx context.Context, of *party) (picture.Picture, error) {
		return p.load(ctx, of, d)
	})
}

func (p *Pictures) load(ctx context.Context, of *party, d metadata.Document) (picture.Picture, error) {
	if d.Drawing != "" {
		return picture.Read([]byte(d.Drawing))
	}
	var shown picture.Picture
	err := p.documents.Open(ctx, of, d.Picture, images, func(b []byte) (err error) {
		shown, err = picture.Read(b)
		return err
	})
	return shown, err
}
