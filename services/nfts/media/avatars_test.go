package media

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// hostile selects its response by the path.
func hostile(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/home":
		http.Redirect(w, r, "http://127.0.0.1/secret.png", http.StatusFound)
	case "/cloud":
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
	case "/circle":
		http.Redirect(w, r, "/circle", http.StatusFound)
	case "/huge":
		w.Header().Set("Content-Type", "image/png")
		for range maxPicture/len(chequer) + 2 {
			fmt.Fprint(w, chequer)
		}
	case "/slow":
		<-r.Context().Done()
	case "/script":
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><rect id="kept"/></svg>`)
	case "/page":
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprint(w, `<html><script>alert(1)</script></html>`)
	default:
		serveNFT(w, r)
	}
}

func (s *untrustedServer) avatar(ctx context.Context, uri string) (string, error) {
	p, err := NewAvatars(nil, s.contracts, s.pictures, usualTimeout).Show(ctx, uri, evm.Address{1})
	return p.MediaType + " " + string(p.Bytes), err
}

// usualTimeout is longer than any test takes.
const usualTimeout = time.Minute

func TestAvatarIsReadFromEveryKindOfURI(t *testing.T) {
	s := meet(t, serveNFT)
	for _, uri := range []string{
		"http://nft.example/a.png", "ipfs://QmHash/a.png", "ipfs://ipfs/QmHash/a.png", "ar://Id_0/a.png", "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(chequer)),
	} {
		if got, err := s.avatar(t.Context(), uri); err != nil || !strings.HasPrefix(got, "image/png \x89PNG") {
			t.Errorf("%s: got %q %v", uri, got, err)
		}
	}
}

func TestHostileServerCannotServeActiveContent(t *testing.T) {
	s := meet(t, hostile)
	got, err := s.avatar(t.Context(), "http://evil.example/script")
	if err != nil || got != `image/svg+xml <svg xmlns="http://www.w3.org/2000/svg"><rect id="kept"></rect></svg>` {
		t.Errorf("got %q %v", got, err)
	}
	for _, uri := range []string{
		"http://evil.example/home", "http://evil.example/cloud", "http://evil.example/circle", "http://evil.example/huge", "http://evil.example/slow",
		"http://evil.example/page", "http://127.0.0.1/a.png", "http://[::1]/a.png", "http://evil.example:8080/a.png", "http://a:b@evil.example/a.png",
		"ipfs://Qm/../../secret", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "data:image/png;base64,AAAA", "",
	} {
		for range 2 {
			if got, err := s.avatar(t.Context(), uri); !errors.Is(err, ErrNoPicture) || got != " " {
				t.Errorf("%s: got %.40q %v", uri, got, err)
			}
		}
	}
	for _, at := range []string{"evil.example/home", "evil.example/cloud", "evil.example/huge", "evil.example/slow", "evil.example/page"} {
		if n := s.requestCount(at); n != 1 {
			t.Errorf("%s was asked %d times, want once in a while", at, n)
		}
	}
	if n := s.requestCount("127.0.0.1/secret.png") + s.requestCount("169.254.169.254/latest/meta-data"); n != 0 {
		t.Errorf("private addresses were visited %d times", n)
	}
}

func TestConcurrentAvatarReadsShareOneFetch(t *testing.T) {
	s := meet(t, serveNFT)
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			if _, err := s.avatar(t.Context(), "http://nft.example/one.png"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := s.requestCount("nft.example/one.png"); n != 1 {
		t.Errorf("fetched %d times", n)
	}
}

func TestAvatarTimeoutIsNotErrNoPicture(t *testing.T) {
	release := make(chan struct{})
	s := meet(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		serveNFT(w, r)
	})
	impatient := NewAvatars(nil, s.contracts, s.pictures, time.Millisecond)
	if _, err := impatient.Show(t.Context(), "http://nft.example/a.png", evm.Address{1}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	close(release)
	if _, err := s.avatar(t.Context(), "http://nft.example/a.png"); err != nil {
		t.Errorf("what was begun went on: got %v", err)
	}
}

func FuzzParseToken(f *testing.F) {
	f.Add("eip155:1/erc721:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85/1")
	f.Add("eip155:1/erc1155:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85/+1")
	f.Fuzz(func(t *testing.T, uri string) {
		token, ok := asset.Parse(uri)
		if !ok {
			return
		}
		if again, ok := asset.Parse(token.String()); !ok || again != token || !asset.IsTokenURI(uri) {
			t.Errorf("%q is %v, which is read as %v", uri, token, again)
		}
	})
}
