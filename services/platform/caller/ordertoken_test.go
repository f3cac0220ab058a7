package caller

import (
	"strings"
	"testing"
)

func TestOrderTokenDigests(t *testing.T) {
	a, b := NewOrderToken(), NewOrderToken()
	if a == b || len(a) != 22 {
		t.Fatalf("%q and %q", a, b)
	}
	got := (Caller{OrderTokens: a + ", ,short," + b + ",' OR 1=1 --"}).OrderTokenDigests()
	if len(got) != 2 || got[0] != OrderTokenDigest(a) || got[1] != OrderTokenDigest(b) {
		t.Errorf("%v", got)
	}
	if got := (Caller{OrderTokens: strings.Repeat(a+",", 2*maxOrderTokens)}).OrderTokenDigests(); len(got) != maxOrderTokens {
		t.Errorf("%d digests", len(got))
	}
	if got := (Caller{OrderTokens: ""}).OrderTokenDigests(); got != nil {
		t.Errorf("%v", got)
	}
}

func FuzzOrderTokenDigests(f *testing.F) {
	f.Add(NewOrderToken() + ",x")
	f.Fuzz(func(t *testing.T, tokens string) {
		if got := (Caller{OrderTokens: tokens}).OrderTokenDigests(); len(got) > maxOrderTokens {
			t.Errorf("%d digests", len(got))
		}
	})
}
