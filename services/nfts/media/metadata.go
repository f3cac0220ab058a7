package media

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// readLifetime is how long metadata is cached, and failureLifetime how long a failure to read it.
	readLifetime, failureLifetime = time.Hour, time.Minute
	// metadataBytes bounds the cached metadata, in bytes.
	metadataBytes = 16 << 20
	// maxDocument bounds one document, in bytes; pictures may be in it.
	maxDocument = 1 << 20
	// urisPerRequest is how many metadata URIs one request reads. parallelRequests bounds the requests of this process at once, because each answer may be
	// as long as a node's answers can be.
	urisPerRequest, parallelRequests = 20, 6
	// partsPerListing bounds of how many requests the documents are read at once.
	partsPerListing = 8
	// parallelDocuments bounds how many documents this process fetches at once.
	parallelDocuments = 32
	// listingBytes bounds what one listing reads, in bytes: URIs, and documents that were not cached. More is read by the next listing.
	listingBytes = 8 << 20
)

// documents are the media types with which servers send metadata.
var documents = fetch.Want{MaxBytes: maxDocument, MediaTypes: []string{
	"application/json", "application/octet-stream", "binary/octet-stream", "application/ld+json", "text/plain", "text/json",
}}

// Metadata caches the metadata of tokens, and reads it if it is absent.
type Metadata struct {
	reader    Reader
	documents *documentFetcher

	// Kept caches metadata. Its value is nil if the metadata could not be read.
	Kept    *cache.Cache[asset.Token, *metadata.Document]
	flights *flights[*metadata.Document]
	// requests are those for URIs.
	requests *slots
}

// NewMetadata returns an empty cache. What is read takes its bytes from memory; if it is nil, they have no limit.
func NewMetadata(reader Reader, fetcher Fetcher, gateways Gateways, memory *limit.Memory) *Metadata {
	return &Metadata{
		reader: reader, documents: newDocumentFetcher(fetcher, gateways, memory, parallelDocuments),
		flights: newFlights[*metadata.Document](), requests: newSlots(parallelRequests, requestsPerListing),
		Kept: cache.New(cache.Options[asset.Token, *metadata.Document]{
			MaxWeight: metadataBytes,
			Weigh:     func(_ asset.Token, d *metadata.Document) uint32 { return weigh(d) },
			LifetimeOf: func(d *metadata.Document) time.Duration {
				if d == nil {
					return failureLifetime
				}
				return readLifetime
			},
		}),
	}
}

// weigh returns approximately how many bytes an entry takes.
func weigh(d *metadata.Document) uint32 {
	const entry = 256
	if d == nil {
		return entry
	}
	n := entry + len(d.Name) + len(d.Description) + len(d.Picture) + len(d.Drawing)
	for _, t := range d.Traits {
		n += len(t.Name) + len(t.Value)
	}
	return uint32(n)
}

// reading is the metadata of the tokens of one listing.
type reading struct {
	*Metadata

	chainID string
	by      turn

	mu        sync.Mutex
	documents map[asset.Token]*metadata.Document
	// bytes is what was read, and late is set if something was left out.
	bytes int
	late  bool
}

// Read returns the metadata of tokens of one chain: nil for a token whose metadata cannot be read. A token is missing
// if no node answered for it, if ctx ended, or if it is too much for one listing; inTime reports that the latter two did not happen. A fetch in progress
// continues for a short while after ctx ends, for later callers.
func (s *Metadata) Read(ctx context.Context, chainID string, tokens []asset.Token) (documents map[asset.Token]*metadata.Document, inTime bool) {
	r := &reading{Metadata: s, chainID: chainID, by: turnOf(ctx), documents: map[asset.Token]*metadata.Document{}}
	var unknown []asset.Token
	for _, t := range tokens {
		if d, ok := s.Kept.Get(t); ok {
			r.documents[t] = d
			continue
		}
		unknown = append(unknown, t)
	}
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(partsPerListing)
	for part := range slices.Chunk(unknown, urisPerRequest) {
		g.Go(func() error { r.read(ctx, part); return nil })
	}
	_ = g.Wait()
	return r.documents, !r.late && ctx.Err() == nil
}

// spend takes bytes from the budget of the listing; false if it was used up before.
func (r *reading) spend(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := r.bytes < listingBytes
	r.bytes += n
	r.late = r.late || !left
	return left
}

// read reads the URIs of some tokens, and then the document of each. If the URIs cannot be read at once they are read in halves, so that a contract
// which returns too much fails alone.
func (r *reading) read(ctx context.Context, tokens []asset.Token) {
	held := r.Metadata.documents.memory.Hold(r.by.caller)
	defer held.Release()
	uris, err := r.uris(ctx, tokens, held)
	switch {
	case errors.Is(err, errBusy), errors.Is(err, limit.ErrMemory):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.late = true
	case err != nil && (len(tokens) == 1 || ctx.Err() != nil):
	case err != nil:
		held.Release()
		half := len(tokens) / 2
		r.read(ctx, tokens[:half])
		r.read(ctx, tokens[half:])
	default:
		r.open(ctx, tokens, uris)
	}
}

// uris reads the metadata URIs of tokens; empty if the contract returns none.
func (r *reading) uris(ctx context.Context, tokens []asset.Token, held *limit.Bytes) ([]string, error) {
	_, release, err := r.requests.acquire(ctx, newParty(r.by), place{})
	if err != nil {
		return nil, err
	}
	defer release()
	if !r.spend(0) {
		return nil, errBusy
	}
	calls := make([]evm.Call, len(tokens))
	for i, t := range tokens {
		calls[i] = evm.Call{To: t.Contract.Address, Data: uriCall(t)}
	}
	answers, err := r.reader.CallEach(ctx, r.chainID, calls, held)
	if err != nil {
		return nil, err
	}
	uris, size := make([]string, len(tokens)), 0
	for i, a := range answers {
		uris[i] = string(a.Bytes())
		size += len(uris[i])
	}
	r.spend(size)
	held.Release()
	return uris, held.Grow(int64(size))
}

// open reads the documents of tokens at their URIs.
func (r *reading) open(ctx context.Context, tokens []asset.Token, uris []string) {
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(slotsPerListing)
	for i, t := range tokens {
		g.Go(func() error {
			d, err := r.document(ctx, r.by, t, uris[i])
			r.mu.Lock()
			defer r.mu.Unlock()
			if err != nil {
				r.late = true
				return nil
			}
			r.bytes += int(weigh(d))
			r.documents[t] = d
			return nil
		})
	}
	_ = g.Wait()
}

var (
	tokenURI = evm.Selector("tokenURI(uint256)")
	uri      = evm.Selector("uri(uint256)")
)

func uriCall(t asset.Token) []byte {
	if t.Contract.Standard == asset.ERC721 {
		return append(append([]byte{}, tokenURI...), t.ID[:]...)
	}
	return append(append([]byte{}, uri...), t.ID[:]...)
}

// document returns the metadata of a token at a URI: nil if it cannot be read or its source rests, an error if ctx ends first. Concurrent
// callers share one fetch, which ends when none of them waits.
func (s *Metadata) document(ctx context.Context, by turn, t asset.Token, uri string) (*metadata.Document, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.documents.skips(by, uri) {
		return nil, nil
	}
	return s.flights.do(ctx, t.String(), by, func(ctx context.Context, of *party) (*metadata.Document, error) {
		if d, ok := s.Kept.Get(t); ok { // another fetch has just ended
			return d, nil
		}
		d, err := s.load(ctx, of, t, uri)
		if errors.Is(err, errBusy) || ctx.Err() != nil {
			return nil, errBusy
		}
		if err != nil {
			d = nil
		}
		s.Kept.Set(t, d)
		return d, nil
	})
}

func (s *Metadata) load(ctx context.Context, of *party, t asset.Token, uri string) (*metadata.Document, error) {
	uri, err := forToken(t, uri)
	if err != nil {
		return nil, err
	}
	var d metadata.Document
	err = s.documents.Open(ctx, of, uri, documents, func(text []byte) (err error) {
		d, err = metadata.Parse(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.Picture, err = forToken(t, d.Picture)
	return &d, err
}

// forToken returns the URI of a token's document or picture: the standard of ERC-1155 has a place for the id in both.
func forToken(t asset.Token, uri string) (string, error) {
	if t.Contract.Standard != asset.ERC1155 {
		return uri, nil
	}
	return metadata.ForToken(uri, t.ID.Int(), maxDocument)
}
