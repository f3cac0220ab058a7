package siwe_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/proto/siwe"
)

// vectors are shared with the TypeScript package.
type vectors struct {
	Valid []struct {
		Behaviour, Text, Chain string
		Fields                 struct {
			Scheme, Domain, Namespace, Address, Statement, URI, Version, ChainID, Nonce, IssuedAt, ExpirationTime, NotBefore, RequestID string
			Resources                                                                                                                   []string
		}
	}
	Invalid []struct{ Behaviour, Text string }
}

func readVectors(t testing.TB) (v vectors) {
	t.Helper()
	raw, err := os.ReadFile("testdata/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestParseReadsEveryFieldAndStringWritesTheSameText(t *testing.T) {
	for _, tt := range readVectors(t).Valid {
		m, err := siwe.Parse(tt.Text)
		if err != nil {
			t.Errorf("%s: %v", tt.Behaviour, err)
			continue
		}
		if want := siwe.Message(tt.Fields); !reflect.DeepEqual(m, want) {
			t.Errorf("%s: %+v, want %+v", tt.Behaviour, m, want)
		}
		if m.String() != tt.Text {
			t.Errorf("%s: wrote %q", tt.Behaviour, m)
		}
		if chain, err := m.Chain(); err != nil || chain != tt.Chain {
			t.Errorf("%s: chain %s, %v", tt.Behaviour, chain, err)
		}
	}
}

func TestParseRefusesOtherTexts(t *testing.T) {
	for _, tt := range readVectors(t).Invalid {
		if m, err := siwe.Parse(tt.Text); !errors.Is(err, siwe.ErrMessage) {
			t.Errorf("%s: %+v, %v", tt.Behaviour, m, err)
		}
	}
	long := strings.Replace(readVectors(t).Valid[0].Text, "I accept", strings.Repeat("a", siwe.MaxSize), 1)
	if _, err := siwe.Parse(long); !errors.Is(err, siwe.ErrMessage) {
		t.Errorf("a long text: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	v := readVectors(f)
	for _, tt := range v.Valid {
		f.Add(tt.Text)
	}
	for _, tt := range v.Invalid {
		f.Add(tt.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := siwe.Parse(text)
		if err != nil {
			return
		}
		if m.String() != text {
			t.Errorf("%q became %q", text, m)
		}
		if _, err := m.Chain(); err != nil {
			t.Error(err)
		}
		if _, err := m.Times(); err != nil {
			t.Error(err)
		}
	})
}
