package nfts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// nodes forwards requests to the local chains as the chains service does, and counts them.
type nodes struct {
	devnet   *devnettest.Devnet
	requests atomic.Int64
	down     atomic.Bool
}

func (n *nodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	n.requests.Add(1)
	for _, c := range n.devnet.Chains {
		if c.CAIP2 == r.GetChainId() && !n.down.Load() {
			body, err := c.Forward(ctx, r.GetBody())
			return &chainsv1.ForwardResponse{Body: body}, err
		}
	}
	return nil, status.Error(codes.Unavailable, "no node")
}

// table is the network table of the local chains.
type table struct{ devnet *devnettest.Devnet }

func (t table) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	res := &chainsv1.ListNetworksResponse{}
	for _, c := range t.devnet.Chains {
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: c.CAIP2})
	}
	return res, nil
}

func (table) ListSupportedChains(context.Context, *chainsv1.ListSupportedChainsRequest, ...grpc.CallOption) (*chainsv1.ListSupportedChainsResponse, error) {
	return nil, errors.New("nfts has no use for it")
}

// index returns every NFT of the local chains for every account, so that the result depends only on the chain.
type index struct {
	activityv1.HoldingsServiceClient
	devnet *devnettest.Devnet
	more   []*activityv1.Touched
	down   atomic.Bool
}

func (x *index) ListTouched(_ context.Context, r *activityv1.ListTouchedRequest, _ ...grpc.CallOption) (*activityv1.ListTouchedResponse, error) {
	if x.down.Load() {
		return nil, status.Error(codes.Unavailable, "no index")
	}
	res := &activityv1.ListTouchedResponse{Backfilling: true, Contracts: slices.Clone(x.more)}
	for _, chain := range x.devnet.Chains {
		if !strings.HasPrefix(r.GetAccount(), chain.CAIP2+":0x") {
			continue
		}
		for _, c := range chain.NFTs {
			touched := &activityv1.Touched{Address: c.Address, Standard: c.Standard}
			for _, t := range c.Tokens {
				touched.TokenIds = append(touched.TokenIds, t.TokenID)
			}
			res.Contracts = append(res.Contracts, touched)
		}
		res.Contracts = append(res.Contracts, &activityv1.Touched{Address: chain.Contracts["tUSD"], Standard: "erc20"})
	}
	return res, nil
}

type world struct {
	*server
	devnet *devnettest.Devnet
	chain  devnettest.Chain
	nodes  *nodes
	index  *index
}

// serve starts the service on the local chains.
func serve(tb testing.TB) world {
	tb.Helper()
	return serveOn(tb, storetest.Open(tb, storetest.SQLite(tb)))
}

func serveOn(tb testing.TB, db *store.DB) world {
	tb.Helper()
	d := devnettest.Start(tb)
	w := world{devnet: d, chain: d.Chain(tb, "eip155:31337"), nodes: &nodes{devnet: d}, index: &index{devnet: d}}
	fetcher := fetch.New(fetch.Options{Hosts: []string{fetch.AnyHost}})
	tb.Cleanup(fetcher.Close)
	var err error
	w.server, err = open(tb.Context(), DefaultConfig(), Deps{Chain: chainclient.NewFrom(table{d}, w.nodes, clock.System{}), Holdings: w.index, DB: db}, fetcher)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// list returns what one of the local accounts owns on chain 31337.
func (w world) list(tb testing.TB, account int) *nftsv1.ListNftsResponse {
	tb.Helper()
	res, err := w.ListNfts(tb.Context(), &nftsv1.ListNftsRequest{Address: w.devnet.Accounts[account].Address, ChainId: "eip155:31337"})
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

func collection(tb testing.TB, res *nftsv1.ListNftsResponse, symbol string) *nftsv1.Collection {
	tb.Helper()
	for _, c := range res.GetCollections() {
		if c.GetSymbol() == symbol {
			return c
		}
	}
	tb.Fatalf("no %s among %d collections", symbol, len(res.GetCollections()))
	return nil
}

func token(tb testing.TB, c *nftsv1.Collection, id string) *nftsv1.Nft {
	tb.Helper()
	for _, n := range c.GetNfts() {
		if n.GetTokenId() == id {
			return n
		}
	}
	tb.Fatalf("no token %s among %d of %s", id, len(c.GetNfts()), c.GetName())
	return nil
}

// held formats what an account owns of a collection: id x quantity, in the order listed.
func held(c *nftsv1.Collection) string {
	var all []string
	for _, n := range c.GetNfts() {
		all = append(all, n.GetTokenId()+"x"+n.GetQuantity())
	}
	return strings.Join(all, " ")
}
