package abi_test

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/abi"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// spelled is the encoding by viem 2.57.1 of (address, string[], bytes, bytes4, uint256, (address, string[], bytes)[],
// bool[]).
const spelled = "0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb9226600000000000000000000000000000000000000000000000000000000000000e000000000000000000000000000000000000000000000000000000000000001e0abcdef01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000080007a690000000000000000000000000000000000000000000000000000000000000220000000000000000000000000000000000000000000000000000000000000036000000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000000000000000036f6e65000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000266120746578742074686174206973206c6f6e676572207468616e206f6e6520776f726420697300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003010203000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000020000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266000000000000000000000000000000000000000000000000000000000000006000000000000000000000000000000000000000000000000000000000000000e000000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000178000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000000"

var account = evm.MustAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")

func TestEncodingMatchesReferenceVectors(t *testing.T) {
	got := abi.Encode(
		abi.Address(account), abi.BytesList([][]byte{[]byte("one"), []byte("a text that is longer than one word is")}), abi.Bytes([]byte{1, 2, 3}),
		abi.Selector([4]byte{0xab, 0xcd, 0xef, 1}), abi.BigNumber(big.NewInt(0x8000_7a69)),
		abi.List(abi.Struct(abi.Address(account), abi.BytesList([][]byte{[]byte("x")}), abi.Bytes(nil))), abi.List(abi.Bool(true), abi.Bool(false)),
	)
	if hexutil.Encode(got) != spelled {
		t.Errorf("%x", got)
	}
}

func TestDecodingMatchesReferenceVectors(t *testing.T) {
	v := abi.Values(unhex(t, spelled))
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
	if _, ok := v.Word(len(v) / abi.WordSize); ok {
		t.Error("a word after the last one")
	}
}

func FuzzReading(f *testing.F) {
	f.Add(unhex(f, spelled), 1)
	f.Add(bytes.Repeat([]byte{0xff}, 96), 0)
	f.Fuzz(func(t *testing.T, data []byte, place int) {
		v := abi.Values(data)
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

func unhex(tb testing.TB, text string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(text[2:])
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
