package activity

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/activity/etherscan"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/chains/traces"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// testTimeout bounds how long a test waits.
const testTimeout = time.Minute

// localChains is the chains service with the local chains.
type localChains struct {
	devnet *devnettest.Devnet
	down   atomic.Bool
	// hangs makes the nodes answer nothing until a call is given up.
	hangs atomic.Bool
	// refuse reports which bodies the node refuses; nil refuses none.
	refuse func(body []byte) bool
	// forward answers instead of the node; nil for the node.
	forward func(ctx context.Context, body []byte) ([]byte, error)
	// traces is the method that traces a block; empty for none.
	traces string
}

func (n *localChains) TraceBlock(ctx context.Context, r *chainsv1.TraceBlockRequest, _ ...grpc.CallOption) (*chainsv1.TraceBlockResponse, error) {
	if n.traces == "" {
		return &chainsv1.TraceBlockResponse{}, nil
	}
	block := traces.Block{Number: r.GetNumber(), Hash: node.Hash(r.GetHash())}
	request := traces.Request(n.traces, block)
	forwarded, err := n.Forward(ctx, &chainsv1.ForwardRequest{ChainId: r.GetChainId(), Body: jsonrpc.AppendRequest(nil, 1, request.Method, request.Params)})
	if err != nil {
		return nil, err
	}
	var answer struct{ Result json.RawMessage }
	if err := json.Unmarshal(forwarded.GetBody(), &answer); err != nil {
		return nil, err
	}
	moved, err := traces.Read(n.traces, block, answer.Result)
	if errors.Is(err, traces.ErrUntraced) {
		// The blocks of the snapshot that a development chain starts from cannot be traced.
		return &chainsv1.TraceBlockResponse{}, nil
	}
	res := &chainsv1.TraceBlockResponse{Traced: true}
	for _, t := range moved.Transfers {
		res.Transfers = append(res.Transfers, &chainsv1.InnerTransfer{Transaction: t.Transaction[:], From: t.From[:], To: t.To[:], Value: t.Value.Bytes()})
	}
	return res, err
}

func (n *localChains) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	if n.refuse != nil && n.refuse(r.GetBody()) {
		return &chainsv1.ForwardResponse{Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"query exceeds limit"}}`)}, nil
	}
	if n.hangs.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if n.forward != nil {
		body, err := n.forward(ctx, r.GetBody())
		return &chainsv1.ForwardResponse{Body: body}, err
	}
	for _, c := range n.devnet.Chains {
		if c.CAIP2 == r.GetChainId() && !n.down.Load() {
			body, err := c.Forward(ctx, r.GetBody())
			return &chainsv1.ForwardResponse{Body: body}, err
		}
	}
	return nil, status.Error(codes.Unavailable, "no node")
}

func (n *localChains) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	ether := &chainsv1.NativeCurrency{Name: "Ether", Symbol: "ETH", Decimals: 18}
	res := &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: "eip155:1", Name: "Ethereum", NativeCurrency: ether}}}
	for _, c := range n.devnet.Chains {
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: c.CAIP2, Name: c.Name, NativeCurrency: ether, Testnet: true, Development: n.devnet.Describe(c.CAIP2)})
	}
	return res, nil
}

func (*localChains) ListSupportedChains(context.Context, *chainsv1.ListSupportedChainsRequest, ...grpc.CallOption) (*chainsv1.ListSupportedChainsResponse, error) {
	return nil, status.Error(codes.Unimplemented, "not used by activity")
}

// world is the service with the first local chain.
type world struct {
	*server
	chain   devnettest.Chain
	devnet  *devnettest.Devnet
	nodes   *localChains
	config  Config
	clock   *clocktest.Ahead
	bus     *bus.Bus
	dsn     string
	changes chan *activityv1.ActivityChanged
	stop    func()
}

// open starts the service on an empty SQLite file.
func open(tb testing.TB, change ...func(*Config)) *world {
	tb.Helper()
	return openOn(tb, storetest.SQLite(tb), change...)
}

// openOn starts the service on an empty database.
func openOn(tb testing.TB, dsn string, change ...func(*Config)) *world {
	tb.Helper()
	w := &world{devnet: devnettest.Start(tb), dsn: dsn, bus: bustest.Embedded(tb), config: DefaultConfig(), clock: &clocktest.Ahead{}}
	for _, c := range change {
		c(&w.config)
	}
	w.chain = w.devnet.Chain(tb, "eip155:31337")
	w.nodes = &localChains{devnet: w.devnet}
	w.changes = make(chan *activityv1.ActivityChanged, 10_000)
	err := bus.Subscribe(tb.Context(), w.bus, bus.SubscribeOptions{}, func(_ context.Context, e *activityv1.ActivityChanged) error {
		w.changes <- e
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	w.start(tb)
	return w
}

// start runs the service on the existing database.
func (w *world) start(tb testing.TB) {
	tb.Helper()
	db := storetest.Open(tb, w.dsn)
	outbox, err := bus.NewOutbox(tb.Context(), db)
	if err != nil {
		tb.Fatal(err)
	}
	archive, err := etherscan.New(w.config.Archives)
	if err != nil {
		tb.Fatal(err)
	}
	rows, err := sqlstore.New(tb.Context(), db, outbox, w.config.wholeBlocks(archive))
	if err != nil {
		tb.Fatal(err)
	}
	described := filepath.Join(tb.TempDir(), "devnet.json")
	if err := os.WriteFile(described, w.devnet.Raw, 0o600); err != nil {
		tb.Fatal(err)
	}
	lists, err := tokens.Load(tokens.Config{}, devnet.Open(described, slog.New(slog.DiscardHandler)))
	if err != nil {
		tb.Fatal(err)
	}
	w.server = newServer(w.config, Deps{Chain: chainclient.NewFrom(w.nodes, w.nodes, w.clock), Tracer: w.nodes, Lists: lists, DB: db, Clock: w.clock, Log: slog.New(slog.DiscardHandler)}, rows, archive)
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	done := make(chan struct{}, 2)
	go func() { _ = w.history.indexer.Run(ctx); done <- struct{}{} }()
	go func() { _ = outbox.Run(ctx, w.bus); done <- struct{}{} }()
	stopped := false
	w.stop = func() {
		if !stopped {
			stopped = true
			cancel()
			<-done
			<-done
		}
	}
	tb.Cleanup(w.stop)
}

// requestOnce returns a page as far as the chain has been read.
func (w *world) requestOnce(tb testing.TB, address, cursor string) *activityv1.GetHistoryResponse {
	tb.Helper()
	res, err := w.GetHistory(tb.Context(), &activityv1.GetHistoryRequest{Address: address, ChainId: w.chain.CAIP2, Cursor: cursor})
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

// request returns a page once the chain is read. On a loaded machine that takes several requests.
func (w *world) request(tb testing.TB, address, cursor string) (res *activityv1.GetHistoryResponse) {
	tb.Helper()
	eventually(tb, "the chain is read", func() bool {
		res = w.requestOnce(tb, address, cursor)
		return !res.GetCoverage().GetBackfilling()
	})
	return res
}

// newest returns the first row of an account's history.
func (w *world) newest(tb testing.TB, address string) *activityv1.Transaction {
	tb.Helper()
	res := w.request(tb, address, "")
	if len(res.GetData()) == 0 {
		tb.Fatalf("no rows of %s; %v", address, res.GetCoverage())
	}
	return res.GetData()[0]
}

// head publishes the newest block to the service and returns it.
func (w *world) head(tb testing.TB) node.Header {
	tb.Helper()
	h, err := w.history.indexer.Blocks.Head(tb.Context(), w.chain.CAIP2)
	if err != nil {
		tb.Fatal(err)
	}
	err = w.onHead(tb.Context(), &chainsv1.Head{
		ChainId: w.chain.CAIP2, Number: h.Number, Hash: h.Hash.String(), ParentHash: h.Parent.String(), Timestamp: h.Time,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// eventually waits until a condition is true.
func eventually(tb testing.TB, what string, is func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(testTimeout); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if is() {
			return
		}
	}
	tb.Fatalf("never: %s", what)
}

// send sends a transaction of an impersonated account, and returns its hash once it is in a block.
func (w *world) send(tb testing.TB, tx map[string]any) string {
	tb.Helper()
	var receipt struct{ TransactionHash string }
	if err := json.Unmarshal(w.chain.Send(tb, tx), &receipt); err != nil {
		tb.Fatal(err)
	}
	return receipt.TransactionHash
}

// fresh returns a new impersonated account with native tokens.
func (w *world) fresh(tb testing.TB) string {
	tb.Helper()
	address := fmt.Sprintf("0x%040x", freshAddresses.Add(1))
	w.chain.Call(tb, "anvil_impersonateAccount", address)
	w.chain.Call(tb, "anvil_setBalance", address, "0xde0b6b3a7640000000")
	return evm.MustAddress(address).String()
}

var freshAddresses = func() *atomic.Int64 {
	var n atomic.Int64
	n.Store(0x5eed00000)
	return &n
}()

// callData returns the selector of a function and words.
func callData(signature string, words ...any) string {
	data := hex.EncodeToString(evm.Selector(signature))
	for _, w := range words {
		data += hexWord(w)
	}
	return "0x" + data
}

func hexWord(v any) string {
	switch v := v.(type) {
	case int:
		return fmt.Sprintf("%064x", v)
	case *big.Int:
		return fmt.Sprintf("%064x", v)
	case string:
		return strings.Repeat("0", 24) + strings.ToLower(strings.TrimPrefix(v, "0x"))
	case node.Hash:
		return hex.EncodeToString(v[:])
	default:
		panic(fmt.Sprintf("no word for %T", v))
	}
}

func text(tb testing.TB, raw json.RawMessage) (s string) {
	tb.Helper()
	if err := json.Unmarshal(raw, &s); err != nil {
		tb.Fatal(err)
	}
	return s
}
