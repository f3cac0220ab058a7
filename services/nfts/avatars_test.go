package nfts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/ethereum/go-ethereum/common/hexutil"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// portrait asks for a picture that one of the local accounts chose.
func (w world) portrait(tb testing.TB, uri string, account int) (mediaType string, f *fault.Error) {
	tb.Helper()
	res, err := w.ShowPicture(tb.Context(), &nftsv1.ShowPictureRequest{Uri: uri, Owner: w.devnet.Accounts[account].Address})
	if err != nil {
		return "", fault.From(err)
	}
	if len(res.GetData()) == 0 {
		tb.Errorf("%s: no bytes", uri)
	}
	return res.GetMediaType(), nil
}

// contract is the local collection of a symbol.
func (w world) contract(tb testing.TB, symbol string) string {
	tb.Helper()
	for _, c := range w.list(tb, 0).GetCollections() {
		if c.GetSymbol() == symbol {
			return c.GetAddress()[strings.LastIndex(c.GetAddress(), ":")+1:]
		}
	}
	tb.Fatalf("no collection %s", symbol)
	return ""
}

func TestThePictureOfATokenIsShownToWhomItBelongs(t *testing.T) {
	w := serve(t)
	anchor, moor := w.contract(t, "ANCHOR"), w.contract(t, "MOOR")
	for uri, want := range map[string]string{
		"eip155:31337/erc721:" + anchor + "/2":                   "image/png",
		" EIP155:31337/ERC721:" + strings.ToLower(anchor) + "/1": "image/svg+xml",
		"eip155:31337/erc1155:" + moor + "/1":                    "image/png",
	} {
		if got, f := w.portrait(t, uri, 0); got != want {
			t.Errorf("%s: got %s %v, want %s", uri, got, f, want)
		}
	}
	for what, uri := range map[string]string{
		"another's":              "eip155:31337/erc721:" + anchor + "/1",
		"another's, of many":     "eip155:31337/erc1155:" + moor + "/1",
		"nobody's":               "eip155:31337/erc721:" + anchor + "/4711",
		"of an unlisted chain":   "eip155:999999/erc721:" + anchor + "/1",
		"of another standard":    "eip155:31337/erc1155:" + anchor + "/1",
		"of no contract":         "eip155:31337/erc721:0x00000000000000000000000000000000000dead0/1",
		"of a contract of coins": "eip155:31337/erc721:" + w.chain.Contracts["tUSD"] + "/1",
		"of no standard":         "eip155:31337/erc20:" + anchor + "/1",
		"a whole collection":     "eip155:31337/erc721:" + anchor,
		"below zero":             "eip155:31337/erc721:" + anchor + "/-1",
		"in hex":                 "eip155:31337/erc721:" + anchor + "/0x1",
		"beyond a word":          "eip155:31337/erc721:" + anchor + "/1" + strings.Repeat("0", 78),
		"with more behind it":    "eip155:31337/erc721:" + anchor + "/1/2",
	} {
		t.Run(what+" is not", func(t *testing.T) {
			if _, f := w.portrait(t, uri, 5); f == nil || f.Code != codes.NotFound || f.Reason != faultv1.Reason_REASON_MEDIA_UNAVAILABLE {
				t.Errorf("%s: got %v", uri, f)
			}
		})
	}
}

// TestATokenThatWasGivenAwayIsNoPortraitAnyMore does not trust what was found out for longer than it says.
func TestATokenThatWasGivenAwayIsNoPortraitAnyMore(t *testing.T) {
	w := serve(t)
	uri := "eip155:31337/erc721:" + w.contract(t, "ANCHOR") + "/2"
	if _, f := w.portrait(t, uri, 0); f != nil {
		t.Fatal(f)
	}
	before := w.nodes.requests.Load()
	if _, f := w.portrait(t, uri, 0); f != nil {
		t.Fatal(f)
	}
	if n := w.nodes.requests.Load() - before; n != 0 {
		t.Errorf("asked again, the nodes were asked %d times", n)
	}
	owner, next := evm.MustAddress(w.devnet.Accounts[0].Address), evm.MustAddress(w.devnet.Accounts[5].Address)
	contract := w.contract(t, "ANCHOR")
	w.give(t, contract, owner, next)
	defer w.give(t, contract, next, owner)
	w.avatars.owned.InvalidateAll() // the time that it is kept for is over
	if _, f := w.portrait(t, uri, 0); f == nil || f.Code != codes.NotFound {
		t.Errorf("its former owner: got %v", f)
	}
	if _, f := w.portrait(t, uri, 5); f != nil {
		t.Errorf("its new owner: got %v", f)
	}
}

// give moves token 2 of a contract.
func (w world) give(tb testing.TB, contract string, from, to evm.Address) {
	tb.Helper()
	id := ID{31: 2}
	call := append(evm.Selector("transferFrom(address,address,uint256)"), evm.Word(from)...)
	call = append(append(call, evm.Word(to)...), id[:]...)
	w.mine(tb, map[string]string{"from": from.String(), "to": contract, "data": hexutil.Encode(call)})
}

func TestWhoOwnsATokenIsKeptLongerThanWhoDoesNot(t *testing.T) {
	w := serve(t)
	anchor := w.contract(t, "ANCHOR")
	for account, most := range map[int]time.Duration{0: ownedLifetime, 5: notOwnedLifetime} {
		_, _ = w.portrait(t, "eip155:31337/erc721:"+anchor+"/2", account)
		token, _ := ParseToken("eip155:31337/erc721:" + anchor + "/2")
		kept, ok := w.avatars.owned.GetEntry(ownership{token, evm.MustAddress(w.devnet.Accounts[account].Address)})
		if left := kept.ExpiresAfter(); !ok || left > most || left < most/2 {
			t.Errorf("account %d: kept for %s, want %s", account, left, most)
		}
	}
}

func TestAHostileContractHasNoPortraits(t *testing.T) {
	w := serve(t)
	owner := evm.MustAddress(w.devnet.Accounts[0].Address)
	for what, code := range map[string]string{
		"that says too much":                       "0x62ffffff6000f3",
		"that never ends":                          "0x5b600056",
		"that reverts":                             "0x60006000fd",
		"that says nothing":                        "0x00",
		"that belongs to whoever asks, and no URI": "0x73" + hexutil.Encode(owner[:])[2:] + "60005260206000f3",
	} {
		t.Run(what, func(t *testing.T) {
			contract := "0x00000000000000000000000000000000000bad00"
			w.chain.Call(t, "anvil_setCode", contract, code)
			w.avatars.owned.InvalidateAll()
			w.pictures.metadata.kept.InvalidateAll()
			for _, standard := range []string{"erc721", "erc1155"} {
				if got, f := w.portrait(t, "eip155:31337/"+standard+":"+contract+"/1", 0); f == nil || f.Code != codes.NotFound {
					t.Errorf("%s: got %s %v", standard, got, f)
				}
			}
		})
	}
}

func TestATokenIsNotTakenForAnothersWhileItsChainIsDown(t *testing.T) {
	w := serve(t)
	uri := "eip155:31337/erc721:" + w.contract(t, "ANCHOR") + "/2"
	w.nodes.down.Store(true)
	if _, f := w.portrait(t, uri, 0); f == nil || f.Code != codes.Unavailable || f.Reason != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
		t.Errorf("got %v", f)
	}
	w.nodes.down.Store(false)
	if _, f := w.portrait(t, uri, 0); f != nil {
		t.Errorf("when it is back: got %v", f)
	}
}

func TestAPictureIsAskedForInTheNameOfAnAccount(t *testing.T) {
	w := serve(t)
	_, err := w.ShowPicture(t.Context(), &nftsv1.ShowPictureRequest{Uri: "data:image/png;base64,AAAA", Owner: "0x12"})
	if f := fault.From(err); f.Code != codes.InvalidArgument || f.Reason != faultv1.Reason_REASON_ADDRESS_INVALID {
		t.Errorf("got %v", f)
	}
}

// hostile answers as the path says.
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
		gallerist(w, r)
	}
}

func (s *strangers) portrait(ctx context.Context, uri string) (string, error) {
	p, err := newAvatars(nil, s.contracts, s.pictures, usualTimeout).Show(ctx, uri, evm.Address{1})
	return p.MediaType + " " + string(p.Bytes), err
}

// usualTimeout is longer than any test takes.
const usualTimeout = time.Minute

func TestAPortraitIsFoundWhereverItsAccountPutIt(t *testing.T) {
	s := meet(t, gallerist)
	for _, uri := range []string{
		"http://nft.example/a.png", "ipfs://QmHash/a.png", "ipfs://ipfs/QmHash/a.png", "ar://Id_0/a.png", "data:image/png;base64,iVBORw0KGgogYW5kIHBpeGVscw==",
	} {
		if got, err := s.portrait(t.Context(), uri); err != nil || !strings.HasPrefix(got, "image/png \x89PNG") {
			t.Errorf("%s: got %q %v", uri, got, err)
		}
	}
}

func TestAHostileServerShowsNothingThatRuns(t *testing.T) {
	s := meet(t, hostile)
	got, err := s.portrait(t.Context(), "http://evil.example/script")
	if err != nil || got != `image/svg+xml <svg xmlns="http://www.w3.org/2000/svg"><rect id="kept"></rect></svg>` {
		t.Errorf("got %q %v", got, err)
	}
	for _, uri := range []string{
		"http://evil.example/home", "http://evil.example/cloud", "http://evil.example/circle", "http://evil.example/huge", "http://evil.example/slow",
		"http://evil.example/page", "http://127.0.0.1/a.png", "http://[::1]/a.png", "http://evil.example:8080/a.png", "http://a:b@evil.example/a.png",
		"ipfs://Qm/../../secret", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "data:image/png;base64,AAAA", "",
	} {
		for range 2 {
			if got, err := s.portrait(t.Context(), uri); !errors.Is(err, ErrNoPicture) || got != " " {
				t.Errorf("%s: got %.40q %v", uri, got, err)
			}
		}
	}
	for _, at := range []string{"evil.example/home", "evil.example/cloud", "evil.example/huge", "evil.example/slow", "evil.example/page"} {
		if n := s.asked(at); n != 1 {
			t.Errorf("%s was asked %d times, want once in a while", at, n)
		}
	}
	if n := s.asked("127.0.0.1/secret.png") + s.asked("169.254.169.254/latest/meta-data"); n != 0 {
		t.Errorf("private addresses were visited %d times", n)
	}
}

func TestAThousandWhoLookAtOnePortraitAreServedByOneFetch(t *testing.T) {
	s := meet(t, gallerist)
	var wg sync.WaitGroup
	for range 1000 {
		wg.Go(func() {
			if _, err := s.portrait(t.Context(), "http://nft.example/one.png"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := s.asked("nft.example/one.png"); n != 1 {
		t.Errorf("fetched %d times", n)
	}
}

func TestAPortraitThatTakesTooLongIsNotSaidToBeNone(t *testing.T) {
	release := make(chan struct{})
	s := meet(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		gallerist(w, r)
	})
	impatient := newAvatars(nil, s.contracts, s.pictures, time.Millisecond)
	if _, err := impatient.Show(t.Context(), "http://nft.example/a.png", evm.Address{1}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	close(release)
	if _, err := s.portrait(t.Context(), "http://nft.example/a.png"); err != nil {
		t.Errorf("what was begun went on: got %v", err)
	}
}

func FuzzParseToken(f *testing.F) {
	f.Add("eip155:1/erc721:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85/1")
	f.Add("eip155:1/erc1155:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85/+1")
	f.Fuzz(func(t *testing.T, uri string) {
		token, ok := ParseToken(uri)
		if !ok {
			return
		}
		if again, ok := ParseToken(token.String()); !ok || again != token || !isTokenURI(uri) {
			t.Errorf("%q is %v, which is read as %v", uri, token, again)
		}
	})
}
