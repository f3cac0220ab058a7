package convert

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// ether is the native currency as callers spell it.
const ether = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

// nodes forwards requests to the local chains as the chains service does.
type nodes struct {
	devnet *devnettest.Devnet
	down   atomic.Bool
}

func (n *nodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
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
		native := &chainsv1.NativeCurrency{Name: "Ether", Symbol: "ETH", Decimals: 18}
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: c.CAIP2, Name: c.Name, NativeCurrency: native, Testnet: true, Development: t.devnet.Describe(c.CAIP2)})
	}
	return res, nil
}

func (table) ListSupportedChains(context.Context, *chainsv1.ListSupportedChainsRequest, ...grpc.CallOption) (*chainsv1.ListSupportedChainsResponse, error) {
	return nil, errors.New("convert has no use for it")
}

// world is the service on the local chains, the first of which has exchanges.
type world struct {
	*server
	chain devnettest.Chain
	nodes *nodes
	// user is a new account that holds only ether.
	user string
}

var users atomic.Int64

func open(tb testing.TB, change ...func(*Config)) world {
	tb.Helper()
	d := devnettest.Start(tb)
	cfg := DefaultConfig()
	for _, c := range change {
		c(&cfg)
	}
	n := &nodes{devnet: d}
	server, err := newServer(cfg, Deps{Chain: chainclient.NewFrom(table{d}, n, clock.System{}), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.work(ctx) }()
	tb.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			tb.Error(err)
		}
	})
	w := world{server: server, chain: d.Chains[0], nodes: n}
	w.user = evm.Address{0x5e, 0x11, 19: byte(users.Add(1))}.String()
	w.chain.Call(tb, "anvil_setBalance", w.user, "0x3635c9adc5dea00000")
	w.chain.Call(tb, "anvil_impersonateAccount", w.user)
	return w
}

// id returns the id of a token by its symbol; ETH is the native currency.
func (w world) id(tb testing.TB, symbol string) string {
	if symbol == "ETH" {
		return w.chain.CAIP2 + ":" + ether
	}
	return w.chain.CAIP2 + ":" + w.chain.Token(tb, symbol).Address
}

// asked returns a request for a quote that accepts any spender.
func (w world) quoteRequest(tb testing.TB, amount, from, to string) *convertv1.ListQuotesRequest {
	return &convertv1.ListQuotesRequest{Amount: amount, From: w.id(tb, from), To: w.id(tb, to), UserAddress: w.user, Spender: "any"}
}

func (w world) quote(tb testing.TB, r *convertv1.ListQuotesRequest) *convertv1.Quote {
	tb.Helper()
	w.follow(tb)
	res, err := w.ListQuotes(tb.Context(), r)
	if err != nil {
		tb.Fatal(err)
	}
	return res.GetQuotes()[0]
}

// build returns the transaction of a quote.
func (w world) build(tb testing.TB, r *convertv1.ListQuotesRequest, q *convertv1.Quote) *convertv1.SwapTransaction {
	tb.Helper()
	res, err := w.BuildTransaction(tb.Context(), w.order(r, q))
	if err != nil {
		tb.Fatal(err)
	}
	return res.GetTx()
}

func (w world) order(r *convertv1.ListQuotesRequest, q *convertv1.Quote) *convertv1.BuildTransactionRequest {
	percent := uint32(1)
	return &convertv1.BuildTransactionRequest{
		Amount: r.GetAmount(), From: r.GetFrom(), To: r.GetTo(), UserAddress: w.chain.CAIP2 + ":" + w.user,
		Eip155: &convertv1.SwapTerms{Slippage: &percent, SlippageBps: r.SlippageBps}, QuoteId: q.GetId(), Batch: r.GetBatch(), ToAmountMin: q.GetToAmountMin(),
	}
}

// follow announces the newest block to the service, as the chains service does.
func (w world) follow(tb testing.TB) {
	tb.Helper()
	var head struct{ Number, Hash string }
	if err := json.Unmarshal(w.chain.Call(tb, "eth_getBlockByNumber", "latest", false), &head); err != nil {
		tb.Fatal(err)
	}
	w.onHead(w.chain.CAIP2, number(tb, head.Number).Uint64(), head.Hash)
}

// send sends a call with exactly the given gas, and fails the test if it reverts.
func (w world) send(tb testing.TB, call *convertv1.Call, gas string) {
	tb.Helper()
	if status := w.sent(tb, call, gas); status != "0x1" {
		tb.Fatalf("the transaction to %s reverted", call.GetTo())
	}
}

func (w world) sent(tb testing.TB, call *convertv1.Call, gas string) (status string) {
	tb.Helper()
	tx := map[string]string{"from": w.user, "to": call.GetTo(), "data": call.GetData(), "value": hex(tb, call.GetValue()), "gas": hex(tb, gas)}
	var receipt struct{ Status string }
	if err := json.Unmarshal(w.chain.Send(tb, tx), &receipt); err != nil {
		tb.Fatal(err)
	}
	return receipt.Status
}

// holds returns the user's balance of a token by its symbol; for ether, without the gas that the user spends.
func (w world) holds(tb testing.TB, symbol string) *big.Int {
	tb.Helper()
	address := evm.Native
	if symbol != "ETH" {
		address = evm.MustAddress(w.chain.Token(tb, symbol).Address)
	}
	n, err := w.engine.Accounts.Balance(tb.Context(), w.chain.CAIP2, address, evm.MustAddress(w.user))
	if err != nil {
		tb.Fatal(err)
	}
	return n.ToBig()
}

// swap executes a quote as an ordinary account does, and returns the quote and what it paid.
func (w world) swap(tb testing.TB, r *convertv1.ListQuotesRequest, bought string) (*convertv1.SwapTransaction, *big.Int) {
	tb.Helper()
	tx := w.build(tb, r, w.quote(tb, r))
	before := w.holds(tb, bought)
	call := &convertv1.Call{To: strings.TrimPrefix(tx.GetTo(), w.chain.CAIP2+":"), Data: tx.GetData(), Value: tx.GetValue()}
	w.send(tb, call, tx.GetEip155().GetGas())
	return tx, new(big.Int).Sub(w.holds(tb, bought), before)
}

// approve approves the spender of a quote for the sold token, with as many transactions as the token requires.
func (w world) approve(tb testing.TB, r *convertv1.ListQuotesRequest, q *convertv1.Quote) {
	tb.Helper()
	for range 2 {
		res, err := w.BuildApprove(tb.Context(), &convertv1.BuildApproveRequest{
			From: r.GetFrom(), To: r.GetTo(), Amount: r.GetAmount(), UserAddress: w.user, QuoteId: q.GetId(),
		})
		if err != nil {
			tb.Fatal(err)
		}
		tx := res.GetTx()
		w.send(tb, &convertv1.Call{To: tx.GetToken(), Data: tx.GetData(), Value: tx.GetValue()}, tx.GetEip155().GetGas())
		if !tx.GetReset_() {
			return
		}
	}
	tb.Fatal("the token wants to be reset twice")
}

func number(tb testing.TB, text string) *big.Int {
	tb.Helper()
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		tb.Fatalf("%q is no number", text)
	}
	return n
}

func hex(tb testing.TB, text string) string { return "0x" + number(tb, text).Text(16) }

func reasonOf(err error) faultv1.Reason {
	var f *fault.Error
	if !errors.As(err, &f) {
		return faultv1.Reason_REASON_UNSPECIFIED
	}
	return f.Reason
}
