package nfts

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// keepRead and keepFailed are how long metadata is kept, and that it could not be read.
	keepRead, keepFailed = time.Hour, time.Minute
	// shelfBytes bounds all metadata that is kept.
	shelfBytes = 16 << 20
	// maxDocument bounds one document, in bytes; pictures may be in it.
	maxDocument = 1 << 20
	// urisAtOnce is how many tokens one request asks for the URI of their metadata; requestsAtOnce, how many are under way.
	urisAtOnce, requestsAtOnce = 20, 4
	// documentsAtOnce bounds how many documents this process fetches at the same time.
	documentsAtOnce = 32
)

// documents are the media types that servers give metadata.
var documents = fetch.Want{MaxBytes: maxDocument, MediaTypes: []string{
	"application/json", "application/octet-stream", "binary/octet-stream", "application/ld+json", "text/plain", "text/json",
}}

// shelf keeps what tokens say of themselves, and reads what it has not.
type shelf struct {
	reader Reader
	desk   *desk

	// kept holds nil for metadata that could not be read.
	kept    *otter.Cache[Token, *metadata.Document]
	flights routine.Flights
}

func newShelf(reader Reader, fetcher Fetcher, gateways Gateways) *shelf {
	return &shelf{
		reader: reader, desk: newDesk(fetcher, gateways, documentsAtOnce),
		kept: otter.Must(&otter.Options[Token, *metadata.Document]{
			MaximumWeight: shelfBytes,
			Weigher:       func(_ Token, d *metadata.Document) uint32 { return weigh(d) },
			ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[Token, *metadata.Document]) time.Duration {
				if e.Value == nil {
					return keepFailed
				}
				return keepRead
			}),
		}),
	}
}

// weigh is about how many bytes an entry takes.
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

// Read tells what tokens of one chain say of themselves: nil for one whose metadata cannot be read. A token that could not be asked, because
// no node answered for it or time ran out, is missing; inTime says that it did not. What was begun then goes on, for the next who asks.
func (s *shelf) Read(ctx context.Context, chainID string, tokens []Token) (says map[Token]*metadata.Document, inTime bool) {
	says = map[Token]*metadata.Document{}
	var unknown []Token
	for _, t := range tokens {
		if d, ok := s.kept.GetIfPresent(t); ok {
			says[t] = d
			continue
		}
		unknown = append(unknown, t)
	}
	var mu sync.Mutex
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(documentsAtOnce)
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
			says[t] = d
			return nil
		})
	}
	_ = g.Wait()
	return says, inTime && ctx.Err() == nil
}

// uris asks contracts where the metadata of tokens is; empty where they do not say, and missing where no node answered.
func (s *shelf) uris(ctx context.Context, chainID string, tokens []Token) map[Token]string {
	uris := map[Token]string{}
	var mu sync.Mutex
	g, _ := routine.NewGroup(ctx)
	g.SetLimit(requestsAtOnce)
	for part := range slices.Chunk(tokens, urisAtOnce) {
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

// readURIs makes one request. One that fails is made again in halves, so that a contract which says too much spoils its own answer only.
func (s *shelf) readURIs(ctx context.Context, chainID string, tokens []Token) map[Token]string {
	calls := make([]evm.Call, len(tokens))
	for i, t := range tokens {
		calls[i] = evm.Call{To: t.Contract.Address, Data: uriCall(t)}
	}
	answers, err := s.reader.CallEach(ctx, chainID, calls)
	if err != nil && (len(tokens) == 1 || ctx.Err() != nil) {
		return nil
	}
	uris := map[Token]string{}
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

func uriCall(t Token) []byte {
	if t.Contract.Standard == ERC721 {
		return append(append([]byte{}, tokenURI...), t.ID[:]...)
	}
	return append(append([]byte{}, uri...), t.ID[:]...)
}

// document reads what a token says under a URI; nil when that cannot be read, an error when time runs out before. Callers who want the same
// at the same time share one reading, which goes on when one of them leaves.
func (s *shelf) document(ctx context.Context, t Token, uri string) (*metadata.Document, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	flight := s.flights.DoChan(ctx, t.String(), func() (any, error) {
		if d, ok := s.kept.GetIfPresent(t); ok { // a reading ended since the caller looked
			return d, nil
		}
		d, err := s.load(context.WithoutCancel(ctx), t, uri)
		if errors.Is(err, errBusy) {
			return nil, err
		}
		if err != nil {
			d = nil
		}
		s.kept.Set(t, d)
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

func (s *shelf) load(ctx context.Context, t Token, uri string) (*metadata.Document, error) {
	if t.Contract.Standard == ERC1155 {
		uri = metadata.ForToken(uri, t.ID.Int())
	}
	text, err := s.desk.Open(ctx, uri, documents)
	if err != nil {
		return nil, err
	}
	d, err := metadata.Parse(text)
	return &d, err
}
