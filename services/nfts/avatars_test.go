package nfts

import (
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/media"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// avatar requests a picture that one of the local accounts chose.
func (w world) avatar(tb testing.TB, uri string, account int) (mediaType string, f *fault.Error) {
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

// contract returns the address of the local collection with a symbol.
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

func TestTokenAvatarIsShownOnlyForItsOwner(t *testing.T) {
	w := serve(t)
	anchor, moor := w.contract(t, "ANCHOR"), w.contract(t, "MOOR")
	for uri, want := range map[string]string{
		"eip155:31337/erc721:" + anchor + "/2":                   "image/png",
		" EIP155:31337/ERC721:" + strings.ToLower(anchor) + "/1": "image/svg+xml",
		"eip155:31337/erc1155:" + moor + "/1":                    "image/png",
	} {
		if got, f := w.avatar(t, uri, 0); got != want {
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
			if _, f := w.avatar(t, uri, 5); f == nil || f.Code != codes.NotFound || f.Reason != faultv1.Reason_REASON_MEDIA_UNAVAILABLE {
				t.Errorf("%s: got %v", uri, f)
			}
		})
	}
}

// TestTransferredTokenIsNoAvatar checks that ownership is read again after its cache lifetime.
func TestTransferredTokenIsNoAvatar(t *testing.T) {
	w := serve(t)
	uri := "eip155:31337/erc721:" + w.contract(t, "ANCHOR") + "/2"
	if _, f := w.avatar(t, uri, 0); f != nil {
		t.Fatal(f)
	}
	before := w.nodes.requests.Load()
	if _, f := w.avatar(t, uri, 0); f != nil {
		t.Fatal(f)
	}
	if n := w.nodes.requests.Load() - before; n != 0 {
		t.Errorf("asked again, the nodes were called %d times", n)
	}
	owner, next := evm.MustAddress(w.devnet.Accounts[0].Address), evm.MustAddress(w.devnet.Accounts[5].Address)
	contract := w.contract(t, "ANCHOR")
	w.give(t, contract, owner, next)
	defer w.give(t, contract, next, owner)
	w.avatars.Owned.Clear() // as after its lifetime
	if _, f := w.avatar(t, uri, 0); f == nil || f.Code != codes.NotFound {
		t.Errorf("its former owner: got %v", f)
	}
	if _, f := w.avatar(t, uri, 5); f != nil {
		t.Errorf("its new owner: got %v", f)
	}
}

// give transfers token 2 of a contract.
func (w world) give(tb testing.TB, contract string, from, to evm.Address) {
	tb.Helper()
	id := asset.ID{31: 2}
	call := append(evm.Selector("transferFrom(address,address,uint256)"), evm.Word(from)...)
	call = append(append(call, evm.Word(to)...), id[:]...)
	w.chain.Send(tb, map[string]string{"from": from.String(), "to": contract, "data": hexutil.Encode(call)})
}

func TestOwnershipIsCachedLongerThanItsAbsence(t *testing.T) {
	w := serve(t)
	anchor := w.contract(t, "ANCHOR")
	for account, most := range map[int]time.Duration{0: media.OwnedLifetime, 5: media.NotOwnedLifetime} {
		_, _ = w.avatar(t, "eip155:31337/erc721:"+anchor+"/2", account)
		token, _ := asset.Parse("eip155:31337/erc721:" + anchor + "/2")
		left, ok := w.avatars.Owned.ExpiresAfter(media.Ownership{Token: token, Owner: evm.MustAddress(w.devnet.Accounts[account].Address)})
		if !ok || left > most || left < most/2 {
			t.Errorf("account %d: kept for %s, want %s", account, left, most)
		}
	}
}

func TestHostileContractHasNoAvatars(t *testing.T) {
	w := serve(t)
	owner := evm.MustAddress(w.devnet.Accounts[0].Address)
	for what, code := range map[string]string{
		"that says too much":                       "0x62ffffff6000f3",
		"that never ends":                          "0x5b600056",
		"that reverts":                             "0x60006000fd",
		"that says nothing":                        "0x00",
		"that belongs to every caller, and no URI": "0x73" + hexutil.Encode(owner[:])[2:] + "60005260206000f3",
	} {
		t.Run(what, func(t *testing.T) {
			contract := "0x00000000000000000000000000000000000bad00"
			w.chain.Call(t, "anvil_setCode", contract, code)
			w.avatars.Owned.Clear()
			w.pictures.Metadata.Kept.Clear()
			for _, standard := range []string{"erc721", "erc1155"} {
				if got, f := w.avatar(t, "eip155:31337/"+standard+":"+contract+"/1", 0); f == nil || f.Code != codes.NotFound {
					t.Errorf("%s: got %s %v", standard, got, f)
				}
			}
		})
	}
}

func TestOwnershipIsNotCachedWhileTheChainIsDown(t *testing.T) {
	w := serve(t)
	uri := "eip155:31337/erc721:" + w.contract(t, "ANCHOR") + "/2"
	w.nodes.down.Store(true)
	if _, f := w.avatar(t, uri, 0); f == nil || f.Code != codes.Unavailable || f.Reason != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
		t.Errorf("got %v", f)
	}
	w.nodes.down.Store(false)
	if _, f := w.avatar(t, uri, 0); f != nil {
		t.Errorf("when it is back: got %v", f)
	}
}

func TestShowPictureRefusesAnInvalidOwner(t *testing.T) {
	w := serve(t)
	_, err := w.ShowPicture(t.Context(), &nftsv1.ShowPictureRequest{Uri: "data:image/png;base64,AAAA", Owner: "0x12"})
	if f := fault.From(err); f.Code != codes.InvalidArgument || f.Reason != faultv1.Reason_REASON_ADDRESS_INVALID {
		t.Errorf("got %v", f)
	}
}
