package plaintext

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for s, want := range map[string]string{
		"Test USD":                    "Test USD",
		" a\t\n b ":                   "a b",
		"\u202eCDSU\u202c":            "CDSU",
		"US\u200bDC\ufeff\u2060":      "USDC",
		"\u2066U\u2069S\u2068D\u2067": "USD",
		"a\x00\x1b[31mb\u0085c\u009d": "a[31mb c",
		"\xff\xfea\u061c":             "a",
		"日本語\u3000名":                  "日本語 名",
		"very long indeed":            "very lon…",
	} {
		if got := Text(s, 9); got != want {
			t.Errorf("Text(%q) = %q, want %q", s, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("\u202eUSDC\u2069", 8)
	f.Add("a\u0085b\xff", 1)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = 1 + (limit&0xff)%64
		got := Text(s, limit)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > limit {
			t.Fatalf("Text(%q, %d) = %q", s, limit, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
				t.Fatalf("Text(%q) has %U", s, r)
			}
		}
		if strings.TrimSpace(got) != got || Text(got, limit) != got {
			t.Fatalf("Text(%q) = %q, which is not final", s, got)
		}
	})
}
