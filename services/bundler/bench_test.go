package bundler

import (
	"fmt"
	"math/big"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/killtest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// BenchmarkUserOperation sends user operations of one account, one after the other, until each is included.
func BenchmarkUserOperation(b *testing.B) {
	w := newWorld(b, storetest.Open(b, storetest.SQLite(b)), nil)
	operations := w.newPerson().operations(receiver, b.N)
	b.ResetTimer()
	for _, o := range operations {
		w.receipt(w.send(o))
	}
}

// BenchmarkUserOperationMemory sends user operations to a process of the bundler. It reports how much the memory of the
// process (resident set size) grows after the first one.
func BenchmarkUserOperationMemory(b *testing.B) {
	w := newWorld(b, open(b), nil)
	operations := w.newPerson().operations(receiver, b.N)
	p := killtest.Start(b, childConfig{Devnet: devnettest.Start(b).Raw, Database: storetest.SQLite(b), Executors: []string{newExecutor(b, w.chain)}})
	idle := resident(b, p.ID())
	b.ResetTimer()
	for _, o := range operations {
		if err := p.Send(o); err != nil {
			b.Fatal(err)
		}
		p.Await(1)
	}
	b.StopTimer()
	b.ReportMetric(resident(b, p.ID())-idle, "MiB")
}

// operations returns signed operations of an account that delegates to the code of its network.
func (p person) operations(to evm.Address, n int) []*userop.Operation {
	p.w.t.Helper()
	p.w.chain.Call(p.w.t, "anvil_setCode", p.key.Address(), hexutil.Bytes(types.AddressToDelegation(p.w.network().Delegate)))
	model := p.estimated(p.operation(to, 1))
	list := make([]*userop.Operation, n)
	for i := range list {
		o := *model
		o.MaxFeePerGas = userop.NewQuantity(20e9)
		// Operations with different nonce keys are independent.
		o.Nonce.SetFromBig(new(big.Int).Lsh(big.NewInt(int64(i+1)), 64))
		list[i] = p.sign(&o)
	}
	return list
}

var residentLine = regexp.MustCompile(`VmRSS:\s*(\d+) kB`)

// resident returns the resident set size of a process, in MiB.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	kilobytes, err := strconv.ParseFloat(string(residentLine.FindSubmatch(raw)[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1024
}
