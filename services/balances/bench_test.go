package balances

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/balances/evm"
	"github.com/hawser-dev/hawser/services/balances/tokens"
)

// listedTokens is how many tokens the budget is about.
const listedTokens = 300

// recorder keeps the last body that went to a node.
type recorder struct {
	*nodes
	body atomic.Pointer[[]byte]
}

func (r *recorder) Forward(ctx context.Context, req *chainsv1.ForwardRequest, opts ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	r.body.Store(&req.Body)
	return r.nodes.Forward(ctx, req, opts...)
}

// manyTokens puts copies of a token on the chain until its list has listedTokens.
func manyTokens(b *testing.B, w world) []tokens.Entry {
	b.Helper()
	code := w.chain.Call(b, "eth_getCode", w.chain.Token(b, "tUSD").Address, "latest")
	var entries []tokens.Entry
	for i := range listedTokens - len(w.chain.Tokens) {
		address := fmt.Sprintf("0x%040x", 0xc0ffee0000+i)
		w.chain.Call(b, "anvil_setCode", address, code)
		entries = append(entries, tokens.Entry{Address: address, Symbol: fmt.Sprintf("T%d", i), Name: "Copy", Decimals: 6})
	}
	return entries
}

// BenchmarkColdBalances compares GetBalance for 300 listed tokens, nothing kept, with the bare eth_call that it makes: the budget is one
// request and 1.3 x the time.
func BenchmarkColdBalances(b *testing.B) {
	w := open(b)
	entries := manyTokens(b, w)
	w = open(b, configured(func(c *Config) { c.Tokens.Extra = map[string][]tokens.Entry{"eip155:31337": entries} }))
	request := &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337"}
	record := &recorder{nodes: w.nodes}
	w.ledger.reader = evm.NewReader(nodeReader{record}.connect)

	var ours, bare time.Duration
	head := uint64(0)
	cold := func() {
		head++
		w.OnHead("eip155:31337", head)
		if _, err := w.GetBalance(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
	cold()
	body := *record.body.Load()
	w.nodes.requests.Store(0)
	for b.Loop() {
		start := time.Now()
		cold()
		ours += time.Since(start)
		start = time.Now()
		if _, err := w.chain.Forward(b.Context(), body); err != nil {
			b.Fatal(err)
		}
		bare += time.Since(start)
	}
	b.ReportMetric(float64(w.nodes.requests.Load())/float64(b.N), "requests/op")
	b.ReportMetric(float64(ours)/float64(bare), "x-raw")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkKeptBalances is GetBalance when the holdings are kept.
func BenchmarkKeptBalances(b *testing.B) {
	w := open(b)
	request := &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337"}
	for b.Loop() {
		if _, err := w.GetBalance(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}
