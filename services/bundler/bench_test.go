package bundler

import (
	"math/big"
	"runtime"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/bundler/userop"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// BenchmarkUserOperation sends user operations of one account, one after the other, until each is included. It reports the memory that is still
// in use at the end.
func BenchmarkUserOperation(b *testing.B) {
	w := newWorld(b, storetest.Open(b, storetest.SQLite(b)), nil)
	p := w.newPerson()
	w.chain.Call(b, "anvil_setCode", p.key.Address(), hexutil.Bytes(types.AddressToDelegation(w.network().Delegate)))
	model := p.estimated(p.operation(receiver, 1))
	operations := make([]*userop.Operation, b.N)
	for i := range operations {
		o := *model
		o.MaxFeePerGas = userop.NewQuantity(20e9)
		o.Nonce.SetFromBig(new(big.Int).Lsh(big.NewInt(int64(i+1)), 64))
		operations[i] = p.sign(&o)
	}
	before := inUse()
	b.ResetTimer()
	for _, o := range operations {
		w.receipt(w.send(o))
	}
	b.StopTimer()
	b.ReportMetric(inUse()-before, "MiB")
	runtime.KeepAlive(operations)
}

// inUse returns the memory of the heap that is in use, in MiB.
func inUse() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}
