package calls

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

var (
	account = evm.MustAddress("0x00000000000000000000000000000000000a11ce")
	first   = evm.MustAddress("0x0000000000000000000000000000000000000b0b")
	second  = evm.MustAddress("0x0000000000000000000000000000000000000ca1")
)

func show(list []Transfer) string {
	var lines []string
	for _, t := range list {
		lines = append(lines, fmt.Sprintf("%x>%x:%s", t.From[18:], t.To[18:], t.Value))
	}
	return strings.Join(lines, " ")
}

func mode(text string) [32]byte { return [32]byte(common.RightPadBytes(common.Hex2Bytes(text), 32)) }

var (
	both    = []any{[]any{first, 4, []byte{1, 2}}, []any{second, 0, []byte{}}, []any{second, 5, []byte{}}, []any{evm.Address{}, 6, []byte{}}}
	structl = calldata.Types("((address,uint256,bytes)[])").Write(both)
	withOp  = calldata.Types("((address,uint256,bytes)[],bytes)").Write(both, []byte{9})
	packed  = append(append(first.Bytes(), common.LeftPadBytes([]byte{7}, 32)...), 0xaa)
	byMode7 = calldata.Parse("execute(bytes32,bytes)")
)

// forms are calldata of accounts and the transfers that they make.
var forms = map[string]struct {
	data []byte
	want string
}{
	"one call":                         {calldata.Parse("execute(address,uint256,bytes)").Write(first, 7, []byte{1}), "11ce>0b0b:7"},
	"one call without value":           {calldata.Parse("execute(address,uint256,bytes)").Write(first, 0, []byte{1}), ""},
	"one call as a struct":             {calldata.Parse("execute((address,uint256,bytes))").Write([]any{first, 7, []byte{}}), "11ce>0b0b:7"},
	"a batch of structs":               {calldata.Parse("executeBatch((address,uint256,bytes)[])").Write(both), "11ce>0b0b:4 11ce>0ca1:5"},
	"a batch of lists":                 {calldata.Parse("executeBatch(address[],uint256[],bytes[])").Write([]evm.Address{first, second}, []any{4, 5}, []any{[]byte{}, []byte{}}), "11ce>0b0b:4 11ce>0ca1:5"},
	"lists of different lengths":       {calldata.Parse("executeBatch(address[],uint256[],bytes[])").Write([]evm.Address{first, second}, []any{4}, []any{[]byte{}}), ""},
	"ERC-7579, one call":               {byMode7.Write(mode(""), packed), "11ce>0b0b:7"},
	"ERC-7579, a batch":                {byMode7.Write(mode("01"), structl), "11ce>0b0b:4 11ce>0ca1:5"},
	"ERC-7821 with data":               {byMode7.Write(mode("01000000000078210001"), withOp), "11ce>0b0b:4 11ce>0ca1:5"},
	"calls that may fail":              {byMode7.Write(mode("0101"), structl), ""},
	"one call that may fail":           {byMode7.Write(mode("0001"), packed), ""},
	"a batch of batches":               {byMode7.Write(mode("01000000000078210002"), structl), ""},
	"a delegate call":                  {byMode7.Write(mode("ff"), packed), ""},
	"one call that is too short":       {byMode7.Write(mode(""), packed[:51]), ""},
	"another function":                 {[]byte{1, 2, 3, 4, 5}, ""},
	"three bytes":                      {[]byte{1, 2, 3}, ""},
	"an address with more than zeros":  {append(evm.Selector("execute(address,uint256,bytes)"), common.LeftPadBytes(common.Hex2Bytes("01"+strings.Repeat("00", 20)), 96)...), ""},
	"more calls than are ever decoded": {calldata.Parse("executeBatch(address[],uint256[],bytes[])").Write(make([]evm.Address, maxCalls+1), repeated(1, maxCalls+1), []any{}), ""},
}

func repeated(v any, n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = v
	}
	return list
}

func TestCallsWithValueAreDecoded(t *testing.T) {
	for behaviour, tt := range forms {
		t.Run(behaviour, func(t *testing.T) {
			if got := show(Batch(account, tt.data)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

const (
	ops06 = "handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)"
	ops07 = "handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)"
)

func handle06(data ...[]byte) []byte {
	var ops []any
	for i, d := range data {
		ops = append(ops, []any{account, i, []byte{}, d, 1, 1, 1, 1, 1, []byte{}, []byte{}})
	}
	return calldata.Parse(ops06).Write(ops, first)
}

func handle07(data ...[]byte) []byte {
	var ops []any
	for i, d := range data {
		ops = append(ops, []any{account, i, []byte{}, d, [32]byte{}, 1, [32]byte{}, []byte{}, []byte{}})
	}
	return calldata.Parse(ops07).Write(ops, first)
}

func TestOperationsOfEveryEntryPointAreDecoded(t *testing.T) {
	one, batch := forms["one call"].data, forms["a batch of structs"].data
	for behaviour, tt := range map[string]struct {
		to    evm.Address
		input []byte
		want  string
	}{
		"v0.6":             {EntryPoint06, handle06(one, batch), "0 11ce>0b0b:7, 1 11ce>0b0b:4 11ce>0ca1:5"},
		"v0.7":             {userop.EntryPoint07, handle07(one, []byte{1}), "0 11ce>0b0b:7, 1 "},
		"v0.8":             {userop.EntryPoint08, handle07(one), "0 11ce>0b0b:7"},
		"of another form":  {EntryPoint06, handle07(one), ""},
		"another contract": {first, handle07(one), ""},
		"a part of it":     {userop.EntryPoint07, handle07(one)[:200], ""},
		"another function": {userop.EntryPoint07, one, ""},
	} {
		t.Run(behaviour, func(t *testing.T) {
			var got []string
			for _, o := range Operations(&tt.to, tt.input) {
				got = append(got, o.Nonce.String()+" "+show(o.Transfers))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if list := Operations(nil, handle07(one)); len(list) != 0 {
		t.Errorf("a transaction that creates a contract: %v", list)
	}
}

func TestTheCallsOfAllOperationsAreBoundedTogether(t *testing.T) {
	half := calldata.Parse("executeBatch(address[],uint256[],bytes[])").Write(make([]evm.Address, maxCalls/2), repeated(0, maxCalls/2), []any{})
	one := forms["one call"].data
	list := Operations(&userop.EntryPoint07, handle07(half, half, forms["a batch of structs"].data, one))
	if len(list) != 4 || len(list[2].Transfers) != 0 {
		t.Errorf("%v", list)
	}
}

func FuzzOperations(f *testing.F) {
	for _, tt := range forms {
		f.Add(tt.data, uint8(0))
	}
	f.Add(handle06(forms["one call"].data), uint8(0))
	f.Add(handle07(forms["a batch of structs"].data, forms["ERC-7579, a batch"].data), uint8(1))
	entryPoints := []evm.Address{EntryPoint06, userop.EntryPoint07, userop.EntryPoint08}
	f.Fuzz(func(t *testing.T, input []byte, version uint8) {
		to := entryPoints[int(version)%len(entryPoints)]
		all := Batch(account, input)
		for _, o := range Operations(&to, input) {
			all = append(all, o.Transfers...)
		}
		if len(all) > 2*maxCalls {
			t.Errorf("%d transfers", len(all))
		}
		for _, m := range all {
			if m.Value.Sign() <= 0 || m.Value.Cmp(new(big.Int).Lsh(big.NewInt(1), 256)) >= 0 || m.To == (evm.Address{}) {
				t.Errorf("%+v", m)
			}
		}
	})
}
