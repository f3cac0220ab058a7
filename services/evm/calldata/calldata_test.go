package calldata_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/calldata"
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
