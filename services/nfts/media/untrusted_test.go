package media

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// contracts returns the URIs of tokens by contract address. The answer of an unknown contract is larger than a node allows.
type contracts struct {
	uris  map[evm.Address]string
	calls atomic.Int64
}

func (c *contracts) Read(context.Context, string, []evm.Query) (evm.Reading, error) {
	return evm.Reading{}, errors.New("nothing here is owned")
}

func (c *contracts) CallEach(_ context.Context, _ string, calls []evm.Call, _ *limit.Bytes) ([]evm.Answer, error) {
	c.calls.Add(1)
	answers := make([]evm.Answer, len(calls))
	for i, call := range calls {
		uri, ok := c.uris[call.To]
		if !ok {
			return nil, errors.New("the answer is too large")
		}
		answers[i] = evm.Answer{OK: true, Data: abiString(uri)}
	}
	return answers, nil
}

func abiString(s string) []byte {
	b := make([]byte, 64, 64+len(s)+32)
	b[31] = 32
	binary.BigEndian.PutUint64(b[56:], uint64(len(s)))
	b = append(b, s...)
	return append(b, make([]byte, (32-len(s)%32)%32)...)
}

// untrustedServer is the server to which every host name resolves.
type untrustedServer struct {
	*contracts
	metadata *Metadata
	pictures *Pictures
	server   string
	requests sync.Map // how often, by host and path
}

func (s *untrustedServer) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

func (s *untrustedServer) DialContext(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, s.server)
}

// requestCount returns how often a document was fetched.
func (s *untrustedServer) requestCount(at string) int64 {
	n, ok := s.requests.Load(at)
	if !ok {
		return 0
	}
	return n.(*atomic.Int64).Load()
}

func meet(tb testing.TB, handler http.HandlerFunc) *untrustedServer {
	tb.Helper()
	s := &untrustedServer{contracts: &contracts{uris: map[evm.Address]string{}}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := s.requests.LoadOrStore(r.Host+r.URL.Path, new(atomic.Int64))
		n.(*atomic.Int64).Add(1)
		handler(w, r)
	}))
	s.server = server.Listener.Addr().String()
	fetcher := fetch.New(fetch.Options{Hosts: []string{fetch.AnyHost}, Resolver: s, Dialer: s, Timeout: time.Second})
	s.metadata = NewMetadata(s.contracts, fetcher, Gateways{Gateways: metadata.Gateways{IPFS: "http://ipfs.example/ipfs/", Arweave: "http://ar.example/"}}, nil)
	s.pictures = NewPictures(s.metadata)
	tb.Cleanup(func() {
		fetcher.Close()
		server.Close()
	})
	return s
}

// mint sets the URI of the nth contract and returns a token of it.
func (s *untrustedServer) mint(n byte, standard asset.Standard, uri string) asset.Token {
	t := asset.Token{Contract: asset.Contract{ChainID: "eip155:1", Address: evm.Address{19: n}, Standard: standard}, ID: asset.ID{31: 0xab}}
	s.uris[t.Contract.Address] = uri
	return t
}

const chequer = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x08\x00\x00\x00\x08 and pixels"

// serveNFT serves metadata at /NAME.json and a picture at /NAME.png.
func serveNFT(w http.ResponseWriter, r *http.Request) {
	name, isDocument := strings.CutSuffix(r.URL.Path, ".json")
	if isDocument {
		w.Header().Set("Content-Type", "application/json")
		picture := name
		if strings.HasPrefix(name, "/0") { // the standard of ERC-1155 has a place for the id in the document too
			picture = "/{id}"
		}
		fmt.Fprintf(w, `{"name":%q,"image":"http://%s%s.png"}`, name, r.Host, picture)
		return
	}
	if strings.ContainsAny(r.URL.Path, "{}") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	fmt.Fprint(w, chequer)
}

func TestMetadataIsReadFromEveryKindOfURI(t *testing.T) {
	s := meet(t, serveNFT)
	id := strings.Repeat("0", 62) + "ab"
	for i, c := range []struct {
		standard  asset.Standard
		uri, name string
	}{
		{asset.ERC721, "http://nft.example/one.json", "/one"},
		{asset.ERC1155, "http://nft.example/{id}.json", "/" + id},
		{asset.ERC721, "ipfs://QmHash/two.json", "/ipfs/QmHash/two"},
		{asset.ERC721, "ar://Id_0/three.json", "/Id_0/three"},
	} {
		token := s.mint(byte(i+1), c.standard, c.uri)
		list, inTime := s.metadata.Read(t.Context(), "eip155:1", []asset.Token{token})
		if says := list[token]; says == nil || says.Name != c.name || !inTime {
			t.Errorf("%s: got %+v", c.uri, says)
			continue
		}
		if p, _, err := s.pictures.Show(t.Context(), token); err != nil || p.MediaType != "image/png" || string(p.Bytes) != chequer {
			t.Errorf("%s: its picture: got %s %v", c.uri, p.MediaType, err)
		}
	}
}

// A new picture has a new reference, under which browsers keep what they get.
func TestNewMetadataHasANewPicture(t *testing.T) {
	s := meet(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprint(w, chequer, r.URL.Path)
	})
	for _, picture := range []string{"/sealed.png", "/revealed.png"} {
		token := s.mint(1, asset.ERC721, `data:application/json,{"image":"http://nft.example`+picture+`"}`)
		s.metadata.Kept.Clear()
		if p, _, err := s.pictures.Show(t.Context(), token); err != nil || string(p.Bytes) != chequer+picture {
			t.Errorf("%s: got %q %v", picture, p.Bytes, err)
		}
	}
}

func TestConcurrentMetadataReadsShareOneFetch(t *testing.T) {
	s := meet(t, serveNFT)
	token := s.mint(1, asset.ERC721, "http://nft.example/one.json")
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			if _, _, err := s.pictures.Show(t.Context(), token); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if documents, pictures := s.requestCount("nft.example/one.json"), s.requestCount("nft.example/one.png"); documents != 1 || pictures != 1 {
		t.Errorf("fetched the metadata %d times and the picture %d times", documents, pictures)
	}
}

func TestFailedMetadataReadIsCached(t *testing.T) {
	s := meet(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "good.json") {
			serveNFT(w, r)
			return
		}
		w.WriteHeader(http.StatusInternalServerError)
	})
	broken, pictureless := s.mint(1, asset.ERC721, "http://nft.example/bad.json"), s.mint(2, asset.ERC721, "http://nft.example/good.json")
	for range 3 {
		for _, token := range []asset.Token{broken, pictureless} {
			if _, _, err := s.pictures.Show(t.Context(), token); !errors.Is(err, ErrNoPicture) {
				t.Errorf("got %v", err)
			}
		}
	}
	for at, want := range map[string]int64{"nft.example/bad.json": 1, "nft.example/good.json": 1, "nft.example/good.png": 1} {
		if got := s.requestCount(at); got != want {
			t.Errorf("%s was asked %d times, want %d", at, got, want)
		}
	}
}

func TestUnsafePictureIsNotShown(t *testing.T) {
	answers := map[string]struct{ mediaType, body string }{
		"/html":       {"text/html", "<html><script>1</script></html>"},
		"/disguised":  {"image/png", "<html><script>1</script></html>"},
		"/svg-script": {"image/svg+xml", "<script xmlns='http://www.w3.org/2000/svg'>1</script>"},
		"/large":      {"image/png", chequer + strings.Repeat("x", maxPicture)},
		"/empty":      {"image/png", ""},
	}
	s := meet(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", answers[r.URL.Path].mediaType)
		_, _ = w.Write([]byte(answers[r.URL.Path].body))
	})
	n := byte(0)
	for path := range answers {
		n++
		token := s.mint(n, asset.ERC721, `data:application/json,{"image":"http://nft.example`+path+`"}`)
		if p, _, err := s.pictures.Show(t.Context(), token); !errors.Is(err, ErrNoPicture) || len(p.Bytes) > 0 {
			t.Errorf("%s: got %s %v", path, p.MediaType, err)
		}
		if s.requestCount("nft.example"+path) != 1 {
			t.Errorf("%s was not even asked for", path)
		}
	}
	for _, uri := range []string{"http://127.0.0.1/a.png", "http://nft.example:8080/a.png", "file:///etc/passwd", "javascript:1", "data:text/html,<script>1</script>", ""} {
		n++
		token := s.mint(n, asset.ERC721, `data:application/json,{"image":"`+uri+`"}`)
		if _, _, err := s.pictures.Show(t.Context(), token); !errors.Is(err, ErrNoPicture) {
			t.Errorf("%q: got %v", uri, err)
		}
	}
}

// TestOversizedAnswerFailsOnlyItsOwnToken checks that a malicious token sent to an account does not affect other
// tokens.
func TestOversizedAnswerFailsOnlyItsOwnToken(t *testing.T) {
	s := meet(t, serveNFT)
	var tokens []asset.Token
	for i := range byte(urisPerRequest) {
		tokens = append(tokens, s.mint(i+1, asset.ERC721, `data:application/json,{"name":"good"}`))
	}
	hostile := tokens[7]
	delete(s.uris, hostile.Contract.Address)
	says, inTime := s.metadata.Read(t.Context(), "eip155:1", tokens)
	if !inTime {
		t.Error("what will never be read is said to come later")
	}
	for _, token := range tokens {
		d, requested := says[token]
		if token == hostile {
			if requested {
				t.Errorf("the hostile one: got %+v", d)
			}
			continue
		}
		if d == nil || d.Name != "good" {
			t.Errorf("%s: got %+v", token, d)
		}
	}
	// Repeated halving of twenty ends after at most eleven requests.
	if n := s.calls.Load(); n > 11 {
		t.Errorf("it cost %d requests", n)
	}
}

func TestSlowServerDelaysOnlyItsOwnToken(t *testing.T) {
	release := make(chan struct{})
	s := meet(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "slow") {
			select {
			case <-release:
			case <-r.Context().Done():
				return
			}
		}
		serveNFT(w, r)
	})
	s.metadata.flights.linger = time.Minute
	slow, quick := s.mint(1, asset.ERC721, "http://slow.example/slow.json"), s.mint(2, asset.ERC721, "http://quick.example/quick.json")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	says, inTime := s.metadata.Read(ctx, "eip155:1", []asset.Token{slow, quick})
	if _, requested := says[slow]; inTime || requested || says[quick] == nil || says[quick].Name != "/quick" {
		t.Errorf("got %v", says)
	}
	// The fetch continues, and the next caller gets its result.
	close(release)
	says, inTime = s.metadata.Read(t.Context(), "eip155:1", []asset.Token{slow})
	if d := says[slow]; d == nil || d.Name != "/slow" || !inTime {
		t.Errorf("later: got %+v", d)
	}
	if n := s.requestCount("slow.example/slow.json"); n != 1 {
		t.Errorf("it was asked %d times", n)
	}
}

// TestBusyFetcherIsNotCachedAsAFailure checks that a busy fetcher is not cached as a failure of the picture.
func TestBusyFetcherIsNotCachedAsAFailure(t *testing.T) {
	s := meet(t, serveNFT)
	token := s.mint(1, asset.ERC721, "http://nft.example/one.json")
	for _, d := range []*documentFetcher{s.metadata.documents, s.pictures.documents} {
		d.patience = time.Millisecond
		var releases []func()
		for n := range byte(d.slots.total) {
			by := turn{caller: limit.CallerOf("", netip.AddrFrom4([4]byte{192, 0, 2, n}).String())}
			_, release, err := d.slots.acquire(t.Context(), newParty(by), place{})
			if err != nil {
				t.Fatal(err)
			}
			releases = append(releases, release)
		}
		if p, _, err := s.pictures.Show(t.Context(), token); !errors.Is(err, ErrUnavailable) {
			t.Errorf("while busy: got %q %v", p.MediaType, err)
		}
		for _, release := range releases {
			release()
		}
		d.patience = slotTimeout
		if _, inTime := s.metadata.Read(t.Context(), "eip155:1", []asset.Token{token}); !inTime {
			t.Error("the metadata is not read when there is room again")
		}
	}
	if p, _, err := s.pictures.Show(t.Context(), token); err != nil || p.MediaType != "image/png" {
		t.Errorf("with room again: got %q %v", p.MediaType, err)
	}
}
