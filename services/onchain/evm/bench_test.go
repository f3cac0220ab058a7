package evm

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// BenchmarkMulticall compares multicall's own encoding with that of accounts/abi, for 460 balances.
func BenchmarkMulticall(b *testing.B) {
	own, queries := multicall{at: Multicall3}, []Query{TokenBalances(Address{1}, make([]Address, programTargets))}
	function, results := calldata.Parse("aggregate3((address,bool,bytes)[])"), calldata.Types("((bool,bytes)[])")
	returned := []any{[]any{true, word(1_700_000_000)}}
	for range programTargets {
		returned = append(returned, []any{true, word(7)})
	}
	output := results.Write(returned)
	write := func() {
		calls := []any{[]any{own.at, true, getTimestamp}}
		for _, target := range queries[0].Targets {
			calls = append(calls, []any{target, true, queries[0].Call})
		}
		function.Write(calls)
	}
	read := func() {
		values, ok := results.Read(output)
		if !ok {
			b.Fatal("the library cannot read the output")
		}
		for i := range values.At(0).Len() {
			_, _ = values.At(0).At(i).At(0).Bool(), values.At(0).At(i).At(1).Bytes()
		}
	}
	readOwn := func() {
		if _, _, err := own.decode(queries, output); err != nil {
			b.Fatal(err)
		}
	}
	var took [4]time.Duration
	for b.Loop() {
		for i, run := range []func(){func() { own.encode(queries) }, write, readOwn, read} {
			started := time.Now()
			run()
			took[i] += time.Since(started)
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[0]), "abi/own-write")
	b.ReportMetric(float64(took[3])/float64(took[2]), "abi/own-read")
	b.ReportMetric(0, "ns/op")
}
