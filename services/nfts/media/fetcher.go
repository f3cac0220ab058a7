package media

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// slotTimeout bounds how long a document waits for a slot; the fetcher bounds the fetch itself.
const slotTimeout = 10 * time.Second

// errBusy means that no slot became free, or that too many bytes are in work, so nothing is known about the document.
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
	slots    *slots
	resting  resting
	memory   *limit.Memory
	// patience bounds the wait for a slot.
	patience time.Duration
}

func newDocumentFetcher(fetcher Fetcher, gateways Gateways, memory *limit.Memory, atOnce int) *documentFetcher {
	return &documentFetcher{fetcher: fetcher, gateways: gateways, slots: newSlots(atOnce, slotsPerListing), resting: newResting(), memory: memory, patience: slotTimeout}
}

// Open calls use with the document at a URI, while the document holds a slot and its bytes. The error is errBusy if no slot becomes free or there is no
// memory for it, errResting for a host that hung before, or that of use.
func (d *documentFetcher) Open(ctx context.Context, by turn, uri string, want fetch.Want, use func([]byte) error) error {
	held := d.memory.Hold(by.caller)
	defer held.Release()
	if isInline(uri) {
		return d.openInline(ctx, by, uri, want, held, use)
	}
	source, err := d.gateways.Locate(uri, int(want.MaxBytes))
	if err != nil {
		return err
	}
	at := place{site(source.URL), source.ByGateway}
	if !at.gateway && d.resting.isResting(at.host) {
		return errResting
	}
	release, err := d.acquire(ctx, by, at)
	if err != nil {
		return err
	}
	defer release()
	want.Operators = source.ByGateway && d.gateways.Own
	want.Held = held
	document, err := d.fetcher.Get(ctx, source.URL, want)
	if ctx.Err() == nil {
		d.resting.record(at.host, errors.Is(err, context.DeadlineExceeded))
	}
	if errors.Is(err, limit.ErrMemory) {
		return errBusy
	}
	if err != nil {
		return err
	}
	return use(document)
}

// openInline decodes the document in a URI.
func (d *documentFetcher) openInline(ctx context.Context, by turn, uri string, want fetch.Want, held *limit.Bytes, use func([]byte) error) error {
	release, err := d.acquire(ctx, by, place{})
	if err != nil {
		return err
	}
	defer release()
	if held.Grow(int64(len(uri))) != nil {
		return errBusy
	}
	source, err := d.gateways.Locate(uri, int(want.MaxBytes))
	if err != nil {
		return err
	}
	return use(source.Inline)
}

// isInline reports whether a URI is of the scheme data.
func isInline(uri string) bool {
	scheme, _, _ := strings.Cut(strings.TrimSpace(uri), ":")
	return strings.EqualFold(scheme, "data")
}

func (d *documentFetcher) acquire(ctx context.Context, by turn, at place) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	return d.slots.acquire(ctx, by, at)
}
