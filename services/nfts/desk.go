package nfts

import (
	"context"
	"errors"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

// turnTimeout bounds how long a document waits for its turn; how long it takes then, its fetcher bounds.
const turnTimeout = 10 * time.Second

// errBusy says that a document's turn did not come: nothing is known of it.
var errBusy = errors.New("too much is being fetched")

// Gateways answer for names of other networks.
type Gateways struct {
	metadata.Gateways
	// Own says that they are the operator's, who may have them at private addresses.
	Own bool
}

// desk gets what lies under URIs that tokens name, a bounded number at a time: that bounds the memory which strangers can fill.
type desk struct {
	fetcher  Fetcher
	gateways Gateways
	seats    chan struct{}
	// patience bounds the wait for a seat.
	patience time.Duration
}

func newDesk(fetcher Fetcher, gateways Gateways, atOnce int) *desk {
	return &desk{fetcher: fetcher, gateways: gateways, seats: make(chan struct{}, atOnce), patience: turnTimeout}
}

// Open returns the document under a URI. The error is errBusy when its turn does not come.
func (d *desk) Open(ctx context.Context, uri string, want fetch.Want) ([]byte, error) {
	source, err := d.gateways.Locate(uri, int(want.MaxBytes))
	if err != nil {
		return nil, err
	}
	if source.URL == "" {
		return source.Inline, nil
	}
	if err := d.sit(ctx); err != nil {
		return nil, err
	}
	defer func() { <-d.seats }()
	want.Operators = source.ByGateway && d.gateways.Own
	return d.fetcher.Get(ctx, source.URL, want)
}

func (d *desk) sit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	select {
	case <-ctx.Done():
		return errBusy
	case d.seats <- struct{}{}:
		return nil
	}
}
