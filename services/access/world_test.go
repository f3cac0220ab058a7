package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	accessv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/access/v1"
	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/activity"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// testTimeout bounds how long a test waits for the index.
const testTimeout = 30 * time.Second

// nodes is the chains service with the local chains.
type nodes struct {
	devnet *devnettest.Devnet
	down   atomic.Bool
}

func (n *nodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	if n.down.Load() {
		return nil, status.Error(codes.Unavailable, "no node")
	}
	if s := n.devnet.Solana; s != nil && s.CAIP2 == r.GetChainId() {
		body, err := s.Forward(ctx, r.GetBody())
		return &chainsv1.ForwardResponse{Body: body}, err
	}
	for _, c := range n.devnet.Chains {
		if c.CAIP2 == r.GetChainId() {
			body, err := c.Forward(ctx, r.GetBody())
			return &chainsv1.ForwardResponse{Body: body}, err
		}
	}
	return nil, status.Error(codes.Unavailable, "no node")
}

func (n *nodes) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	res := &chainsv1.ListNetworksResponse{}
	if s := n.devnet.Solana; s != nil {
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: s.CAIP2, NativeCurrency: &chainsv1.NativeCurrency{Name: "Solana", Symbol: "SOL", Decimals: 9}})
	}
	for _, c := range n.devnet.Chains {
		ether := &chainsv1.NativeCurrency{Name: "Ether", Symbol: "ETH", Decimals: 18}
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: c.CAIP2, Name: c.Name, NativeCurrency: ether, Development: n.devnet.Describe(c.CAIP2)})
	}
	return res, nil
}

func (n *nodes) ListSupportedChains(context.Context, *chainsv1.ListSupportedChainsRequest, ...grpc.CallOption) (*chainsv1.ListSupportedChainsResponse, error) {
	return nil, errors.New("access has no use for it")
}

// priceList is the balances service with the same prices in every currency but euros, in which they are half.
type priceList map[string]float64

func (p priceList) ListPrices(_ context.Context, r *balancesv1.ListPricesRequest, _ ...grpc.CallOption) (*balancesv1.ListPricesResponse, error) {
	res := &balancesv1.ListPricesResponse{}
	for _, id := range r.GetAddresses() {
		if strings.HasPrefix(id, "solana:") && r.GetCurrency() != "usd" {
			return nil, status.Error(codes.InvalidArgument, "another currency")
		}
		if price, ok := p[id]; ok {
			res.Fungibles = append(res.Fungibles, &balancesv1.Fungible{Address: id, Price: price})
		}
	}
	return res, nil
}

// GetBalance returns every price, because each account holds all tokens.
func (p priceList) GetBalance(_ context.Context, r *balancesv1.GetBalanceRequest, _ ...grpc.CallOption) (*balancesv1.GetBalanceResponse, error) {
	res := &balancesv1.GetBalanceResponse{}
	for id, price := range p {
		if r.GetCurrency() == "eur" {
			price /= 2
		}
		if strings.HasPrefix(id, r.GetChainId()+":") {
			res.Balances = append(res.Balances, &balancesv1.Balance{Address: &id, Price: price})
		}
	}
	return res, nil
}

// world is the service with the index of activity and the first local chain.
type world struct {
	*server
	devnet *devnettest.Devnet
	chain  devnettest.Chain
	nodes  *nodes
	clock  *clocktest.Ahead
	prices priceList
}

// open starts the service on an empty SQLite file.
func open(tb testing.TB) *world {
	tb.Helper()
	return openOn(tb, storetest.Open(tb, storetest.SQLite(tb)))
}

// openOn starts the service with an index in an empty database.
func openOn(tb testing.TB, db *store.DB) *world {
	tb.Helper()
	w := &world{devnet: devnettest.Start(tb), clock: &clocktest.Ahead{}, prices: priceList{}}
	w.chain = w.devnet.Chain(tb, "eip155:31337")
	w.nodes = &nodes{devnet: w.devnet}
	w.serve(tb, db)
	return w
}

// serve starts the index and the service.
func (w *world) serve(tb testing.TB, db *store.DB) {
	tb.Helper()
	chain := chainclient.NewFrom(w.nodes, w.nodes, w.clock)
	lists, err := tokens.Load(tokens.Config{}, chain)
	if err != nil {
		tb.Fatal(err)
	}
	index, err := activity.New(tb.Context(), activity.DefaultConfig(), activity.Deps{
		Chain: chain, Lists: lists, Mints: lists, DB: db, Outbox: bustest.Outbox(tb, db), Bus: bustest.Embedded(tb), Clock: w.clock, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		tb.Fatal(err)
	}
	local := &run.Local{}
	index.Register(local)
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	done := make(chan struct{})
	go func() { defer close(done); _ = index.Work(ctx) }()
	tb.Cleanup(func() { cancel(); <-done })
	w.server = newServer(DefaultConfig(), Deps{Chain: chain, Holdings: activityv1.NewHoldingsServiceClient(local), Lists: lists, Prices: w.prices})
}

// list returns the approvals of an account once the chain is read. The index reads the newest block at most once a second.
func (w *world) list(tb testing.TB, owner string) *accessv1.ListApprovalsResponse {
	tb.Helper()
	for deadline := time.Now().Add(testTimeout); time.Now().Before(deadline); {
		w.clock.Pass(2 * time.Second)
		res, err := w.ListApprovals(tb.Context(), &accessv1.ListApprovalsRequest{Address: owner, ChainId: w.chain.CAIP2})
		if err != nil {
			tb.Fatal(err)
		}
		if !res.GetBackfilling() {
			return res
		}
	}
	tb.Fatal("the chain is not read")
	return nil
}

// line describes an approval: kind, symbol and token id, spender, what it allows, what is at risk.
func (w *world) line(a *accessv1.Approval) string {
	text := fmt.Sprintf("%s %s", a.GetKind(), a.GetToken().GetSymbol())
	if a.GetTokenId() != "" {
		text += "#" + a.GetTokenId()
	}
	text += " " + strings.TrimPrefix(a.GetSpender().GetAddress(), w.chain.CAIP2+":")
	if a.GetUnlimited() {
		text += " unlimited"
	} else {
		text += " " + a.GetAllowance()
	}
	return text + " at risk " + a.GetAtRisk()
}

// lines describes all approvals of an account, in order.
func (w *world) lines(tb testing.TB, owner string) (list []string) {
	tb.Helper()
	for _, a := range w.list(tb, owner).GetApprovals() {
		list = append(list, w.line(a))
	}
	return list
}

// call sends a transaction of an account that the node signs for or impersonates, and returns its hash once it is in a block.
func (w *world) call(tb testing.TB, from, to string, data []byte) string {
	tb.Helper()
	var receipt struct{ TransactionHash, Status string }
	tx := map[string]any{"from": from, "to": to, "data": hexutil.Encode(data), "gas": "0x7a120"}
	if err := json.Unmarshal(w.chain.Send(tb, tx), &receipt); err != nil {
		tb.Fatal(err)
	}
	if receipt.Status != "0x1" {
		tb.Fatalf("the transaction of %s to %s failed", from, to)
	}
	return receipt.TransactionHash
}

// fresh returns a new account that the node impersonates.
func (w *world) fresh(tb testing.TB) string {
	tb.Helper()
	address := evm.MustAddress(fmt.Sprintf("0x%040x", freshAddresses.Add(1))).String()
	w.impersonate(tb, address)
	return address
}

func (w *world) impersonate(tb testing.TB, address string) {
	tb.Helper()
	w.chain.Call(tb, "anvil_impersonateAccount", address)
	w.chain.Call(tb, "anvil_setBalance", address, "0xde0b6b3a7640000000")
}

var freshAddresses = func() *atomic.Int64 {
	var n atomic.Int64
	n.Store(0xacce5500000)
	return &n
}()

// token returns the address of a token of the local chain.
func (w *world) token(tb testing.TB, symbol string) string {
	tb.Helper()
	return w.chain.Token(tb, symbol).Address
}

// collection returns the address of a collection of NFTs.
func (w *world) collection(tb testing.TB, symbol string) string {
	tb.Helper()
	for _, c := range w.chain.NFTs {
		if c.Symbol == symbol {
			return c.Address
		}
	}
	tb.Fatalf("there is no collection %s", symbol)
	return ""
}

var (
	approveCall      = calldata.Parse("approve(address,uint256)")
	setOperatorCall  = calldata.Parse("setApprovalForAll(address,bool)")
	takeCall         = calldata.Parse("transferFrom(address,address,uint256)")
	giveEditionCall  = calldata.Parse("safeTransferFrom(address,address,uint256,uint256,bytes)")
	permit2Approve   = calldata.Parse("approve(address,address,uint160,uint48)")
	permit2Lockdown  = calldata.Parse("lockdown((address,address)[])")
	permit2Take      = calldata.Parse("transferFrom(address,address,uint160,address)")
	unlimitedAmount  = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	unlimitedPermit2 = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 160), big.NewInt(1))
)

// address parses an address of the local chain.
func address(text string) evm.Address { return evm.MustAddress(text) }

// emitter is a contract that emits one log with three topics. The calldata has the topics; the rest is the data of the log.
const emitter = "0x606036036060600037604035602035600035606036036000a300"

// approvalEvent is the calldata with which an emitter states an allowance of 5.
func approvalEvent(owner, spender string) []byte {
	event := crypto.Keccak256([]byte("Approval(address,address,uint256)"))
	return slices.Concat(event, evm.Word(address(owner)), evm.Word(address(spender)), evm.Word(evm.Address{19: 5}))
}
