package wire_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/vendors/wire"
)

const largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935"

func TestAmountParsesTheFormsOfAllVendors(t *testing.T) {
	for spelled, want := range map[string]string{
		`"1"`:                                 "1",
		`1`:                                   "1",
		`0`:                                   "0",
		`"007"`:                               "7",
		`"` + largest + `"`:                   largest,
		largest:                               largest,
		`"0xde0b6b3a7640000"`:                 "1000000000000000000",
		`"0xDE0B6B3A7640000"`:                 "1000000000000000000",
		`"0x0"`:                               "0",
		`"0x` + strings.Repeat("f", 64) + `"`: largest,
	} {
		var got wire.Amount
		if err := json.Unmarshal([]byte(spelled), &got); err != nil || got.String() != want {
			t.Errorf("%s is read as %v, %v; want %s", spelled, got.Int, err, want)
		}
	}
}

func TestAmountRefusesOtherText(t *testing.T) {
	for _, spelled := range []string{
		`""`, `"0x"`, `"-1"`, `-1`, `"+1"`, `1.5`, `"1.0"`, `1e18`, `"1e18"`, `" 1"`, `"1_000"`, `"1,000"`, `"١"`, `"\u0031"`, `true`, `{}`, `[1]`, `"0xfg"`, `"ff"`,
		`"1` + strings.Repeat("0", 78) + `"`,
		`"115792089237316195423570985008687907853269984665640564039457584007913129639936"`,
		`"0x1` + strings.Repeat("0", 64) + `"`,
		`"` + strings.Repeat("9", 1<<20) + `"`,
	} {
		var got wire.Amount
		if err := json.Unmarshal([]byte(spelled), &got); err == nil {
			t.Errorf("%.80s is read as %v", spelled, got.Int)
		}
	}
}

func TestAnAbsentAmountIsNil(t *testing.T) {
	for _, answer := range []string{`{}`, `{"amount":null}`} {
		var got struct {
			Amount wire.Amount `json:"amount"`
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Amount.Int != nil {
			t.Errorf("%s is read as %v, %v", answer, got.Amount.Int, err)
		}
	}
}

func TestMalformedGasIsUnknown(t *testing.T) {
	for spelled, want := range map[string]wire.Gas{
		`"253000"`: 253_000, `253000`: 253_000, `"0x3dc48"`: 253_000, `null`: 0, `"a lot"`: 0, `-1`: 0, `1.5`: 0, `{}`: 0, `"` + largest + `"`: 0,
	} {
		got := wire.Gas(1)
		if err := json.Unmarshal([]byte(`{"gas":`+spelled+`}`), &struct{ Gas *wire.Gas }{&got}); err != nil {
			t.Errorf("%s: %v", spelled, err)
		}
		if spelled != "null" && got != want {
			t.Errorf("%s is read as %d, want %d", spelled, got, want)
		}
	}
}

func TestCallDataIsHex(t *testing.T) {
	var got wire.Data
	if err := json.Unmarshal([]byte(`"0x07eD2379"`), &got); err != nil || string(got) != "\x07\xed\x23\x79" {
		t.Errorf("read as %x, %v", []byte(got), err)
	}
	for _, spelled := range []string{`""`, `"07ed2379"`, `"0x7"`, `"0xzz"`, `7`} {
		if err := json.Unmarshal([]byte(spelled), &got); err == nil {
			t.Errorf("%s is read as %x", spelled, []byte(got))
		}
	}
}

func TestPercentIsExact(t *testing.T) {
	for bps, want := range map[uint32]string{0: "0", 1: "0.01", 5: "0.05", 50: "0.5", 100: "1", 125: "1.25", 5_000: "50", 10_000: "100"} {
		if got := wire.Percent(bps); got != want {
			t.Errorf("%d bps are %s, want %s", bps, got, want)
		}
	}
}

func FuzzAmount(f *testing.F) {
	for _, seed := range []string{`"1"`, `1`, `"0xff"`, `null`, `"` + largest + `"`, `1e18`, `"`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var a wire.Amount
		if err := a.UnmarshalJSON(raw); err != nil || a.Int == nil {
			return
		}
		if a.Sign() < 0 || a.BitLen() > 256 {
			t.Fatalf("%q is read as %s", raw, a.Int)
		}
		// A value that was read must be equal after it is written in the plainest form and read again.
		var again wire.Amount
		if err := again.UnmarshalJSON([]byte(`"` + a.String() + `"`)); err != nil || again.Cmp(a.Int) != 0 {
			t.Errorf("%q is %s, then %v, %v", raw, a.Int, again.Int, err)
		}
		var stdlib *big.Int
		if json.Unmarshal(raw, &stdlib) == nil && stdlib != nil && stdlib.Cmp(a.Int) != 0 {
			t.Errorf("%q is read as %s; it is %s", raw, a.Int, stdlib)
		}
	})
}
