package media

import (
	"context"
	"errors"
	"net/url"
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
	resting  *resting
	memory   *limit.Memory
	// patience bounds the wait for a slot.
	patience time.Duration
}

func newDocumentFetcher(fetcher Fetcher, gateways Gateways, memory *limit.Memory, atOnce int) *documentFetcher {
	return &documentFetcher{fetcher: fetcher, gateways: gateways, slots: newSlots(atOnce, slotsPerListing), resting: newResting(), memory: memory, patience: slotTimeout}
}

// Open calls use with the document at a URI, while the document holds a slot and its bytes, in the turn of a caller of the party. The error is errBusy if no slot becomes free or there is no
// memory for it, or that of use.
func (d *documentFetcher) Open(ctx context.Context, of *party, uri string, want fetch.Want, use func([]byte) error) error {
	if isInline(uri) {
		return d.openInline(ctx, of, uri, want, use)
	}
	source, err := d.gateways.Locate(uri, int(want.MaxBytes))
	if err != nil {
		return err
	}
	at, rests, err := d.place(source)
	if err != nil {
		return err
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
	begun := d.resting.now()
	document, err := d.fetcher.Get(ctx, source.URL, want)
	hangs := errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil && d.resting.now().Sub(begun) >= hangsAfter
	if hangs || ctx.Err() == nil {
		d.resting.record(by.caller, rests, hangs)
	}
	if errors.Is(err, limit.ErrMemory) {
		return errBusy
	}
	if err != nil {
		return err
	}
	return use(document)
}

// skips reports whether the document at a URI is not fetched for a caller because its source hung before.
func (d *documentFetcher) skips(by turn, uri string) bool {
	if isInline(uri) {
		return false
	}
	source, err := d.gateways.Locate(uri, 0)
	if err != nil {
		return false
	}
	_, rests, err := d.place(source)
	return err == nil && d.resting.skip(by.caller, rests)
}

// place returns the place of a source, and what rests if it hangs; empty if nothing does.
func (d *documentFetcher) place(source metadata.Source) (at place, rests string, err error) {
	u, err := url.Parse(source.URL)
	if err != nil {
		return place{}, "", err
	}
	if _, isContent := contentID(u); isContent || !source.ByGateway {
		rests = restSource(u)
	}
	return place{site(u), source.ByGateway}, rests, nil
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
