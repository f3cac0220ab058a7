package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	_ "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// indexTimeout bounds how long the index may need to read a chain of a hundred blocks.
const indexTimeout = 30 * time.Second

type nftList struct {
	Backfilling bool
	Collections []struct {
		Symbol string
		Hidden *string
		Nfts   []struct {
			TokenID, Quantity, Name, MediaID string
			MetadataRead                     bool
		}
	}
}

// TestNFTsAreListedAndShown lists the NFTs of account 0 of the local chain, and opens every picture as a browser would.
func TestNFTsAreListedAndShown(t *testing.T) {
	devnet := devnettest.Start(t)
	eachShape(t, func(t *testing.T, s *suite) {
		want := "ANCHOR hidden=false: 1x1 2x1 4x1 5x1 6x1\nCLAIM hidden=true: 1x1\nMOOR hidden=false: 1x3 1157x3402\n"
		list := s.waitForNFTs(t, devnet.Accounts[0].Address, want)
		pictures := 0
		for _, c := range list.Collections {
			for _, n := range c.Nfts {
				if n.MediaID != "" {
					pictures++
					s.openPicture(t, n.Name, n.MediaID)
				}
			}
		}
		if pictures != 6 {
			t.Errorf("got %d pictures, want 6", pictures)
		}
	})
}

// String lists the collections and how many of each token the account owns.
func (l nftList) String() string {
	var text strings.Builder
	for _, c := range l.Collections {
		fmt.Fprintf(&text, "%s hidden=%v:", c.Symbol, c.Hidden != nil)
		for _, n := range c.Nfts {
			fmt.Fprintf(&text, " %.4sx%.4s", n.TokenID, n.Quantity)
		}
		text.WriteString("\n")
	}
	return text.String()
}

// waitForNFTs polls until the index has read the whole chain and lists what is wanted: other tests move an NFT away and back.
func (s *suite) waitForNFTs(t *testing.T, account, want string) nftList {
	t.Helper()
	var list nftList
	for deadline := time.Now().Add(indexTimeout); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		res, body := s.open(t, "/v1/account/"+account+"/nfts?chainId=eip155:31337&projectId="+project)
		list = nftList{}
		if err := json.Unmarshal(body, &list); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		if res.StatusCode == http.StatusOK && !list.Backfilling && list.String() == want {
			return list
		}
	}
	t.Fatalf("after %s, backfilling %v, got\n%swant\n%s", indexTimeout, list.Backfilling, list, want)
	return nftList{}
}

// openPicture checks a picture's headers: an image, not sniffed as another type, whose scripts do not run.
func (s *suite) openPicture(t *testing.T, name, id string) {
	t.Helper()
	res, body := s.open(t, "/v1/nft-media/"+id+"?projectId="+project)
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "image/") {
		t.Errorf("%s: status %d, %s: %.200s", name, res.StatusCode, res.Header.Get("Content-Type"), body)
	}
	for header, want := range map[string]string{
		"X-Content-Type-Options":  "nosniff",
		"Content-Security-Policy": "sandbox",
		"Cache-Control":           "max-age=86400",
	} {
		if got := res.Header.Get(header); !strings.Contains(got, want) {
			t.Errorf("%s: %s is %q, want %s in it", name, header, got, want)
		}
	}
	for _, bad := range []string{"<script", "onload", "javascript:", "foreignObject", "elsewhere.invalid"} {
		if strings.Contains(string(body), bad) {
			t.Errorf("%s: %s is in %s", name, bad, body)
		}
	}
	forged, _ := s.open(t, "/v1/nft-media/"+id[:len(id)-4]+"AAAA?projectId="+project)
	if forged.StatusCode != http.StatusNotFound || strings.Contains(forged.Header.Get("Cache-Control"), "max-age=86400") {
		t.Errorf("%s forged: status %d, kept by browsers with %q", name, forged.StatusCode, forged.Header.Get("Cache-Control"))
	}
}

func (s *suite) open(t *testing.T, path string) (*http.Response, []byte) {
	t.Helper()
	res, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, body
}
