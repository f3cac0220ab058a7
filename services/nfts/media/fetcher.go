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

// Open calls use with the document at a URI, while the document holds a slot and its bytes, in the turn of a caller of the party. The error is errBusy if no slot becomes free or there is no
// memory for it, errResting for a host that hung before, or that of use.
func (d *documentFetcher) Open(ctx context.Context, of *party, uri string, want fetch.Want, use func([]byte) error) error {
	if isInline(uri) {
		return d.openInline(ctx, of, uri, want, use)
	}
	source, err := d.gateways.Locate(uri, int(want.MaxBytes))
	if err != nil {
		return err
	}
	at := place{site(source.URL), source.ByGateway}
	if !at.gateway && d.resting.isResting(at.host) {
		return errResting
	}
	by, release, err := d.acquire(ctx, of, at)
	if err != nil {
		return err
	}
	defer release()
	held := d.memory.Hold(by.caller)
	defer held.Release()
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
func (d *documentFetcher) openInline(ctx context.Context, of *party, uri string, want fetch.Want, use func([]byte) error) error {
	by, release, err := d.acquire(ctx, of, place{})
	if err != nil {
		return err
	}
	defer release()
	held := d.memory.Hold(by.caller)
	defer held.Release()
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

func (d *documentFetcher) acquire(ctx context.Context, of *party, at place) (by turn, release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	return d.slots.acquire(ctx, of, at)
}
