package execution

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// encodedByViem holds calls and transactions as another implementation, viem 2.57.1, encodes them.
//
//go:embed testdata/viem.json
var encodedByViem []byte

func TestCallsAreEncodedAsViemEncodesThem(t *testing.T) {
	want := map[string]string{}
	if err := json.Unmarshal(encodedByViem, &want); err != nil {
		t.Fatal(err)
	}
	a := evm.MustAddress("0x1111111111111111111111111111111111111111")
	b := evm.MustAddress("0x22222222222222222222222222222222222222aa")
	c := evm.MustAddress("0x3333333333333333333333333333333333333333")
	limit := new(uint256.Int).Not(new(uint256.Int))
	path := bytes.Join([][]byte{a[:], {0, 0x01, 0xf4}, b[:], {0, 0x0b, 0xb8}, c[:]}, nil)
	amount := uint256.MustFromDecimal("12345678901234567890")
	many := encodeCall("exactInput((bytes,address,uint256,uint256))", []any{path, c, amount, limit})
	calls := map[string][]byte{
		"approve": encodeCall("approve(address,uint256)", b, limit),
		"nothing": encodeCall("deposit()"),
		"v2": encodeCall("swapExactTokensForTokens(uint256,uint256,address[],address)",
			uint64(1e18), 7, []evm.Address{a, b, c}, evm.Address{19: 2}),
		"single": encodeCall("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
			[]any{a, b, 3000, c, 1, 2, 0}),
		"many": many,
		"multicall": encodeCall("multicall(uint256,bytes[])", 1893456000,
			[][]byte{many, encodeCall("approve(address,uint256)", a, 0), nil}),
		"emptyMulticall": encodeCall("multicall(uint256,bytes[])", 0, [][]byte(nil)),
		"permit": encodeCall("selfPermitIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)", a, 5, 1893456000, 28,
			[32]byte(bytes.Repeat([]byte{0xab}, 32)), [32]byte(bytes.Repeat([]byte{0xcd}, 32))),
	}
	for name, c := range map[string]Call{
		"shortTransaction": {To: b, Data: calls["nothing"], Value: uint256.NewInt(1e18)},
		"longTransaction":  {To: b, Data: calls["multicall"], Value: new(uint256.Int)},
		"bareTransaction":  {To: b, Value: new(uint256.Int)},
	} {
		calls[name] = unsigned(8453, c)
	}
	if len(calls) != len(want) {
		t.Fatalf("%d calls, but %d to compare them with", len(calls), len(want))
	}
	for name, data := range calls {
		if got := "0x" + hex.EncodeToString(data); !strings.EqualFold(got, want[name]) {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want[name])
		}
	}
}
