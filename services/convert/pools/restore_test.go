package pools

import (
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// A factory has fewer fees than in the snapshot if the table, or a node's answer about the factory, has fewer.
func TestAPoolOfAFeeThatTheFactoryLacksIsNotRestored(t *testing.T) {
	v3 := &dex.V3{Factory: evm.Address{1}, Fees: []uint32{500}, Spacing: map[uint32]int32{500: 10}}
	saved := snapshot{Factories: []evm.Address{v3.Factory}}
	for i, fee := range []uint32{500, 3000} {
		p := savedPool{Address: evm.Address{2, byte(i)}, Token0: evm.Address{3}, Token1: evm.Address{4}, Factory: v3.Factory, Fee: fee, Position: &savedPosition{}}
		p.Position.SqrtPrice[1] = 1 << 32
		saved.Pools = append(saved.Pools, p)
	}
	w := newChainState(dex.Chain{})
	w.factories = []*factory{{kind: V3, address: v3.Factory, v3: v3}}
	if !w.restore(saved) || len(w.entries) != 1 || w.entries[0].Fee != 500 {
		t.Errorf("restored %+v", w.entries)
	}
	// As after a block that changes the pools.
	for i := range w.entries {
		newDeepening(&w.entries[i], w.entries[i].state.(*position))
	}
}
