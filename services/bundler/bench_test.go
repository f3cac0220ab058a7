package bundler

import (
	"fmt"
	"math/big"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/killtest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// pollInterval is how often the benchmark asks for a receipt. It is short, so that a pause is no part of what is measured.
const pollInterval = time.Millisecond

// BenchmarkUserOperation sends user operations of one account, one after the other, until each is included. It also reports how long the sending takes,
// without the wait for the block.
func BenchmarkUserOperation(b *testing.B) {
	w := newWorld(b, storetest.Open(b, storetest.SQLite(b)), nil)
	operations := w.newPerson().operations(receiver, b.N)
	var sending time.Duration
	b.ResetTimer()
	for _, o := range operations {
		begun := time.Now()
		hash := w.send(o)
		sending += time.Since(begun)
		for {
			if _, ok := w.findReceipt(hash); ok {
				break
			}
			time.Sleep(pollInterval)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(sending.Microseconds())/1000/float64(b.N), "ms-to-send/op")
}

// BenchmarkUserOperationMemory sends user operations to a process of the bundler. It reports how much more anonymous memory the process has at most than
// while it was ready and idle. Pages of files are not counted: those of the binary are 25 MiB of any process of it, and the system can drop them.
func BenchmarkUserOperationMemory(b *testing.B) {
	w := newWorld(b, open(b), nil)
	operations := w.newPerson().operations(receiver, b.N)
	p := killtest.Start(b, childConfig{Devnet: devnettest.Start(b).Raw, Database: storetest.SQLite(b), Executors: []string{newExecutor(b, w.chain)}})
	p.Await(1)
	idle, most := anonymous(b, p.ID()), 0.0
	b.ResetTimer()
	for _, o := range operations {
		if err := p.Send(o); err != nil {
			b.Fatal(err)
		}
		p.Await(1)
		most = max(most, anonymous(b, p.ID()))
	}
	b.StopTimer()
	b.ReportMetric(most-idle, "MiB")
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

var anonymousLine = regexp.MustCompile(`RssAnon:\s*(\d+) kB`)

// anonymous returns the resident memory of a process without pages of files, in MiB.
func anonymous(b *testing.B, pid int) float64 {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	kilobytes, err := strconv.ParseFloat(string(anonymousLine.FindSubmatch(raw)[1]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1024
}
