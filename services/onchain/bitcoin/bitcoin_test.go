package bitcoin

import (
	"strconv"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcutil"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"github.com/btcsuite/btcd/chaincfg"
)

func TestAnAddressOfATextIsThatText(t *testing.T) {
	hash := make([]byte, 20)
	witness, err := bech32.ConvertBits(hash, 8, 5, true)
	if err != nil {
		t.Fatal(err)
	}
	later, err := bech32.EncodeM("bc", append([]byte{1}, witness...))
	if err != nil {
		t.Fatal(err)
	}
	if address, err := ParseAddress(&chaincfg.MainNetParams, later); err == nil {
		t.Errorf("%s, a program of version 1 with 20 bytes, was taken for %s", later, address)
	}
	first, err := btcutil.NewAddressWitnessPubKeyHash(hash, &chaincfg.MainNetParams)
	if err != nil {
		t.Fatal(err)
	}
	if address, err := ParseAddress(&chaincfg.MainNetParams, strings.ToUpper(first.EncodeAddress())); err != nil || address.EncodeAddress() != first.EncodeAddress() {
		t.Errorf("in upper case: %v, %v", address, err)
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")
	f.Add("bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr")
	f.Fuzz(func(t *testing.T, text string) {
		for _, params := range networks {
			address, err := ParseAddress(params, text)
			if err != nil {
				continue
			}
			if again, err := ParseAddress(params, address.EncodeAddress()); err != nil || again.String() != address.String() || strings.ContainsAny(address.EncodeAddress(), "/?#") {
				t.Errorf("%s: %s: %s, %v", strconv.Quote(text), address, again, err)
			}
		}
	})
}
