package evm

import (
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

func TestReadAtReadsThatBlock(t *testing.T) {
	chain := devnettest.Start(t).Chain(t, "eip155:31337")
	account := MustAddress("0x0000000000000000000000000000000000a11ce5")
	set := func(wei string) uint64 {
		chain.Call(t, "anvil_setBalance", account.String(), wei)
		chain.Call(t, "anvil_mine", "0x2") // the node allows changes of the newest block
		results, err := chainclient.Transport(chain.Forward).Batch(t.Context(), chainclient.Call{Method: "eth_blockNumber"})
		if err != nil {
			t.Fatal(err)
		}
		number, err := results[0].Quantity()
		if err != nil {
			t.Fatal(err)
		}
		return number.Uint64() - 1
	}
	blocks := []uint64{set("0x1"), set("0x2")}
	for _, f := range allForms() {
		t.Run(f.name(), func(t *testing.T) {
			r := NewReader(func(string) chainclient.Transport { return chain.Forward })
			r.remember(chain.CAIP2, f)
			for i, block := range blocks {
				reading, err := r.ReadAt(t.Context(), chain.CAIP2, block, []Query{NativeBalance(account)})
				if err != nil {
					t.Fatal(err)
				}
				if wei, ok := reading.Answers[0][0].Amount(); !ok || wei.Cmp(big.NewInt(int64(i+1))) != 0 {
					t.Errorf("block %d: got %v %v", block, wei, ok)
				}
			}
			if _, err := r.ReadAt(t.Context(), chain.CAIP2, blocks[1]+1000, []Query{NativeBalance(account)}); err == nil {
				t.Error("a missing block was read")
			}
		})
	}
}
