package ensip15

import (
	"errors"
	"strings"
	"testing"
)

// longest is a name of [MaxLength] bytes, whose label is longer than DNS allows.
var longest = strings.Repeat("a", MaxLength-len(".eth")) + ".eth"

func TestNormalize(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		"Vitalik.ETH":       "vitalik.eth",
		"a-b.eth":           "a-b.eth",
		"_dns.eth":          "_dns.eth",
		"Ⅷ.eth":             "viii.eth",
		"①②.eth":            "12.eth",
		"1\ufe0f\u20e3.eth": "1\u20e3.eth",
		"Straße.eth":        "straße.eth",
		"Αθήνα.eth":         "αθήνα.eth",
		"a\u200bb.eth":      "ab.eth",
		"a'b.eth":           "a’b.eth",
		"日本語.eth":           "日本語.eth",
		"👨‍👩‍👧.eth":         "👨‍👩‍👧.eth",
		"🏴󠁧󠁢󠁥󠁮󠁧󠁿.eth":       "🏴󠁧󠁢󠁥󠁮󠁧󠁿.eth",
		"\u332b.eth":        "パーセント.eth",
		longest:             longest,
	} {
		got, err := Normalize(text)
		if err != nil || got != want {
			t.Errorf("%q is %q, %v, want %q", text, got, err, want)
		}
		if !IsNormal(want) {
			t.Errorf("%q is not in its normal form", want)
		}
	}
}

func TestTextsWithoutANormalForm(t *testing.T) {
	for _, text := range []string{
		"a b.eth", "a..eth", ".eth", "a_b.eth", "xn--a.eth", "vİtalik.eth", "аpple.eth", "日本語。eth", "a\u202eb.eth", "\u0301a.eth", "a\x00.eth",
		"0х.eth", strings.Repeat("a", MaxLength+1), strings.Repeat("\u332b", 80) + ".eth",
	} {
		got, err := Normalize(text)
		var invalid *InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%q is %q, %v", text, got, err)
		}
		if IsNormal(text) {
			t.Errorf("%q is normal", text)
		}
	}
}

func TestConcurrentCalls(t *testing.T) {
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for range 20 {
				if got, err := Normalize("Ü🚴‍♂️.eth"); err != nil || got != "ü🚴‍♂.eth" {
					t.Fatalf("%q, %v", got, err)
				}
			}
		})
	}
}

// FuzzNormalize checks that a normal form is its own normal form, and that no text breaks the normalizer.
func FuzzNormalize(f *testing.F) {
	f.Add("Vitalik.ETH")
	f.Add("🏴\u200d☠️.eth")
	f.Add("\xff.eth")
	f.Add(strings.Repeat("\u332b", 20) + ".eth")
	f.Fuzz(func(t *testing.T, text string) {
		normal, err := Normalize(text)
		var invalid *InvalidError
		if err != nil && !errors.As(err, &invalid) {
			t.Fatal(err)
		}
		if err == nil && !IsNormal(normal) {
			t.Errorf("%q is not the normal form of %q", normal, text)
		}
	})
}
