package nfts

import (
	"strconv"
	"testing"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
)

// BenchmarkListing lists an account to which 400 tokens moved, with cached metadata: it measures the ownership reads.
func BenchmarkListing(b *testing.B) {
	w := serve(b)
	unowned := &activityv1.Touched{Address: w.chain.Contracts["ANCHOR"], Standard: "erc721"}
	for i := range 390 {
		unowned.TokenIds = append(unowned.TokenIds, strconv.Itoa(1000+i))
	}
	w.index.more = append(w.index.more, unowned)
	request := &nftsv1.ListNftsRequest{Address: w.devnet.Accounts[0].Address, ChainId: "eip155:31337"}
	w.list(b, 0)
	for b.Loop() {
		if _, err := w.ListNfts(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}
