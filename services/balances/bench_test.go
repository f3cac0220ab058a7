package balances

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// listedTokens is the number of tokens for which the budget is defined.
const listedTokens = 300

// recorder records the last body that was sent to a node.
type recorder struct {
	*nodes
	body atomic.Pointer[[]byte]
}

func (r *recorder) Forward(ctx context.Context, req *chainsv1.ForwardRequest, opts ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	r.body.Store(&req.Body)
	return r.nodes.Forward(ctx, req, opts...)
}

// manyTokens deploys copies of a token until the chain's list has as many as listed.
func manyTokens(b *testing.B, w world, listed int) []tokens.Entry {
	b.Helper()
	code := w.chain.Call(b, "eth_getCode", w.chain.Token(b, "tUSD").Address, "latest")
	var entries []tokens.Entry
	for i := range listed - len(w.chain.Tokens) {
		address := fmt.Sprintf("0x%040x", 0xc0ffee0000+i)
		w.chain.Call(b, "anvil_setCode", address, code)
		entries = append(entries, tokens.Entry{Address: address, Symbol: fmt.Sprintf("T%d", i), Name: "Copy", Decimals: 6})
	}
	return entries
}

// BenchmarkColdBalances compares GetBalance for 300 listed tokens, nothing cached, with the single eth_call that it
// makes: the budget is one request and 1.3 x the time.
func BenchmarkColdBalances(b *testing.B) {
	w := open(b)
	entries := manyTokens(b, w, listedTokens)
	w = open(b, configured(func(c *Config) { c.Tokens.Extra = map[string][]tokens.Entry{"eip155:31337": entries} }))
	request := &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337"}
	record := &recorder{nodes: w.nodes}
	w.reader.Nodes = evm.NewReader(chainclient.NewFrom(nil, record, clock.System{}).Transport)

	var ours, bare time.Duration
	head := uint64(0)
	cold := func() {
		head++
		w.onHead("eip155:31337")
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

// BenchmarkColdBalancesAgainstViem compares GetBalance for 500 listed tokens, nothing cached, with prices and names,
// with viem's multicall for their balances alone. They alternate on the same node. GetBalance must be five times as
// fast.
func BenchmarkColdBalancesAgainstViem(b *testing.B) {
	const listed = 500
	w := open(b)
	entries := manyTokens(b, w, listed)
	w = open(b, configured(func(c *Config) { c.Tokens.Extra = map[string][]tokens.Entry{watchedChain: entries} }))
	owner := w.devnet.Accounts[0].Address
	request := &balancesv1.GetBalanceRequest{Address: owner, Currency: "usd", ChainId: watchedChain}
	rival := startViem(b, w.chain.RPCURL, owner, entries)

	var ours, batched, whole []time.Duration
	head := uint64(0)
	for b.Loop() {
		head++
		w.onHead(watchedChain)
		start := time.Now()
		if _, err := w.GetBalance(b.Context(), request); err != nil {
			b.Fatal(err)
		}
		ours = append(ours, time.Since(start))
		batched = append(batched, rival.read(b, ""))
		whole = append(whole, rival.read(b, "whole"))
	}
	b.ReportMetric(float64(median(ours))/1e6, "ms")
	b.ReportMetric(float64(median(batched))/float64(median(ours)), "x-viem")
	b.ReportMetric(float64(median(whole))/float64(median(ours)), "x-viem-one-call")
	b.ReportMetric(0, "ns/op")
}

// viem is a process that reads balances with viem's multicall on request.
type viem struct {
	ask    io.Writer
	answer *bufio.Scanner
}

func startViem(b *testing.B, url, owner string, entries []tokens.Entry) *viem {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "node", "../../test/bench/page/scanner.mjs", url, owner)
	cmd.Stderr = os.Stderr
	ask, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	answer, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = ask.Close()
		_ = cmd.Wait()
	})
	addresses := make([]string, len(entries))
	for i, e := range entries {
		addresses[i] = e.Address
	}
	if err := json.NewEncoder(ask).Encode(addresses); err != nil {
		b.Fatal(err)
	}
	return &viem{ask: ask, answer: bufio.NewScanner(answer)}
}

// read returns how long one read took, without the communication with the process.
func (v *viem) read(b *testing.B, how string) time.Duration {
	b.Helper()
	if _, err := fmt.Fprintln(v.ask, how); err != nil {
		b.Fatal(err)
	}
	if !v.answer.Scan() {
		b.Fatalf("viem ended: %v", v.answer.Err())
	}
	milliseconds, err := strconv.ParseFloat(v.answer.Text(), 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(milliseconds * float64(time.Millisecond))
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// BenchmarkCachedBalances measures GetBalance with cached holdings.
func BenchmarkCachedBalances(b *testing.B) {
	w := open(b)
	request := &balancesv1.GetBalanceRequest{Address: w.devnet.Accounts[0].Address, Currency: "usd", ChainId: "eip155:31337"}
	for b.Loop() {
		if _, err := w.GetBalance(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}
