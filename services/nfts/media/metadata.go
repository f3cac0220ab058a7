package media

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// readLifetime is how long metadata is cached, and failureLifetime how long a failure to read it.
	readLifetime, failureLifetime = time.Hour, time.Minute
	// metadataBytes bounds the cached metadata, in bytes.
	metadataBytes = 16 << 20
	// maxDocument bounds one document, in bytes; pictures may be in it.
	maxDocument = 1 << 20
	// urisPerRequest is how many metadata URIs one request reads; parallelRequests bounds the requests at once.
	urisPerRequest, parallelRequests = 20, 4
	// parallelDocuments bounds how many documents this process fetches at once.
	parallelDocuments = 32
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
	flights routine.Flights
}

// NewMetadata returns an empty cache.
func NewMetadata(reader Reader, fetcher Fetcher, gateways Gateways) *Metadata {
	return &Metadata{
		reader: reader, documents: newDocumentFetcher(fetcher, gateways, parallelDocuments),
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

// Read returns the metadata of tokens of one chain: nil for a token whose metadata cannot be read. A token is missing
// if no node answered for it or if ctx ended; inTime reports that ctx did not end. A fetch in progress continues after
// ctx ends, for later callers.
func (s *Metadata) Read(ctx context.Context, chainID string, tokens []asset.Token) (documents map[asset.Token]*metadata.Document, inTime bool) {
	documents = map[asset.Token]*metadata.Document{}
	var unknown []asset.Token
	for _, t := range tokens {
		if d, ok := s.Kept.Get(t); ok {
			documents[t] = d
			continue
		}
		unknown = append(unknown, t)
	}
	var mu sync.Mutex
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(parallelDocuments)
	inTime = true
	for t, uri := range s.uris(ctx, chainID, unknown) {
		g.Go(func() error {
			d, err := s.document(ctx, t, uri)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				inTime = false
				return nil
			}
			documents[t] = d
			return nil
		})
	}
	_ = g.Wait()
	return documents, inTime && ctx.Err() == nil
}

// uris reads the metadata URIs of tokens; empty if the contract returns none, and missing if no node answered.
func (s *Metadata) uris(ctx context.Context, chainID string, tokens []asset.Token) map[asset.Token]string {
	uris := map[asset.Token]string{}
	var mu sync.Mutex
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(parallelRequests)
	for part := range slices.Chunk(tokens, urisPerRequest) {
		g.Go(func() error {
			found := s.readURIs(ctx, chainID, part)
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(uris, found)
			return nil
		})
	}
	_ = g.Wait()
	return uris
}

// readURIs makes one request. If it fails, it is retried in halves, so that a contract which returns too much fails alone.
func (s *Metadata) readURIs(ctx context.Context, chainID string, tokens []asset.Token) map[asset.Token]string {
	calls := make([]evm.Call, len(tokens))
	for i, t := range tokens {
		calls[i] = evm.Call{To: t.Contract.Address, Data: uriCall(t)}
	}
	answers, err := s.reader.CallEach(ctx, chainID, calls)
	if err != nil && (len(tokens) == 1 || ctx.Err() != nil) {
		return nil
	}
	uris := map[asset.Token]string{}
	if err != nil {
		half := len(tokens) / 2
		maps.Copy(uris, s.readURIs(ctx, chainID, tokens[:half]))
		maps.Copy(uris, s.readURIs(ctx, chainID, tokens[half:]))
		return uris
	}
	for i, a := range answers {
		uris[tokens[i]] = string(a.Bytes())
	}
	return uris
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

// document returns the metadata of a token at a URI: nil if it cannot be read, an error if ctx ends first. Concurrent
// callers share one fetch, which continues if a caller's context ends.
func (s *Metadata) document(ctx context.Context, t asset.Token, uri string) (*metadata.Document, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	flight := s.flights.DoChan(ctx, t.String(), func() (any, error) {
		if d, ok := s.Kept.Get(t); ok { // another fetch has just ended
			return d, nil
		}
		d, err := s.load(context.WithoutCancel(ctx), t, uri)
		if errors.Is(err, errBusy) {
			return nil, err
		}
		if err != nil {
			d = nil
		}
		s.Kept.Set(t, d)
		return d, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-flight:
		d, _ := result.Val.(*metadata.Document)
		return d, result.Err
	}
}

func (s *Metadata) load(ctx context.Context, t asset.Token, uri string) (*metadata.Document, error) {
	uri, err := forToken(t, uri)
	if err != nil {
		return nil, err
	}
	text, err := s.documents.Open(ctx, uri, documents)
	if err != nil {
		return nil, err
	}
	d, err := metadata.Parse(text)
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
