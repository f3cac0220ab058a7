package calldata_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

func TestAViewReadsWhatViemEncodes(t *testing.T) {
	v := calldata.View(hexutil.MustDecode(encodedByViem))
	account := evm.MustAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
	if word, ok := v.Word(0); !ok || !bytes.Equal(word[:], evm.Word(account)) {
		t.Errorf("word %x, %t", word, ok)
	}
	if all, ok := v.BytesList(1); !ok || !slices.EqualFunc(all, []string{"one", "a text that is longer than one word is"}, func(a []byte, b string) bool { return string(a) == b }) {
		t.Errorf("list %q, %t", all, ok)
	}
	if b, ok := v.Bytes(2); !ok || !bytes.Equal(b, []byte{1, 2, 3}) {
		t.Errorf("bytes %x, %t", b, ok)
	}
	structs, count, ok := v.List(5)
	if !ok || count != 1 {
		t.Fatalf("%d structs, %t", count, ok)
	}
	one, ok := structs.Struct(0)
	if !ok {
		t.Fatal("no struct")
	}
	if texts, ok := one.BytesList(1); !ok || len(texts) != 1 || string(texts[0]) != "x" {
		t.Errorf("its list %q, %t", texts, ok)
	}
	if _, ok := v.Word(len(v) / calldata.WordSize); ok {
		t.Error("a word after the last one")
	}
}

func FuzzView(f *testing.F) {
	f.Add(hexutil.MustDecode(encodedByViem), 1)
	f.Add(bytes.Repeat([]byte{0xff}, 96), 0)
	f.Fuzz(func(t *testing.T, data []byte, place int) {
		v := calldata.View(data)
		if b, ok := v.Bytes(place); ok && len(b) > len(data) {
			t.Errorf("%d bytes of %d", len(b), len(data))
		}
		items, count, ok := v.List(place)
		for i := range min(count, 10) {
			if s, _ := items.Struct(i); ok && len(s) > len(data) {
				t.Errorf("a struct of %d bytes in %d", len(s), len(data))
			}
		}
		_, _ = v.BytesList(place)
	})
}
