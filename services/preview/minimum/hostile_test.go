package minimum_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/minimum"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

// oneOften returns the arguments of a function that takes a list of bytes: all items are at the offset of the same one.
func oneOften(count int, item []byte) []byte {
	word := func(n int) []byte {
		return binary.BigEndian.AppendUint64(make([]byte, calldata.WordSize-8, calldata.WordSize), uint64(n))
	}
	data := append(word(calldata.WordSize), word(count)...)
	for range count {
		data = append(data, word(count*calldata.WordSize)...)
	}
	data = append(append(data, word(len(item))...), item...)
	return append(data, make([]byte, (calldata.WordSize-len(item)%calldata.WordSize)%calldata.WordSize)...)
}

func TestCallsThatAreNamedOftenHaveABound(t *testing.T) {
	multicall, swap := calldata.Parse("multicall(bytes[])").Selector(), write("sweepToken(address,uint256)", bought, least)
	several := func(count int, call []byte) []byte { return append(multicall[:], oneOften(count, call)...) }
	take := calldata.Types("(address,uint256)").Write(bought, least)
	actions := calldata.Types("(bytes,bytes[])").Write(bytes.Repeat([]byte{0x0f}, 64), slices.Repeat([][]byte{take}, 64))
	for name, c := range map[string]struct {
		data []byte
		want int
	}{
		"a few":           {several(3, several(3, swap)), 1},
		"many":            {several(2_000, swap), 0},
		"many of many":    {several(200, several(200, swap)), 0},
		"many of actions": {write("execute(bytes,bytes[])", bytes.Repeat([]byte{0x10}, 64), slices.Repeat([][]byte{actions}, 64)), 0},
	} {
		if got := minimum.Of(me, simulation.Call{To: &router, Value: zero, Data: c.data}); len(got) != c.want {
			t.Errorf("%s: %d assets are guaranteed, want %d", name, len(got), c.want)
		}
	}
}
