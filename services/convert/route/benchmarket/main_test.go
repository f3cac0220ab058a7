package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/holiman/uint256"
)

func TestTheGeneratedMarketIsDeterministic(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "a.json"), filepath.Join(t.TempDir(), "b.json")
	for _, file := range []string{first, second} {
		if err := run(nil, 1200, file, "", 1); err != nil {
			t.Fatal(err)
		}
	}
	a, errA := os.ReadFile(first)
	b, errB := os.ReadFile(second)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Fatalf("two markets of %d and %d bytes differ (%v, %v)", len(a), len(b), errA, errB)
	}
	var out bytes.Buffer
	if err := run(&out, 0, "", first, 1); err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(&out)
	for i := range 36 {
		var l line
		if err := decoder.Decode(&l); err != nil {
			t.Fatalf("answer %d: %v", i, err)
		}
		paid, bound := uint256.MustFromDecimal(l.Out), uint256.MustFromDecimal(l.Bound)
		if l.Query != i || l.Error != "" || paid.IsZero() || bound.Lt(paid) || l.BoundBPS > 500 {
			t.Errorf("%+v", l)
		}
	}
	if err := run(&out, 0, "", "", 1); err == nil {
		t.Error("nothing to do is no error")
	}
}
