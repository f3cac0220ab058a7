package media

import (
	"context"
	"errors"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// slotTimeout bounds how long a document waits for a slot; the fetcher bounds the fetch itself.
const slotTimeout = 10 * time.Second

// errBusy means that no slot became free, so nothing is known about the document.
var errBusy = errors.New("too much is being fetched")

// Gateways serve documents of IPFS and Arweave over HTTP.
type Gateways struct {
	metadata.Gateways
	// Own means that they are the operator's own and may have private addresses.
	Own bool
}

// documentFetcher fetches the documents at URIs that tokens name. The number of slots bounds the memory that untrusted documents can use.
type documentFetcher struct {
	fetcher  Fetcher
	gateways Gateways
	slots    chan struct{}
	// patience bounds the wait for a slot.
	patience time.Duration
}

func newDocumentFetcher(fetcher Fetcher, gateways Gateways, atOnce int) *documentFetcher {
	return &documentFetcher{fetcher: fetcher, gateways: gateways, slots: make(chan struct{}, atOnce), patience: slotTimeout}
}

// Open returns the document at a URI. The error is errBusy if no slot becomes free.
func (d *documentFetcher) Open(ctx context.Context, uri string, want fetch.Want) ([]byte, error) {
	source, err := d.gateways.Locate(uri, int(want.MaxBytes))
	if err != nil {
		return nil, err
	}
	if source.URL == "" {
		return source.Inline, nil
	}
	if err := d.acquire(ctx); err != nil {
		return nil, err
	}
	defer func() { <-d.slots }()
	want.Operators = source.ByGateway && d.gateways.Own
	return d.fetcher.Get(ctx, source.URL, want)
}

func (d *documentFetcher) acquire(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	select {
	case <-ctx.Done():
		return errBusy
	case d.slots <- struct{}{}:
		return nil
	}
}
