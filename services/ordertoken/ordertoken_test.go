package ordertoken

import (
	"strings"
	"testing"
)

func TestDigests(t *testing.T) {
	a, b := New(), New()
	if a == b || len(a) != 22 {
		t.Fatalf("%q and %q", a, b)
	}
	got := Digests(a + ", ,short," + b + ",' OR 1=1 --")
	if len(got) != 2 || got[0] != Digest(a) || got[1] != Digest(b) {
		t.Errorf("%v", got)
	}
	if got := Digests(strings.Repeat(a+",", 2*MaxTokens)); len(got) != MaxTokens {
		t.Errorf("%d digests", len(got))
	}
	if got := Digests(""); got != nil {
		t.Errorf("%v", got)
	}
}

func FuzzDigests(f *testing.F) {
	f.Add(New() + ",x")
	f.Fuzz(func(t *testing.T, tokens string) {
		if got := Digests(tokens); len(got) > MaxTokens {
			t.Errorf("%d digests", len(got))
		}
	})
}
