package nfts

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/codes"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	lastID   = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	halfWord = "340282366920938463463374607431768211457"
)

func TestListMatchesOwnershipOnChain(t *testing.T) {
	w := serve(t)
	first := w.list(t, 0)
	var names []string
	for _, c := range first.GetCollections() {
		names = append(names, c.GetName())
	}
	if want := []string{"Anchors", "Claim at https://elsewhere.invalid", "Moorings"}; !slices.Equal(names, want) {
		t.Errorf("collections: got %q, want %q", names, want)
	}
	if got := held(collection(t, first, "ANCHOR")); got != "1x1 2x1 4x1 5x1 6x1" {
		t.Errorf("ERC-721 of account 0: got %s", got)
	}
	if got := held(collection(t, first, "MOOR")); got != "1x3 "+lastID+"x"+halfWord {
		t.Errorf("ERC-1155 of account 0: got %s", got)
	}
	second := w.list(t, 1)
	if got := held(collection(t, second, "ANCHOR")); got != "3x1" {
		t.Errorf("ERC-721 of account 1: got %s", got)
	}
	if got := held(collection(t, second, "MOOR")); got != "1x2" {
		t.Errorf("ERC-1155 of account 1: got %s", got)
	}
	if got := w.list(t, 2).GetCollections(); len(got) != 0 {
		t.Errorf("account 2 owns nothing, got %v", got)
	}
	if c := collection(t, first, "MOOR"); c.GetStandard() != "erc1155" || c.GetOwned() != 2 || !strings.EqualFold(c.GetAddress(), "eip155:31337:"+w.chain.Contracts["MOORING"]) {
		t.Errorf("got %v", c)
	}
	if !first.GetBackfilling() || first.GetTruncated() || first.GetDescribing() {
		t.Errorf("backfilling %v, truncated %v, describing %v", first.GetBackfilling(), first.GetTruncated(), first.GetDescribing())
	}
}

func TestSentTokenIsRemovedAtOnce(t *testing.T) {
	w := serve(t)
	w.list(t, 0) // caches metadata, but not ownership
	defer w.chain.Snapshot(t)(t)
	word := func(address string) string { return strings.Repeat("0", 24) + strings.ToLower(address[2:]) }
	from, to := w.devnet.Accounts[0].Address, w.devnet.Accounts[2].Address
	w.chain.Send(t, map[string]string{
		"from": from, "to": w.chain.Contracts["ANCHOR"], "data": "0x23b872dd" + word(from) + word(to) + strings.Repeat("0", 63) + "1",
	})
	if got := held(collection(t, w.list(t, 0), "ANCHOR")); got != "2x1 4x1 5x1 6x1" {
		t.Errorf("the sender: got %s", got)
	}
	if got := held(collection(t, w.list(t, 2), "ANCHOR")); got != "1x1" {
		t.Errorf("the receiver: got %s", got)
	}
}

func TestATokenIsDescribedByItsMetadata(t *testing.T) {
	w := serve(t)
	anchors := collection(t, w.list(t, 0), "ANCHOR")
	drawn := token(t, anchors, "1")
	if drawn.GetName() != "Anchor #1" || drawn.GetDescription() != "Drawn on the chain itself." || !drawn.GetMetadataRead() || drawn.GetMediaId() == "" {
		t.Errorf("got %v", drawn)
	}
	traits := map[string]string{}
	for _, trait := range drawn.GetTraits() {
		traits[trait.GetName()] = trait.GetValue()
	}
	if !maps.Equal(traits, map[string]string{"Sea": "Calm", "Fathoms": "12"}) {
		t.Errorf("traits: got %v", traits)
	}
	if got := token(t, anchors, "5").GetDescription(); got != "<b>Not</b> what it seems." {
		t.Errorf("a description is text, whatever it looks like: got %q", got)
	}
}

func TestTokenWithoutMetadataIsListedAndMarked(t *testing.T) {
	w := serve(t)
	anchors := collection(t, w.list(t, 0), "ANCHOR")
	for id, what := range map[string]string{"4": "has no URI", "6": "points at a private address"} {
		if n := token(t, anchors, id); n.GetMetadataRead() || n.GetMediaId() != "" || n.GetName() != "Anchors #"+id {
			t.Errorf("a token that %s: got %v", what, n)
		}
	}
}

func TestSpamCollectionsAreHiddenWithAReason(t *testing.T) {
	res := serve(t).list(t, 0)
	if got := collection(t, res, "CLAIM").GetHidden(); got != "link" {
		t.Errorf("got %q, want link", got)
	}
	if c := collection(t, res, "ANCHOR"); c.Hidden != nil {
		t.Errorf("anchors are hidden for %q", c.GetHidden())
	}
}

// TestHundredsOfTokensNeedOneRoundTrip checks the number of requests: one for owners, one for names, one for URIs.
func TestHundredsOfTokensNeedOneRoundTrip(t *testing.T) {
	w := serve(t)
	unowned := &activityv1.Touched{Address: w.chain.Contracts["ANCHOR"], Standard: "erc721"}
	for i := range 390 {
		unowned.TokenIds = append(unowned.TokenIds, strconv.Itoa(1000+i))
	}
	w.index.more = append(w.index.more, unowned)
	if got := held(collection(t, w.list(t, 0), "ANCHOR")); got != "1x1 2x1 4x1 5x1 6x1" {
		t.Errorf("got %s", got)
	}
	if n := w.nodes.requests.Load(); n != 3 {
		t.Errorf("asked the nodes %d times, want 3", n)
	}
	w.list(t, 0)
	if n := w.nodes.requests.Load(); n != 5 {
		t.Errorf("with metadata kept, asked the nodes %d times more, want 2", n-3)
	}
}

func TestListAboveTheLimitIsTruncated(t *testing.T) {
	w := serve(t)
	many := &activityv1.Touched{Address: w.chain.Contracts["MOORING"], Standard: "erc1155"}
	for i := range maxCandidates + 1 {
		many.TokenIds = append(many.TokenIds, asset.ID{29: byte(i >> 16), 30: byte(i >> 8), 31: byte(i)}.String())
	}
	w.index.more = append(w.index.more, many)
	res := w.list(t, 0)
	if !res.GetTruncated() {
		t.Error("Truncated is false, want true")
	}
	if got := held(collection(t, res, "MOOR")); got != "1x3" {
		t.Errorf("got %s", got)
	}
}

func TestABadRequestIsRefusedWithAReason(t *testing.T) {
	w := serve(t)
	address := w.devnet.Accounts[0].Address
	for _, c := range []struct {
		address, chain string
		reason         faultv1.Reason
	}{
		{"0x12", "eip155:31337", faultv1.Reason_REASON_ADDRESS_INVALID},
		{address, "", faultv1.Reason_REASON_PARAMETER_INVALID},
		{address, "eip155:", faultv1.Reason_REASON_IDENTIFIER_INVALID},
		{address, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED},
		{address, "eip155:99999", faultv1.Reason_REASON_CHAIN_UNSUPPORTED},
	} {
		_, err := w.ListNfts(t.Context(), &nftsv1.ListNftsRequest{Address: c.address, ChainId: c.chain})
		if f := fault.From(err); f.Code != codes.InvalidArgument || f.Reason != c.reason {
			t.Errorf("%s on %q: got %v %v, want %v", c.address, c.chain, f.Code, f.Reason, c.reason)
		}
	}
	if _, err := w.ListNfts(t.Context(), &nftsv1.ListNftsRequest{Address: strings.ToUpper(address[2:]), ChainId: "31337"}); fault.From(err).Reason != faultv1.Reason_REASON_ADDRESS_INVALID {
		t.Errorf("an address without 0x: got %v", err)
	}
	if _, err := w.ListNfts(t.Context(), &nftsv1.ListNftsRequest{Address: address, ChainId: "31337"}); err != nil {
		t.Errorf("a bare reference: got %v", err)
	}
}

func TestUnreachableChainOrIndexIsAnError(t *testing.T) {
	w := serve(t)
	request := &nftsv1.ListNftsRequest{Address: w.devnet.Accounts[0].Address, ChainId: "eip155:31337"}
	for name, down := range map[string]*atomic.Bool{"nodes": &w.nodes.down, "index": &w.index.down} {
		down.Store(true)
		res, err := w.ListNfts(t.Context(), request)
		if f := fault.From(err); f.Code != codes.Unavailable || f.Reason != faultv1.Reason_REASON_CHAIN_UNAVAILABLE || strings.Contains(f.Public, "no node") {
			t.Errorf("%s down: got %v %v", name, res, err)
		}
		down.Store(false)
	}
}
