package calldata_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

var swap = calldata.Parse("swap(address,(address,uint256[],bytes),(uint256,bytes)[],bool)")

var user = evm.MustAddress("0x52908400098527886E0F7030069857D2E4169EE7")

func written() []byte {
	one := big.NewInt(1)
	return swap.Write(user, []any{user, []any{one, big.NewInt(7)}, []byte("data")}, []any{[]any{one, []byte{}}}, true)
}

func TestACallIsReadAsItWasWritten(t *testing.T) {
	v, ok := swap.Read(written())
	if !ok || v.At(0).Address() != user || v.At(1).At(1).Len() != 2 || v.At(1).At(1).At(1).Int().Int64() != 7 || !v.At(3).Bool() {
		t.Errorf("read %v, %t", v, ok)
	}
	if !bytes.Equal(v.At(1).At(2).Bytes(), []byte("data")) || v.At(2).At(0).At(0).Int().Int64() != 1 {
		t.Errorf("read %v", v)
	}
}

func TestOtherFunctionsAndTruncatedCallsAreNotRead(t *testing.T) {
	data := written()
	for length := range len(data) {
		if _, ok := swap.Read(data[:length/32*32]); ok {
			t.Errorf("%d bytes are read", length)
		}
	}
	data[0]++
	if _, ok := swap.Read(data); ok {
		t.Error("another function is read")
	}
}

// encodedByViem is the encoding by viem 2.57.1 of the types and values of TestValuesAreEncodedAsByViem.
const encodedByViem = "0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb9226600000000000000000000000000000000000000000000000000000000000000e000000000000000000000000000000000000000000000000000000000000001e0abcdef01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000080007a690000000000000000000000000000000000000000000000000000000000000220000000000000000000000000000000000000000000000000000000000000036000000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000000000000000036f6e65000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000266120746578742074686174206973206c6f6e676572207468616e206f6e6520776f726420697300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003010203000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000020000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266000000000000000000000000000000000000000000000000000000000000006000000000000000000000000000000000000000000000000000000000000000e000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000178000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000000"

func TestValuesAreEncodedAsByViem(t *testing.T) {
	types := calldata.Types("(address,string[],bytes,bytes4,uint256,(address,string[],bytes)[],bool[])")
	account := evm.MustAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
	texts := []string{"one", "a text that is longer than one word is"}
	data := types.Write(account, texts, []byte{1, 2, 3}, [4]byte{0xab, 0xcd, 0xef, 1}, big.NewInt(0x8000_7a69),
		[]any{[]any{account, []string{"x"}, []byte{}}}, []bool{true, false})
	if hexutil.Encode(data) != encodedByViem {
		t.Fatalf("%x", data)
	}
	v, ok := types.Read(data)
	if !ok || v.At(0).Address() != account || !bytes.Equal(v.At(3).Bytes(), []byte{0xab, 0xcd, 0xef, 1}) || v.At(4).Int().Int64() != 0x8000_7a69 {
		t.Errorf("read %v, %t", v, ok)
	}
	for i, text := range texts {
		if got := string(v.At(1).At(i).Bytes()); got != text {
			t.Errorf("text %d is %q", i, got)
		}
	}
	if inner := v.At(5).At(0); inner.At(0).Address() != account || string(inner.At(1).At(0).Bytes()) != "x" || len(inner.At(2).Bytes()) != 0 {
		t.Errorf("the struct is %v", inner)
	}
	if v.At(6).Len() != 2 || !v.At(6).At(0).Bool() || v.At(6).At(1).Bool() {
		t.Errorf("the booleans are %v", v.At(6))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written())
	f.Fuzz(func(_ *testing.T, data []byte) {
		if v, ok := swap.Read(data); ok {
			for i := range v.At(2).Len() {
				v.At(2).At(i).At(1).Bytes()
			}
		}
	})
}

// repeated returns the arguments of a function with one list, all of whose items are at the offset of one that has as many words.
func repeated(count int) []byte {
	word := func(n int) []byte { return big.NewInt(int64(n)).FillBytes(make([]byte, calldata.WordSize)) }
	data := append(word(calldata.WordSize), word(count)...)
	for range count {
		data = append(data, word(count*calldata.WordSize)...)
	}
	return append(append(data, word(count)...), make([]byte, count*calldata.WordSize)...)
}

func TestListsThatReferToOneListManyTimesAreNotRead(t *testing.T) {
	for _, types := range []string{"(uint256[][])", "(bytes32[][])", "(string[])", "(address[2][])", "(uint256[])"} {
		isShared := types == "(uint256[][])" || types == "(bytes32[][])"
		if v, ok := calldata.Types(types).Read(repeated(100)); ok == isShared {
			t.Errorf("%s: read %t with %d items", types, ok, v.Len())
		}
	}
	if v, ok := calldata.Types("(uint256[][])").Read(repeated(2)); !ok || v.At(0).At(1).Len() != 2 {
		t.Errorf("two lists: read %t", ok)
	}
	// The offset of a list of fixed length is read from its last bytes.
	fixed := append(make([]byte, 0, 100), repeated(100)...)
	fixed[0] = 1
	if _, ok := calldata.Types("(uint256[][][1])").Read(append(fixed[:calldata.WordSize:calldata.WordSize], repeated(100)...)); ok {
		t.Error("lists in a list of fixed length: read")
	}
}
