package activity

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/activity/solana"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const solanaMainnet = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"

// solanaNodes is the chains service with the local Solana chain.
type solanaNodes struct {
	chain *devnettest.Solana
	down  bool
}

func (n *solanaNodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	if r.GetChainId() != n.chain.CAIP2 || n.down {
		return nil, status.Error(codes.Unavailable, "no node")
	}
	body, err := n.chain.Forward(ctx, r.GetBody())
	return &chainsv1.ForwardResponse{Body: body}, err
}

func (n *solanaNodes) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	sol := &chainsv1.NativeCurrency{Name: "Solana", Symbol: "SOL", Decimals: 9}
	return &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: n.chain.CAIP2, Name: "Solana Local", NativeCurrency: sol, Testnet: true}}}, nil
}

// openSolana returns a service that answers only for Solana.
func openSolana(tb testing.TB) (*server, *solanaNodes) {
	tb.Helper()
	n := &solanaNodes{chain: devnettest.StartSolana(tb)}
	chain := chainclient.NewFrom(n, n, clock.System{})
	lists, err := tokens.Load(tokens.Config{}, fixed{})
	if err != nil {
		tb.Fatal(err)
	}
	return &server{history: &history{networks: networkTable{chain}}, solana: solana.New(chain.Transport, lists, clock.System{})}, n
}

// fixed is a devnet source without development chains.
type fixed struct{}

func (fixed) Describe() *devnet.Description { return &devnet.Description{} }

func TestARowOfSolanaHasTheShapeOfTheAPI(t *testing.T) {
	s, n := openSolana(t)
	owner := n.chain.Accounts[9].Address
	n.chain.Call(t, "requestAirdrop", owner, 1_500_000_000)
	// Without a chain the request is for the first network that is served.
	res, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: owner})
	if err != nil || len(res.GetData()) == 0 {
		t.Fatalf("got %v %v", res, err)
	}
	row := res.GetData()[0]
	m := row.GetMetadata()
	if m.GetOperationType() != "receive" || m.GetStatus() != "confirmed" || m.GetChain() != n.chain.CAIP2 || m.GetSentTo() != owner || m.GetSentFrom() != m.GetFeePayer() || m.Fee != nil || m.Error != nil || m.Application != nil {
		t.Errorf("the metadata is %v", m)
	}
	if row.GetId() != n.chain.CAIP2+":"+m.GetHash() || !strings.HasSuffix(m.GetMinedAt(), "Z") || m.GetBlock() == "0" {
		t.Errorf("the row is %v", row)
	}
	got := fmt.Sprint(line(row.GetTransfers()[0]), row.GetTransfers()[0].GetFungibleInfo())
	if want := fmt.Sprint("in 1.500000000 SOL", &activityv1.FungibleInfo{Name: "Solana", Symbol: "SOL", Icon: &activityv1.Icon{}, Decimals: 9}); got != want {
		t.Errorf("the transfer is %s, want %s", got, want)
	}
	if c := res.GetCoverage(); c.GetBackfilling() || c.GetFromBlock()[n.chain.CAIP2] != "0" || c.GetNativeFromBlock()[n.chain.CAIP2] != "0" {
		t.Errorf("the coverage is %v", c)
	}
}

func TestRequestsForSolanaAreRefusedInTheTextsOfTheAPI(t *testing.T) {
	s, n := openSolana(t)
	owner := n.chain.Accounts[9].Address
	foreign := solana.Place{ChainID: solanaMainnet, Slot: 1}.Cursor()
	for name, c := range map[string]struct {
		request *activityv1.GetHistoryRequest
		want    faultv1.Reason
	}{
		"an address of another namespace": {&activityv1.GetHistoryRequest{Address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", ChainId: n.chain.CAIP2}, faultv1.Reason_REASON_ADDRESS_INVALID},
		"a chain that is not served":      {&activityv1.GetHistoryRequest{Address: owner, ChainId: solanaMainnet}, faultv1.Reason_REASON_CHAIN_UNSUPPORTED},
		"a cursor that no page gave out":  {&activityv1.GetHistoryRequest{Address: owner, ChainId: n.chain.CAIP2, Cursor: "abc"}, faultv1.Reason_REASON_CURSOR_INVALID},
		"a cursor of another chain":       {&activityv1.GetHistoryRequest{Address: owner, ChainId: n.chain.CAIP2, Cursor: foreign}, faultv1.Reason_REASON_CURSOR_INVALID},
		"an on-ramp":                      {&activityv1.GetHistoryRequest{Address: owner, ChainId: n.chain.CAIP2, Onramp: "coinbase"}, faultv1.Reason_REASON_PROVIDER_UNSUPPORTED},
	} {
		_, err := s.GetHistory(t.Context(), c.request)
		if got := fault.From(err); err == nil || got.Reason != c.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
	n.down = true
	_, err := s.GetHistory(t.Context(), &activityv1.GetHistoryRequest{Address: owner, ChainId: n.chain.CAIP2})
	if got := fault.From(err); got.Code != codes.Unavailable || got.Reason != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
		t.Errorf("without a node: %v", err)
	}
}
